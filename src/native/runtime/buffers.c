/* What the C library reads and writes for the program: text that it formats, lines and blocks of streams, elements that it
   sorts; and the places of its own that calls share, such as strtok's. As in libc.c, the linker leads the program's calls here. */
#include "heddle.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- printing into memory */

extern int __real_vsnprintf(char *to, size_t n, const char *format, va_list list);
static void write_text(char *to, size_t room, const char *format, va_list list, uintptr_t pc) {
  if (!CONTROLLED || room == 0) return;
  va_list copy;
  va_copy(copy, list);
  int length = __real_vsnprintf(0, 0, format, copy);
  va_end(copy);
  if (length >= 0) access_range(to, (size_t)length < room ? (size_t)length + 1 : room, 1, pc);
}
extern int __wrap_vsnprintf(char *to, size_t n, const char *format, va_list list);
int __wrap_vsnprintf(char *to, size_t n, const char *format, va_list list) {
  write_text(to, n, format, list, PC);
  return __real_vsnprintf(to, n, format, list);
}
WRAP(int, vsprintf, char *to, const char *format, va_list list) {
  write_text(to, SIZE_MAX, format, list, PC);
  return __real_vsprintf(to, format, list);
}
int __wrap_snprintf(char *to, size_t n, const char *format, ...);
int __wrap_snprintf(char *to, size_t n, const char *format, ...) {
  va_list list;
  va_start(list, format);
  write_text(to, n, format, list, PC);
  int length = __real_vsnprintf(to, n, format, list);
  va_end(list);
  return length;
}
int __wrap_sprintf(char *to, const char *format, ...);
int __wrap_sprintf(char *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  write_text(to, SIZE_MAX, format, list, PC);
  int length = __real_vsprintf(to, format, list);
  va_end(list);
  return length;
}

/* ---- streams */

static size_t length_of(const char *s) { return __real_strlen(s) + 1; }
WRAP(char *, fgets, char *to, int n, FILE *file) {
  char *got = __real_fgets(to, n, file);
  if (got) access_range(got, length_of(got), 1, PC);
  return got;
}
WRAP(int, fputs, const char *s, FILE *file) {
  access_range(s, length_of(s), 0, PC);
  return __real_fputs(s, file);
}
WRAP(int, puts, const char *s) {
  access_range(s, length_of(s), 0, PC);
  return __real_puts(s);
}
WRAP(size_t, fread, void *to, size_t size, size_t n, FILE *file) {
  size_t got = __real_fread(to, size, n, file);
  access_range(to, got * size, 1, PC);
  return got;
}
WRAP(size_t, fwrite, const void *from, size_t size, size_t n, FILE *file) {
  access_range(from, n * size, 0, PC);
  return __real_fwrite(from, size, n, file);
}

/* ---- text */

WRAP(char *, strncat, char *to, const char *from, size_t n) {
  size_t added = strnlen(from, n);
  access_range(from, added, 0, PC);
  access_range(to + __real_strlen(to), added + 1, 1, PC);
  return __real_strncat(to, from, n);
}
WRAP(char *, stpcpy, char *to, const char *from) {
  access_range(from, length_of(from), 0, PC);
  access_range(to, length_of(from), 1, PC);
  return __real_stpcpy(to, from);
}
WRAP(char *, strrchr, const char *s, int c) {
  access_range(s, length_of(s), 0, PC);
  return __real_strrchr(s, c);
}
WRAP(char *, strstr, const char *s, const char *part) {
  access_range(s, length_of(s), 0, PC);
  access_range(part, length_of(part), 0, PC);
  return __real_strstr(s, part);
}
/* The block is the caller's, so that it is told if nobody frees it. */
static char *duplicate(const char *s, size_t n, size_t read, uintptr_t pc) {
  access_range(s, read, 0, pc);
  char *copy = allocate(n + 1, 16, 0, pc);
  if (!copy) return 0;
  memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}
WRAP(char *, strdup, const char *s) { return duplicate(s, __real_strlen(s), length_of(s), PC); }
WRAP(char *, strndup, const char *s, size_t n) { return duplicate(s, strnlen(s, n), strnlen(s, n), PC); }
WRAP(void, qsort, void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  access_range(base, n * size, 1, PC);
  __real_qsort(base, n, size, compare);
}

/* ---- places that calls share: two threads that use one at a time race (POSIX, 2.9.1). They have names in reports. */

#define SHARED_PLACE(label, ...) __VA_ARGS__ __asm__(label); __VA_ARGS__
SHARED_PLACE("strtok$place", char heddle_strtok_place);
SHARED_PLACE("localtime$result", struct tm heddle_time);
SHARED_PLACE("asctime$result", char heddle_time_text[64]);
SHARED_PLACE("environment$", char heddle_environment);

WRAP(char *, strtok, char *s, const char *separators) {
  access_range(&heddle_strtok_place, 1, 1, PC);
  return __real_strtok(s, separators);
}
static struct tm *shared_time(uintptr_t pc) {
  access_range(&heddle_time, sizeof heddle_time, 1, pc);
  return &heddle_time;
}
static char *shared_text(uintptr_t pc) {
  access_range(heddle_time_text, sizeof heddle_time_text, 1, pc);
  return heddle_time_text;
}
WRAP(struct tm *, localtime, const time_t *t) { return localtime_r(t, shared_time(PC)); }
WRAP(struct tm *, gmtime, const time_t *t) { return gmtime_r(t, shared_time(PC)); }
WRAP(char *, asctime, const struct tm *t) { return asctime_r(t, shared_text(PC)); }
WRAP(char *, ctime, const time_t *t) { return ctime_r(t, shared_text(PC)); }
WRAP(int, setenv, const char *name, const char *value, int again) {
  access_range(&heddle_environment, 1, 1, PC);
  return __real_setenv(name, value, again);
}
WRAP(int, unsetenv, const char *name) {
  access_range(&heddle_environment, 1, 1, PC);
  return __real_unsetenv(name);
}
WRAP(int, putenv, char *text) {
  access_range(&heddle_environment, 1, 1, PC);
  return __real_putenv(text);
}
WRAP(char *, getenv, const char *name) {
  access_range(&heddle_environment, 1, 0, PC);
  return __real_getenv(name);
}
