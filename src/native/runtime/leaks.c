/* Leaks at the end: blocks that no pointer leads to from global data, from a live thread's stack and thread-local data,
   or from a block that is reached. Whatever looks like a pointer into a block counts as one. */
#include "heddle.h"
#include <link.h>
#include <setjmp.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Where the program's frames begin when it has called exit(): below are our own. */
static uintptr_t leaving_frame;
static uint32_t *reached_list, reached_count;

static void scan(const void *from, const void *to) {
  uintptr_t at = ((uintptr_t)from + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
  for (; at + sizeof(void *) <= (uintptr_t)to; at += sizeof(void *)) {
    struct block *b = block_of(*(uintptr_t *)at);
    if (!b || b->freed || b->marked) continue;
    b->marked = 1;
    reached_list[reached_count++] = (uint32_t)(b - blocks);
  }
}

static int scan_library(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_W)) continue;
    const char *start = (const char *)(info->dlpi_addr + p->p_vaddr);
    scan(start, start + p->p_memsz);
  }
  return 0;
}

/* The mapping that an address lies in, from `address` on. */
static void scan_mapping(uintptr_t address, int whole) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps && __real_fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    char rights[8];
    if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3 || address < from || address >= to) continue;
    if (rights[0] == 'r' && to - from < ((unsigned long)1 << 28)) scan((void *)(whole ? from : address), (void *)to);
    break;
  }
  if (maps) fclose(maps);
}

/* Pages that the program has mapped itself; it may have taken the right to read them away. */
struct mapping { char *from, *to; struct mapping *next; };
static struct mapping *mappings;
#define PAGE 4096
#define MAX_MAPPED ((size_t)64 << 20)
/* Returns 0 if there is too much to look at. */
static int scan_own_mappings(void) {
  static uintptr_t page[PAGE / sizeof(uintptr_t)];
  size_t seen = 0;
  for (struct mapping *m = mappings; m; m = m->next)
    for (char *at = m->from; at < m->to; at += PAGE, seen += PAGE) {
      if (seen > MAX_MAPPED) return 0;
      struct iovec here = { page, PAGE }, there = { at, PAGE };
      if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) == PAGE) scan(page, page + PAGE / sizeof *page);
    }
  return 1;
}

static const char *find_leak(void) {
  static char text[256];
  jmp_buf registers;
  uint32_t live = 0;
  for (uint32_t i = first_block + 1; i <= block_count; i++) live += !blocks[i].freed && is_program_code(blocks[i].pc);
  if (live == 0) return 0;
  /* What we remember of accesses is no pointer of the program. */
  for (uint32_t i = 0; i < thread_count; i++) threads[i].object = threads[i].other = threads[i].last_write = 0;
  reached_list = take(((size_t)block_count + 1) * sizeof *reached_list);
  setjmp(registers);
  dl_iterate_phdr(scan_library, 0);
  uintptr_t frame = leaving_frame ? leaving_frame : (uintptr_t)&registers;
  if (self->id == 0) scan_mapping(frame, 0);
  else if (!threads[0].finished) scan_mapping(threads[0].frame, 0);
  scan_mapping((uintptr_t)threads[0].handle, 1);
  for (uint32_t i = 0; i < thread_count; i++) { /* A clock is large, and holds no pointers. */
    scan(&threads[i], &threads[i].clock);
    scan(&threads[i].clock + 1, &threads[i] + 1);
  }
  for (uint32_t i = 1; i < thread_count; i++)
    if (!threads[i].finished && threads[i].stack)
      scan(i == self->id ? (char *)frame : threads[i].stack + GUARD_BYTES, threads[i].stack + STACK_BYTES);
  if (!scan_own_mappings()) return 0;
  for (uint32_t i = 0; i < reached_count; i++) {
    struct block *b = &blocks[reached_list[i]];
    scan((void *)b->start, (void *)(b->start + b->size));
  }
  uint32_t lost = 0;
  size_t bytes = 0;
  struct block *first = 0;
  for (uint32_t i = first_block + 1; i <= block_count; i++) {
    if (blocks[i].freed || blocks[i].marked || !is_program_code(blocks[i].pc)) continue;
    if (!first) first = &blocks[i];
    lost++;
    bytes += blocks[i].size;
  }
  if (!first) return 0;
  control->address = first->start;
  control->thread = first->thread;
  control->pc = first->pc;
  __real_snprintf(text, sizeof text, "%u block%s of %zu bytes in all can no longer be reached", lost, lost == 1 ? "" : "s", bytes);
  return text;
}
