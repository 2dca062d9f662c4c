/* The heap: blocks lie one after the other and are not used again at once, so that an access to freed memory, or past a
   block's end, is seen; and addresses are the same in every run. In some runs (`reuse`) a freed block is given out
   again at once, as C libraries do. */
#include "heddle.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ARENA_BYTES ((size_t)(sizeof(void *) == 8 ? 4096 : 256) << 20)
#define MAX_BLOCKS (ARENA_BYTES / 48)
#define GAP 16 /* between blocks: accesses there are past an end */
#define CLASSES 4096

struct block {
  uintptr_t start;
  size_t size, room;
  uintptr_t pc, freed_pc;
  uint32_t thread, freed_by, next;
  uint8_t freed, marked;
};
static char *arena, *arena_next;
static struct block *blocks;
static uint32_t *block_map, block_count, first_block, free_lists[CLASSES];
static volatile int heap_lock;

static void *reserve(size_t bytes) {
  void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? 0 : p;
}
static void init_heap(void) {
  if (arena) return;
  blocks = reserve(MAX_BLOCKS * sizeof *blocks);
  block_map = reserve(ARENA_BYTES / 16 * sizeof *block_map);
  arena = arena_next = reserve(ARENA_BYTES);
  if (!arena || !blocks || !block_map) {
    static const char text[] = "heddle: no address space for the heap\n";
    if (write(2, text, sizeof text - 1) < 0) _exit(79);
    _exit(79);
  }
}
/* What was allocated before belongs to the libraries. */
static void begin_heap(void) { first_block = block_count; }

static struct block *block_of(uintptr_t address) {
  if (address - (uintptr_t)arena >= (size_t)(arena_next - arena)) return 0;
  uint32_t index = block_map[(address - (uintptr_t)arena) >> 4];
  return index ? &blocks[index] : 0;
}

static void lock_heap(void) {
  while (__atomic_exchange_n(&heap_lock, 1, __ATOMIC_ACQUIRE)) {}
}
static void unlock_heap(void) { __atomic_store_n(&heap_lock, 0, __ATOMIC_RELEASE); }

static struct block *reused(size_t room) {
  if (room / 16 >= CLASSES || (!(control && control->reuse) && (size_t)(arena_next - arena) < ARENA_BYTES / 2)) return 0;
  uint32_t index = free_lists[room / 16];
  if (!index) return 0;
  free_lists[room / 16] = blocks[index].next;
  return &blocks[index];
}

/* Memory of the arena is zero before it is given out for the first time. */
static void *allocate(size_t size, size_t alignment, int is_zeroed, uintptr_t pc) {
  if (size > ARENA_BYTES / 2) return errno = ENOMEM, (void *)0;
  if (control && control->malloc_may_fail && CONTROLLED && choose_rare(16)) return errno = ENOMEM, (void *)0;
  if (!arena) init_heap();
  lock_heap();
  size_t room = ((size ? size : 1) + 15) & ~(size_t)15;
  struct block *b = alignment <= 16 ? reused(room) : 0;
  int again = b != 0;
  if (!b) {
    uintptr_t start = ((uintptr_t)arena_next + GAP + alignment - 1) & ~(uintptr_t)(alignment - 1);
    if (start + room + GAP > (uintptr_t)arena + ARENA_BYTES || block_count + 1 >= MAX_BLOCKS) {
      unlock_heap();
      return errno = ENOMEM, (void *)0;
    }
    b = &blocks[++block_count];
    b->start = start;
    b->room = room;
    for (size_t i = 0; i < room; i += 16) block_map[(start + i - (uintptr_t)arena) >> 4] = block_count;
    arena_next = (char *)(start + room);
  }
  b->size = size;
  b->pc = pc;
  b->freed = 0;
  b->thread = self ? self->id : 0;
  unlock_heap();
  if (again && self) {
    forget_accesses(b->start, room);
    forget_objects(b->start, room);
  }
  if (is_zeroed && again) memset((void *)b->start, 0, size);
  if (!is_zeroed && control && control->fill) memset((void *)b->start, (int)control->fill, size);
  if (CONTROLLED && control->record > 1) note(ALLOCATE, b->start, size, 0, pc);
  return (void *)b->start;
}

static void bad_heap_use(struct block *b, uintptr_t address, uintptr_t pc, const char *text) {
  if (b) {
    control->other_thread = b->freed ? b->freed_by : b->thread;
    control->other_pc = b->freed ? b->freed_pc : b->pc;
  }
  control->address = address;
  end_run(INVALID_ACCESS, pc, text);
}

static void release(void *p, uintptr_t pc) {
  if (!p) return;
  struct block *b = block_of((uintptr_t)p);
  if (!b || b->start != (uintptr_t)p || b->freed) {
    if (CONTROLLED && (control->checks & CHECK_ACCESSES))
      bad_heap_use(b, (uintptr_t)p, pc, b && b->freed ? "double free" : "free of a pointer that is no allocated block");
    return;
  }
  if (CONTROLLED && b->size > 0) {
    note(FREE, b->start, b->size, 0, pc);
    check_access(b->start, (uint32_t)(b->size < 65536 ? b->size : 65536), 1, 0, pc);
    writes++;
  }
  lock_heap();
  b->freed = 1;
  b->freed_by = self ? self->id : 0;
  b->freed_pc = pc;
  if (b->room / 16 < CLASSES) {
    b->next = free_lists[b->room / 16];
    free_lists[b->room / 16] = (uint32_t)(b - blocks);
  }
  unlock_heap();
}

static void check_heap(uintptr_t address, uint32_t size, int is_write, uintptr_t pc) {
  /* Behind the last block, too. */
  if (!(control->checks & CHECK_ACCESSES) || address - (uintptr_t)arena >= ARENA_BYTES) return;
  struct block *b = block_of(address);
  if (!b) b = block_of(address - 16);
  if (b && !b->freed && address >= b->start && address + size <= b->start + b->size) return;
  if (b && b->freed) bad_heap_use(b, address, pc, is_write ? "write to freed memory" : "read of freed memory");
  bad_heap_use(b, address, pc, is_write ? "write outside of an allocated block" : "read outside of an allocated block");
}

/* For the runtime's own lists: never freed, never told. */
static void *malloc_own(size_t bytes) { return take(bytes); }

INSTEAD void *malloc(size_t size) { return allocate(size, 16, 0, PC); }
INSTEAD void free(void *p) { release(p, PC); }
static void *zeroed(size_t count, size_t size, uintptr_t pc) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return errno = ENOMEM, (void *)0;
  return allocate(bytes, 16, 1, pc);
}
INSTEAD void *calloc(size_t count, size_t size) { return zeroed(count, size, PC); }
INSTEAD void *realloc(void *old, size_t size) {
  struct block *b = old ? block_of((uintptr_t)old) : 0;
  if (old && size == 0) return release(old, PC), (void *)0;
  void *p = allocate(size, 16, 0, PC);
  if (!p || !old) return p;
  if (b && !b->freed) memcpy(p, old, b->size < size ? b->size : size);
  release(old, PC);
  return p;
}
INSTEAD void *reallocarray(void *old, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return errno = ENOMEM, (void *)0;
  return realloc(old, bytes);
}
INSTEAD int posix_memalign(void **result, size_t alignment, size_t size) {
  void *p = allocate(size, alignment < 16 ? 16 : alignment, 0, PC);
  if (!p) return ENOMEM;
  *result = p;
  return 0;
}
INSTEAD void *aligned_alloc(size_t alignment, size_t size) { return allocate(size, alignment < 16 ? 16 : alignment, 0, PC); }
INSTEAD void *memalign(size_t alignment, size_t size) { return allocate(size, alignment < 16 ? 16 : alignment, 0, PC); }
INSTEAD void *valloc(size_t size) { return allocate(size, 4096, 0, PC); }
INSTEAD size_t malloc_usable_size(void *p) {
  struct block *b = p ? block_of((uintptr_t)p) : 0;
  return b ? b->size : 0;
}
