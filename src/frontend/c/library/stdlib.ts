// <stdlib.h>. Memory comes from `__heddle_allocate`; exit and abort are intrinsics (see ALIASES). Floating point from
// text and the environment are declared and not modelled.
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
extern long long atoll(const char *);
extern double atof(const char *);
extern long strtol(const char *, char **, int);
extern unsigned long strtoul(const char *, char **, int);
extern long long strtoll(const char *, char **, int);
extern unsigned long long strtoull(const char *, char **, int);
extern double strtod(const char *, char **);
extern char *getenv(const char *);
extern char *secure_getenv(const char *);
extern int setenv(const char *, const char *, int);
extern int unsetenv(const char *);
extern void *memalign(size_t, size_t);
extern void *valloc(size_t);
extern void *reallocarray(void *, size_t, size_t);
extern float strtof(const char *, char **);
extern char *realpath(const char *, char *);
extern int mkstemp(char *);
#define MB_CUR_MAX 1
extern int system(const char *);
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
extern void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
#endif
`

/**
 * With malloc-may-fail, an allocation gives either a fresh object or NULL. A program that calls realloc (the front end
 * then sets block-sizes) keeps a list of what it allocated, because realloc has to know how much there is to copy.
 */
const MODELS = c`
#include <stdlib.h>
#include <string.h>

extern void *__heddle_no_memory(void);

static struct __heddle_block { void *block; size_t size; struct __heddle_block *next; } *__heddle_blocks;

static void *__heddle_listed(void *block, size_t size)
{
  struct __heddle_block *entry = __heddle_allocate(sizeof(struct __heddle_block), 0);
  entry->block = block;
  entry->size = size;
  __heddle_atomic_begin();
  entry->next = __heddle_blocks;
  __heddle_blocks = entry;
  __heddle_atomic_end();
  return block;
}

void *malloc(size_t size)
{
  if (__heddle_option("malloc-may-fail"))
    if (__heddle_choice())
      return __heddle_no_memory();
  if (__heddle_option("block-sizes"))
    return __heddle_listed(__heddle_allocate(size, 0), size);
  return __heddle_allocate(size, 0);
}

void *calloc(size_t count, size_t size)
{
  if (size != 0 && count > (size_t)-1 / size)
    return __heddle_no_memory();
  if (__heddle_option("malloc-may-fail"))
    if (__heddle_choice())
      return __heddle_no_memory();
  if (__heddle_option("block-sizes"))
    return __heddle_listed(__heddle_allocate(count * size, 1), count * size);
  return __heddle_allocate(count * size, 1);
}

/* The block always moves: a pointer to where it was is not to be used again. */
void *realloc(void *pointer, size_t size)
{
  unsigned char *from = pointer;
  unsigned char *to;
  struct __heddle_block *entry;
  size_t old;
  size_t i;
  if (size == 0)
    __heddle_unsupported("realloc to no bytes");
  to = malloc(size);
  if (pointer == 0 || to == 0)
    return to;
  __heddle_atomic_begin();
  for (entry = __heddle_blocks; entry != 0 && entry->block != pointer; entry = entry->next)
    ;
  if (entry == 0)
    __heddle_undefined("realloc of what was not allocated");
  old = entry->size;
  __heddle_atomic_end();
  for (i = 0; i < old && i < size; i++)
    to[i] = from[i];
  __heddle_free(pointer);
  return to;
}

void free(void *pointer)
{
  __heddle_free(pointer);
}

/* The address is a multiple of every alignment that is modelled. */
static void *__heddle_aligned(size_t alignment, size_t size)
{
  if (alignment > 4096)
    __heddle_unsupported("an alignment of more than 4096 bytes");
  if (__heddle_option("malloc-may-fail"))
    if (__heddle_choice())
      return __heddle_no_memory();
  if (alignment <= 16)
    return malloc(size);
  if (__heddle_option("block-sizes"))
    return __heddle_listed(__heddle_allocate_aligned(size, 0, 4096), size);
  return __heddle_allocate_aligned(size, 0, 4096);
}

void *aligned_alloc(size_t alignment, size_t size)
{
  return __heddle_aligned(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
  void *block = __heddle_aligned(alignment, size);
  if (block == 0)
    return 12;
  *result = block;
  return 0;
}

void *memalign(size_t alignment, size_t size)
{
  return __heddle_aligned(alignment, size);
}

void *valloc(size_t size)
{
  return __heddle_aligned(4096, size);
}

void *reallocarray(void *pointer, size_t count, size_t size)
{
  if (size != 0 && count > (size_t)-1 / size)
    return __heddle_no_memory();
  return realloc(pointer, count * size);
}

#define VARIABLES 4

/* Which values there are in the world is not known; these are what programs ask for. A variable keeps its value. */
static const char *__heddle_names[VARIABLES];
static char *__heddle_settings[VARIABLES];
static int __heddle_variables;

char *getenv(const char *name)
{
  char *value = 0;
  int i;
  __heddle_note("a variable of the environment is not set, empty or 1");
  __heddle_atomic_begin();
  for (i = 0; i < __heddle_variables; i++) {
    if (strcmp(__heddle_names[i], name) == 0)
      break;
  }
  if (i == VARIABLES)
    __heddle_limit("more than 4 variables of the environment");
  if (i == __heddle_variables) {
    if (__heddle_choice())
      value = __heddle_choice() ? (char *)"" : (char *)"1";
    __heddle_names[i] = name;
    __heddle_settings[i] = value;
    __heddle_variables = i + 1;
  } else {
    value = __heddle_settings[i];
  }
  __heddle_atomic_end();
  return value;
}

char *secure_getenv(const char *name)
{
  return getenv(name);
}

int setenv(const char *name, const char *value, int overwrite)
{
  __heddle_unsupported("a change of the environment");
  return 0;
}

int unsetenv(const char *name)
{
  __heddle_unsupported("a change of the environment");
  return 0;
}

int system(const char *command)
{
  return __heddle_nondet_int();
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

/* C11 7.22.2.1, and POSIX's list of functions that need not be safe: they race with each other. */
static unsigned int __heddle_random;

int rand(void)
{
  if (__heddle_option("races"))
    __heddle_random = 1;
  return (int)__heddle_nondet_range(0, RAND_MAX);
}

void srand(unsigned int seed)
{
  if (__heddle_option("races"))
    __heddle_random = seed;
}

int rand_r(unsigned int *seed)
{
  return (int)__heddle_nondet_range(0, RAND_MAX);
}

long lrand48(void)
{
  return (long)__heddle_nondet_range(0, RAND_MAX);
}

void srand48(long seed)
{
}

div_t div(int number, int divisor)
{
  div_t result = { number / divisor, number % divisor };
  return result;
}

ldiv_t ldiv(long number, long divisor)
{
  ldiv_t result = { number / divisor, number % divisor };
  return result;
}

long random(void)
{
  return (long)__heddle_nondet_range(0, RAND_MAX);
}

void srandom(unsigned int seed)
{
}
`

const NUMBERS = c`
#include <stdlib.h>
#include <errno.h>
#include <limits.h>

/* The digit's value, or 36 for what is none. */
static int __heddle_digit(char letter)
{
  if (letter >= '0' && letter <= '9')
    return letter - '0';
  if (letter >= 'a' && letter <= 'z')
    return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'Z')
    return letter - 'A' + 10;
  return 36;
}

/* The number's size is saturated; *negative is its sign. C11 7.22.1.4. */
static unsigned long long __heddle_number(const char *text, const char **end, int base, int *negative)
{
  const char *at = text;
  unsigned long long number = 0;
  char letter = *at;
  int any = 0;
  int digit;
  *negative = 0;
  while (letter == ' ' || (letter >= 9 && letter <= 13))
    letter = *++at;
  if (letter == '-' || letter == '+') {
    *negative = letter == '-';
    letter = *++at;
  }
  if (letter == '0' && (base == 0 || base == 16)) {
    any = 1;
    text = at + 1;
    letter = *++at;
    if ((letter == 'x' || letter == 'X') && __heddle_digit(at[1]) < 16) {
      base = 16;
      letter = *++at;
    } else if (base == 0)
      base = 8;
  }
  if (base == 0)
    base = 10;
  for (digit = __heddle_digit(letter); digit < base; digit = __heddle_digit(letter)) {
    any = 1;
    if (number > (ULLONG_MAX - digit) / base)
      number = ULLONG_MAX;
    else
      number = number * base + digit;
    letter = *++at;
  }
  *end = any ? at : text;
  return number;
}

static long long __heddle_signed(const char *text, char **end, int base, long long most)
{
  const char *after;
  int negative;
  unsigned long long number = __heddle_number(text, &after, base, &negative);
  if (end != 0)
    *end = (char *)after;
  if (number > (unsigned long long)most + negative) {
    errno = ERANGE;
    return negative ? -most - 1 : most;
  }
  return negative ? -(long long)(number - 1) - 1 : (long long)number;
}

long strtol(const char *text, char **end, int base)
{
  return (long)__heddle_signed(text, end, base, LONG_MAX);
}

long long strtoll(const char *text, char **end, int base)
{
  return __heddle_signed(text, end, base, LLONG_MAX);
}

static unsigned long long __heddle_unsigned(const char *text, char **end, int base, unsigned long long most)
{
  const char *after;
  int negative;
  unsigned long long number = __heddle_number(text, &after, base, &negative);
  if (end != 0)
    *end = (char *)after;
  if (number > most) {
    errno = ERANGE;
    return most;
  }
  return negative ? -number : number;
}

unsigned long strtoul(const char *text, char **end, int base)
{
  return (unsigned long)__heddle_unsigned(text, end, base, ULONG_MAX);
}

unsigned long long strtoull(const char *text, char **end, int base)
{
  return __heddle_unsigned(text, end, base, ULLONG_MAX);
}

int atoi(const char *text)
{
  return (int)strtol(text, 0, 10);
}

long atol(const char *text)
{
  return strtol(text, 0, 10);
}

long long atoll(const char *text)
{
  return strtoll(text, 0, 10);
}
`

/** Which elements are compared in which order is not said by C; those that are equal keep their order here. */
const SORTING = c`
#include <stdlib.h>

static void __heddle_swap(unsigned char *left, unsigned char *right, size_t size)
{
  size_t i;
  for (i = 0; i < size; i++) {
    unsigned char byte = left[i];
    left[i] = right[i];
    right[i] = byte;
  }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  unsigned char *bytes = base;
  size_t sorted;
  size_t at;
  for (sorted = 1; sorted < count; sorted++)
    for (at = sorted; at > 0 && compare(bytes + (at - 1) * size, bytes + at * size) > 0; at--)
      __heddle_swap(bytes + (at - 1) * size, bytes + at * size, size);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  const unsigned char *bytes = base;
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(key, bytes + middle * size);
    if (order == 0)
      return (void *)(bytes + middle * size);
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}
`

/**
 * What a program is called with: a name, and any number of strings of any length. Of objects with the role `argument` only
 * the beginning is modelled (xcfa/passes/memory/argument-limits.ts).
 */
const ARGUMENTS = c`
#include <stdlib.h>

static char *__heddle_argv[5];
static char *__heddle_many_arguments[64];

char **__heddle_arguments(int count, int most)
{
  char **texts;
  __heddle_note("the program is called with a name");
  __heddle_assume(count >= 1 && count <= most);
  texts = count > 4 ? __heddle_many_arguments : __heddle_argv;
  for (int i = 0; i < 4; i++) {
    if (i >= count)
      break;
    texts[i] = __heddle_allocate_argument(128, 0);
  }
  return texts;
}
`

const ALLOCA = c`
#ifndef _ALLOCA_H
#define _ALLOCA_H 1
#include <stddef.h>
extern void *alloca(size_t);
#define alloca(size) __builtin_alloca(size)
#endif
`

export const STDLIB: LibraryPart = {
  headers: { 'stdlib.h': HEADER, 'alloca.h': ALLOCA },
  models: {
    '<heddle/stdlib.c>': MODELS,
    '<heddle/numbers.c>': NUMBERS,
    '<heddle/sorting.c>': SORTING,
    '<heddle/arguments.c>': ARGUMENTS,
  },
}
