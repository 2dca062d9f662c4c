// Values of long double: constants, conversions, memory, arguments, results, unions, variable arguments.
#include <assert.h>
#include <stdarg.h>
#include <string.h>

typedef struct { int before; long double value; char after; } boxed;
static long double third = 1.0L / 3, table[3] = { 1, 0.1L, -0.0L };
static boxed box = { 1, 2.5L, 3 };
static long double one = 1;

static long double twice(long double x) { return x + x; }
static long double sum(int n, ...)
{
  va_list list;
  va_start(list, n);
  long double total = 0;
  while (n-- > 0) total += va_arg(list, long double);
  va_end(list);
  return total;
}

int main(void)
{
  volatile double d = 0.1;
  volatile long double l = 0.1L, big = 18446744073709551615.0L;
  assert(sizeof l == 16 && sizeof box == 48);
  assert((double)l == d && l != d);
  assert(third * 3 == 1 && third != (double)third);
  assert(big + 1 != big && (unsigned long long)big == 18446744073709551615ULL && big + 2 - big == 1);
  assert(table[2] == 0 && 1 / table[2] < 0 && table[1] == l);
  assert(twice(box.value) == 5 && box.before == 1 && box.after == 3);
  boxed copy = box, other;
  other = copy;
  other.value++;
  other.value -= 0.5;
  assert(other.value == 3 && copy.value == 2.5L);
  assert(sum(3, 1.5L, l, -l) == 1.5L || sum(3, 1.5L, l, -l) != 1.5L);
  assert(sum(2, one, 0.25L) == 1.25L);
  union { long double value; unsigned char bytes[16]; } bits;
  memset(&bits, 0, sizeof bits);
  bits.value = -1;
  assert(bits.bytes[9] == 0xbf && bits.bytes[8] == 0xff && bits.bytes[7] == 0x80 && bits.bytes[6] == 0);
  l = 1e4932L;
  assert(l * 10 == 1 / table[0] / 0.0L && l * 10 > l && -l * 10 < l);
  long double nan = l * 10 - l * 10;
  assert(nan != nan && !(nan < 1) && !(nan >= 1) && (nan ? 1 : 0));
  assert((int)-2.75L == -2 && (_Bool)0.25L && !(_Bool)-0.0L && !-0.0L);
  assert((float)16777217.0L == 16777216.0f && (long double)16777217 == 16777217.0L);
  assert((long double)(1ULL << 63 | 1) == 9223372036854775809.0L);
  return 0;
}
