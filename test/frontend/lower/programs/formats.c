/* Text from formats. */
#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char text[128];

static int is(const char *expected, int length)
{
  return strcmp(text, expected) == 0 && length == (int)strlen(expected);
}

static int with(const char *format, ...)
{
  va_list list;
  int length;
  va_start(list, format);
  length = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return length;
}

int main(void)
{
  char small[4];
  assert(is("a-42 0|  7|7  |007|+7| 7|-07|-7 |00042",
            with("%s%d %i|%3d|%-3d|%03d|%+d|% d|%03d|%-3d|%.5u", "a", -42, 0, 7, 7, 7, 7, 7, -7, -7, 42u)));
  assert(is("ff FF 0xff 17 0 -9223372036854775808 18446744073709551615 12 34 -1 255 -1 65535 [ab][   c][c   ][d][]%",
            with("%x %X %#x %o %#x %ld %lu %zu %lld %hhd %hhu %hd %hu [%.2s][%*s][%-4s][%c][%.0d]%%", 255, 255, 255, 15,
                 0, LONG_MIN, ULONG_MAX, (size_t)12, 34LL, -1, -1, -1, -1, "abc", 4, "c", "c", 'd', 0)));
  assert(snprintf(small, sizeof small, "%s", "abcdef") == 6 && strcmp(small, "abc") == 0);
  small[0] = 'x';
  assert(snprintf(small, 0, "%d", 123) == 3 && small[0] == 'x');
  assert(sprintf(text, "%c%u", 'x', 3u) == 2 && strcmp(text, "x3") == 0);
  return 0;
}
