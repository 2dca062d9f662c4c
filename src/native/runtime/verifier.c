/* The functions of SV-COMP's tasks: inputs, assumptions, atomic blocks, the error function. */
#include "heddle.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void __tsan_init(void);
#define INPUT(name, type, bits, is_signed) INSTEAD type __VERIFIER_nondet_##name(void) { return self ? (type)draw(bits, is_signed, PC) : (type)0; }
INPUT(int, int, 32, 1) INPUT(uint, unsigned, 32, 0) INPUT(unsigned, unsigned, 32, 0) INPUT(unsigned_int, unsigned, 32, 0)
INPUT(char, char, 8, 1) INPUT(uchar, unsigned char, 8, 0) INPUT(unsigned_char, unsigned char, 8, 0)
INPUT(short, short, 16, 1) INPUT(ushort, unsigned short, 16, 0) INPUT(bool, _Bool, 1, 0) INPUT(_Bool, _Bool, 1, 0)
INPUT(long, long, (int)sizeof(long) * 8, 1) INPUT(ulong, unsigned long, (int)sizeof(long) * 8, 0)
INPUT(unsigned_long, unsigned long, (int)sizeof(long) * 8, 0)
INPUT(longlong, long long, 64, 1) INPUT(ulonglong, unsigned long long, 64, 0)
INPUT(size_t, size_t, (int)sizeof(size_t) * 8, 0) INPUT(loff_t, long, (int)sizeof(long) * 8, 1)
INPUT(u8, unsigned char, 8, 0) INPUT(u16, unsigned short, 16, 0) INPUT(u32, unsigned, 32, 0)
INPUT(S8, signed char, 8, 1) INPUT(S32, int, 32, 1)
INSTEAD void *__VERIFIER_nondet_pointer(void) { return 0; }
INSTEAD float __VERIFIER_nondet_float(void) {
  int32_t bits = self ? (int32_t)draw_real(0) : 0;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
INSTEAD double __VERIFIER_nondet_double(void) {
  int64_t bits = self ? draw_real(1) : 0;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

INSTEAD void __VERIFIER_assume(int condition) {
  if (!condition && CONTROLLED) stop_thread(PC);
}
/* For tests: the program's result, by which executions are compared. */
INSTEAD void __heddle_outcome(unsigned long long value) {
  if (!self) return;
  control->address = value;
  end_run(FINISHED, PC, "");
}
static void reached(const char *name, uintptr_t pc) {
  if (self) end_run(ASSERT_FAILED, pc, name);
}
INSTEAD void reach_error(void) { reached("reach_error()", PC); }
INSTEAD void __VERIFIER_error(void) { reached("__VERIFIER_error()", PC); }
INSTEAD void __VERIFIER_assert(int condition) {
  if (!condition) reached("__VERIFIER_assert", PC);
}
static void instead_of_error_function(void) { reached("reach_error()", PC); }

/* ---- atomic blocks: no switch inside; to race detection they are accesses under one lock */

static struct object block_object = { .owner = -1 };

static void block_begin(uintptr_t pc) {
  if (self->block_depth == 0) {
    sync_step(BLOCK_BEGIN, &block_object, 0, pc);
    acquire_from(&block_object.clock);
  }
  self->block_depth++;
}
static void block_end(uintptr_t pc) {
  if (self->block_depth == 0) return;
  if (self->block_depth == 1) {
    sync_step(BLOCK_END, &block_object, 0, pc);
    release_to(&block_object.clock);
  }
  self->block_depth--;
}
INSTEAD void __VERIFIER_atomic_begin(void) {
  if (CONTROLLED) block_begin(PC);
}
INSTEAD void __VERIFIER_atomic_end(void) {
  if (CONTROLLED) block_end(PC);
}

/* ---- functions that are known by their address: atomic by their name, assumptions, or the error itself */

struct functions { int count; struct range { uintptr_t from, to; } at[64]; };
static struct functions atomic_functions, assumptions, ordering_functions, semaphore_waits;

static int is_in(const struct functions *f, uintptr_t pc) {
  for (int i = 0; i < f->count; i++)
    if (pc >= f->at[i].from && pc < f->at[i].to) return 1;
  return 0;
}
static int is_atomic_function(uintptr_t pc) { return is_in(&atomic_functions, pc); }
static int is_ordering(uintptr_t pc) { return ordering_functions.count > 0 && is_in(&ordering_functions, pc); }
static int is_semaphore_wait(uintptr_t pc) { return semaphore_waits.count > 0 && is_in(&semaphore_waits, pc); }
static int is_assumption(uintptr_t pc) { return is_in(&assumptions, pc); }

static void lead_to(uintptr_t function, uintptr_t target) {
  uintptr_t page = function & ~(uintptr_t)4095;
  if (mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
#if defined __x86_64__ || defined __i386__
  int32_t distance = (int32_t)(target - (function + 5));
  *(uint8_t *)function = 0xe9;
  memcpy((void *)(function + 1), &distance, 4);
#elif defined __aarch64__
  uint32_t branch = 0x14000000u | ((uint32_t)((intptr_t)(target - function) >> 2) & 0x3ffffffu);
  memcpy((void *)function, &branch, 4);
  __builtin___clear_cache((char *)function, (char *)function + 4);
#else
  (void)target;
#endif
}

/* HEDDLE_FUNCTIONS: `ANCHOR e ADDRESS SIZE a ADDRESS SIZE s ADDRESS SIZE o ADDRESS SIZE w ADDRESS SIZE ...` in hexadecimal, as the symbol table has them. */
static void init_verifier(void) {
  char *text = __real_getenv("HEDDLE_FUNCTIONS"), *at = text;
  if (!text) return;
  uintptr_t slide = (uintptr_t)&__tsan_init - (uintptr_t)strtoull(at, &at, 16);
  while (*at == ' ') {
    char what = at[1];
    uintptr_t address = (uintptr_t)strtoull(at + 2, &at, 16) + slide;
    uintptr_t size = (uintptr_t)strtoull(at, &at, 16);
    if (what == 'e') lead_to(address, (uintptr_t)instead_of_error_function);
    else {
      struct functions *f = what == 's'   ? &assumptions
                            : what == 'o' ? &ordering_functions
                            : what == 'w' ? &semaphore_waits
                                          : &atomic_functions;
      if (f->count < 64) f->at[f->count++] = (struct range){ address, address + size };
    }
  }
}
