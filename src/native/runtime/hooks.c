/* The calls that -fsanitize=thread puts into the program. They come before a plain access, and instead of an atomic one,
   which is done here: nobody else runs meanwhile. */
#include "heddle.h"
#include <string.h>

static void access_memory(void *p, uint32_t size, int is_write, uintptr_t pc) {
  if (!CONTROLLED) return;
  uintptr_t address = (uintptr_t)p;
  if (self->cancel_anywhere) test_cancel(pc);
  visible(is_write ? WRITE : READ, address, size, pc);
  check_heap(address, size, is_write, pc);
  check_access(address, size, is_write, self->block_depth > 0, pc);
  if (is_write) did_something();
  else saw(pc, address, load_value(p, size));
}

static void access_range(const void *p, size_t size, int is_write, uintptr_t pc) {
  if (size > 0) access_memory((void *)(uintptr_t)p, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, is_write, pc);
}

#define PLAIN(n, prefix) \
  void __tsan_##prefix##read##n(void *p) { access_memory(p, n, 0, PC); } \
  void __tsan_##prefix##write##n(void *p) { access_memory(p, n, 1, PC); } \
  void __tsan_##prefix##read_write##n(void *p) { access_memory(p, n, 0, PC); access_memory(p, n, 1, PC); }
PLAIN(1, ) PLAIN(2, ) PLAIN(4, ) PLAIN(8, ) PLAIN(16, )
PLAIN(2, unaligned_) PLAIN(4, unaligned_) PLAIN(8, unaligned_) PLAIN(16, unaligned_)
PLAIN(1, volatile_) PLAIN(2, volatile_) PLAIN(4, volatile_) PLAIN(8, volatile_) PLAIN(16, volatile_)
PLAIN(2, unaligned_volatile_) PLAIN(4, unaligned_volatile_) PLAIN(8, unaligned_volatile_) PLAIN(16, unaligned_volatile_)
void __tsan_read_range(void *p, unsigned long n) { access_range(p, n, 0, PC); }
void __tsan_write_range(void *p, unsigned long n) { access_range(p, n, 1, PC); }
/* A constructor sets the table pointer of an object that nobody else has: only a change of it is an access. */
void __tsan_vptr_update(void **p, void *value) {
  if (*p != value) access_memory(p, sizeof *p, 1, PC);
}
void __tsan_vptr_read(void **p) { access_memory(p, sizeof *p, 0, PC); }
void __tsan_init(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}

void __tsan_func_entry(void *caller) {
  if (!CONTROLLED) return;
  if (control->record > 1) note(ENTER, PC, 0, 0, (uintptr_t)caller);
  if (is_atomic_function(PC)) block_begin((uintptr_t)caller);
  if (is_ordering(PC)) self->orders_all++;
  if (is_semaphore_wait(PC)) self->at_semaphore++;
}
void __tsan_func_exit(void) {
  if (!CONTROLLED) return;
  if (is_atomic_function(PC)) block_end(PC);
  if (is_ordering(PC)) self->orders_all--;
  if (is_semaphore_wait(PC)) self->at_semaphore--;
  if (control->record > 1) note(LEAVE, PC, 0, 0, PC);
}

/* ---- atomics */

/* Waits for the turn; what the access is, an update or a failed one, shows only then. */
static void reach_atomic(enum kind kind, const volatile void *p, uint32_t size, uintptr_t pc) {
  if (!CONTROLLED) return;
  visible(kind, (uintptr_t)p, size, pc);
  check_heap((uintptr_t)p, size, kind != ATOMIC_READ, pc);
}
static void order_atomic(enum kind kind, const volatile void *p, uint32_t size, int order, uintptr_t pc) {
  if (!CONTROLLED) return;
  if (self->orders_all) order = __ATOMIC_SEQ_CST;
  check_access((uintptr_t)p, size, kind != ATOMIC_READ, 1, pc);
  synchronise_atomic((uintptr_t)p, kind != ATOMIC_WRITE, kind != ATOMIC_READ, order);
}
static void before_atomic(enum kind kind, const volatile void *p, uint32_t size, int order, uintptr_t pc) {
  if (!CONTROLLED) return;
  uintptr_t address = (uintptr_t)p;
  reach_atomic(kind, p, size, pc);
  order_atomic(kind, p, size, order, pc);
  if (kind == ATOMIC_READ) saw(pc, address, load_value((const void *)address, size));
  else if (kind == ATOMIC_WRITE) did_something();
}
static void after_update(int changed, uintptr_t pc, const volatile void *p, uint64_t seen, uint64_t now) {
  if (!CONTROLLED) return;
  if (changed) did_something();
  else saw(pc, (uintptr_t)p, seen);
  if (control->record > 1 && control->events > 0) events[control->events - 1].value = now;
}

#define UPDATE(bits, type, name, result) \
  type __tsan_atomic##bits##_##name(volatile type *p, type v, int order) { \
    before_atomic(ATOMIC_UPDATE, p, sizeof(type), order, PC); \
    type old = *p; \
    *p = (type)(result); \
    after_update(*p != old, PC, p, (uint64_t)old, (uint64_t)*p); \
    return old; \
  }
#define ATOMICS(bits, type) \
  type __tsan_atomic##bits##_load(const volatile type *p, int order) { \
    before_atomic(ATOMIC_READ, p, sizeof(type), order, PC); \
    return *p; \
  } \
  void __tsan_atomic##bits##_store(volatile type *p, type v, int order) { \
    before_atomic(ATOMIC_WRITE, p, sizeof(type), order, PC); \
    *p = v; \
    after_update(1, PC, p, 0, (uint64_t)v); \
  } \
  UPDATE(bits, type, exchange, v) UPDATE(bits, type, fetch_add, old + v) UPDATE(bits, type, fetch_sub, old - v) \
  UPDATE(bits, type, fetch_and, old & v) UPDATE(bits, type, fetch_or, old | v) UPDATE(bits, type, fetch_xor, old ^ v) \
  UPDATE(bits, type, fetch_nand, ~(old & v)) \
  static int compare_exchange##bits(volatile type *p, type *e, type v, int order, int failed, int weak, uintptr_t pc) { \
    reach_atomic(ATOMIC_UPDATE, p, sizeof(type), pc); \
    type old = *p; \
    int same = old == *e && !(weak && CONTROLLED && choose_spurious()); \
    order_atomic(same ? ATOMIC_UPDATE : ATOMIC_READ, p, sizeof(type), same ? order : failed, pc); \
    if (same) { \
      *p = v; \
      after_update(1, pc, p, 0, (uint64_t)v); \
      return 1; \
    } \
    mark_last_event(NOTHING_DONE); \
    after_update(0, pc, p, (uint64_t)old, (uint64_t)old); \
    *e = old; \
    return 0; \
  } \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *e, type v, int order, int failed) { \
    return compare_exchange##bits(p, e, v, order, failed, 0, PC); \
  } \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *e, type v, int order, int failed) { \
    return compare_exchange##bits(p, e, v, order, failed, 1, PC); \
  } \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type e, type v, int order, int failed) { \
    compare_exchange##bits(p, &e, v, order, failed, 0, PC); \
    return e; \
  }
ATOMICS(8, uint8_t) ATOMICS(16, uint16_t) ATOMICS(32, uint32_t) ATOMICS(64, uint64_t)
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 uint128;
ATOMICS(128, uint128)
#endif

void __tsan_atomic_thread_fence(int order) {
  if (!CONTROLLED) return;
  fence(order);
  self->hash = mix(self->hash, 23);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

/* ---- atomics of any size, which the compiler leaves to a library */

void heddle_atomic_load(size_t n, const void *p, void *to, int order) __asm__("__atomic_load");
INSTEAD void heddle_atomic_load(size_t n, const void *p, void *to, int order) {
  before_atomic(ATOMIC_READ, p, (uint32_t)n, order, PC);
  memcpy(to, p, n);
}
void heddle_atomic_store(size_t n, void *p, const void *from, int order) __asm__("__atomic_store");
INSTEAD void heddle_atomic_store(size_t n, void *p, const void *from, int order) {
  before_atomic(ATOMIC_WRITE, p, (uint32_t)n, order, PC);
  memcpy(p, from, n);
}
void heddle_atomic_exchange(size_t n, void *p, const void *v, void *to, int order) __asm__("__atomic_exchange");
INSTEAD void heddle_atomic_exchange(size_t n, void *p, const void *v, void *to, int order) {
  before_atomic(ATOMIC_UPDATE, p, (uint32_t)n, order, PC);
  memmove(to, p, n);
  memmove(p, v, n);
  if (CONTROLLED) did_something();
}
int heddle_atomic_compare(size_t n, void *p, void *e, const void *v, int order, int failed) __asm__("__atomic_compare_exchange");
INSTEAD int heddle_atomic_compare(size_t n, void *p, void *e, const void *v, int order, int failed) {
  reach_atomic(ATOMIC_UPDATE, p, (uint32_t)n, PC);
  int same = memcmp(p, e, n) == 0;
  order_atomic(same ? ATOMIC_UPDATE : ATOMIC_READ, p, (uint32_t)n, same ? order : failed, PC);
  memcpy(same ? p : e, same ? v : p, n);
  if (CONTROLLED && same) did_something();
  return same;
}
