/* Variable argument lists. */
#include <assert.h>
#include <stdarg.h>

struct point {
  int x, y, z;
};

static int sum_of(int count, va_list list)
{
  int sum = 0;
  while (count-- > 0)
    sum += va_arg(list, int);
  return sum;
}

static int sum(int count, ...)
{
  va_list list;
  int result;
  va_start(list, count);
  result = sum_of(count, list);
  va_end(list);
  return result;
}

static int next(va_list *list)
{
  return va_arg(*list, int);
}

static int third(int first, ...)
{
  va_list list, copy;
  int result;
  va_start(list, first);
  va_copy(copy, list);
  next(&list);
  result = 10 * next(&list) + next(&copy);
  va_end(copy);
  va_end(list);
  return result;
}

static long mixed(const char *kinds, ...)
{
  va_list list;
  long result = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i':
      result += va_arg(list, int);
      break;
    case 'l':
      result += va_arg(list, long);
      break;
    case 'd':
      result += (long)(2 * va_arg(list, double));
      break;
    case 'p':
      result += *va_arg(list, int *);
      break;
    case 's':
      result += va_arg(list, struct point).z;
      break;
    }
  va_end(list);
  return result;
}

static int recursive(int depth, ...)
{
  va_list list;
  int inner, own;
  va_start(list, depth);
  inner = depth > 0 ? recursive(depth - 1, 10 * depth) : 0;
  own = va_arg(list, int);
  va_end(list);
  return inner + own;
}

int main(void)
{
  int number = 1000;
  struct point place = { 1, 2, 3 };
  assert(sum(0) == 0 && sum(3, 1, 2, 3) == 6 && sum(2, (char)-3, (short)1) == -2);
  assert(third(0, 4, 5) == 54);
  assert(mixed("ildpsi", 1, 20L, 50.5, &number, place, 7) == 1 + 20 + 101 + 1000 + 3 + 7);
  assert(mixed("d", 1.5f) == 3);
  assert(recursive(2, 5) == 5 + 20 + 10);
  return 0;
}
