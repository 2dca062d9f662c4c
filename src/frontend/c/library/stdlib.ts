// <stdlib.h>. Memory comes from `__heddle_allocate`; exit and abort are intrinsics (see ALIASES). Numbers from text,
// sorting and the environment are declared and not modelled.
import { c, type LibraryPart } from './part.js'

const HEADER = c`
#ifndef _STDLIB_H
#define _STDLIB_H 1
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void free(void *);
extern void *aligned_alloc(size_t, size_t);
extern int posix_memalign(void **, size_t, size_t);
extern void abort(void) __attribute__((__noreturn__));
extern void exit(int) __attribute__((__noreturn__));
extern void _Exit(int) __attribute__((__noreturn__));
extern void quick_exit(int) __attribute__((__noreturn__));
extern int atexit(void (*)(void));
extern int abs(int);
extern long labs(long);
extern long long llabs(long long);
extern div_t div(int, int);
extern ldiv_t ldiv(long, long);
extern lldiv_t lldiv(long long, long long);
extern int rand(void);
extern void srand(unsigned int);
extern int rand_r(unsigned int *);
extern long random(void);
extern void srandom(unsigned int);
extern int atoi(const char *);
extern long atol(const char *);
extern double atof(const char *);
extern long strtol(const char *, char **, int);
extern unsigned long strtoul(const char *, char **, int);
extern long long strtoll(const char *, char **, int);
extern unsigned long long strtoull(const char *, char **, int);
extern double strtod(const char *, char **);
extern char *getenv(const char *);
extern int system(const char *);
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
extern void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
#endif
`

/** With malloc-may-fail, an allocation gives either a fresh object or NULL. */
const MODELS = c`
#include <stdlib.h>

void *malloc(size_t size)
{
  if (__heddle_option("malloc-may-fail"))
    if (__heddle_choice())
      return 0;
  return __heddle_allocate(size, 0);
}

void *calloc(size_t count, size_t size)
{
  if (size != 0 && count > (size_t)-1 / size)
    return 0;
  if (__heddle_option("malloc-may-fail"))
    if (__heddle_choice())
      return 0;
  return __heddle_allocate(count * size, 1);
}

void free(void *pointer)
{
  __heddle_free(pointer);
}

void *aligned_alloc(size_t alignment, size_t size)
{
  return malloc(size);
}

int abs(int number)
{
  return number < 0 ? -number : number;
}

long labs(long number)
{
  return number < 0 ? -number : number;
}

long long llabs(long long number)
{
  return number < 0 ? -number : number;
}

int rand(void)
{
  return (int)__heddle_nondet_range(0, RAND_MAX);
}

void srand(unsigned int seed)
{
}

int rand_r(unsigned int *seed)
{
  return (int)__heddle_nondet_range(0, RAND_MAX);
}

long random(void)
{
  return (long)__heddle_nondet_range(0, RAND_MAX);
}

void srandom(unsigned int seed)
{
}
`

export const STDLIB: LibraryPart = { headers: { 'stdlib.h': HEADER }, models: { '<heddle/stdlib.c>': MODELS } }
