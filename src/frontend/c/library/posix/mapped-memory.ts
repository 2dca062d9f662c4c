// <sys/mman.h>: mapped memory is allocated memory.
import { c, type LibraryPart } from '../part.js'

const MMAN = c`
#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H 1
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON 32
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_HUGETLB 0x40000
#define MAP_FAILED ((void *)-1)
#define MADV_NORMAL 0
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define MADV_HUGEPAGE 14
#define MS_SYNC 4
extern void *mmap(void *, size_t, int, int, int, off_t);
extern int munmap(void *, size_t);
extern int mprotect(void *, size_t, int);
extern int madvise(void *, size_t, int);
extern int mlock(const void *, size_t);
extern int munlock(const void *, size_t);
extern int mlockall(int);
extern int msync(void *, size_t, int);
extern int shm_open(const char *, int, mode_t);
extern int shm_unlink(const char *);
#endif
`

const MMAN_MODELS = c`
#include <sys/mman.h>

extern int __heddle_failed(void);
extern int __heddle_outcome(void);

/* Anonymous memory is zero; files hold anything. */
void *mmap(void *wanted, size_t size, int protection, int flags, int file, off_t offset)
{
  if (__heddle_choice()) {
    __heddle_failed();
    return MAP_FAILED;
  }
  if (flags & MAP_FIXED)
    __heddle_unsupported("mmap at a given address");
  return flags & MAP_ANONYMOUS ? __heddle_allocate(size, 1) : __heddle_allocate(size, 0);
}

int munmap(void *address, size_t size)
{
  __heddle_free(address);
  return 0;
}

int mprotect(void *address, size_t size, int protection)
{
  return __heddle_outcome();
}

int madvise(void *address, size_t size, int advice)
{
  if (advice == MADV_DONTNEED)
    __heddle_unsupported("madvise with MADV_DONTNEED");
  return __heddle_outcome();
}

int mlock(const void *address, size_t size)
{
  return __heddle_outcome();
}

int munlock(const void *address, size_t size)
{
  return __heddle_outcome();
}

int mlockall(int flags)
{
  return __heddle_outcome();
}
`

export const MAPPED_MEMORY: LibraryPart = {
  headers: {
    'sys/mman.h': MMAN,
  },
  models: {
    '<heddle/mman.c>': MMAN_MODELS,
  },
}
