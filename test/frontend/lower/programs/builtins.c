/* Builtins of the compiler that are functions of numbers. */
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
int main(void)
{
  long l; long long ll; unsigned long ul; size_t z; int r; unsigned u; int64_t x = 5;
  assert(__builtin_add_overflow(LONG_MAX, 1L, &l) && l == LONG_MIN);
  assert(!__builtin_add_overflow(LONG_MAX, -1L, &l));
  assert(__builtin_mul_overflow(LONG_MIN, -1L, &l) && l == LONG_MIN);
  assert(__builtin_mul_overflow(-1L, LONG_MIN, &l));
  assert(!__builtin_mul_overflow(-1L, LONG_MAX, &l) && l == -LONG_MAX);
  assert(__builtin_mul_overflow(1L << 40, 1L << 40, &l) && l == 0);
  assert(__builtin_sub_overflow(INT_MIN, 1, &r) && r == INT_MAX);
  assert(!__builtin_sub_overflow(-1, INT_MAX, &r) && r == INT_MIN);
  assert(__builtin_mul_overflow((size_t)-1, (size_t)2, &z));
  assert(!__builtin_mul_overflow(sizeof(int), (size_t)10, &z) && z == 40);
  assert(__builtin_uadd_overflow(UINT_MAX, 1, &u) && u == 0);
  assert(__builtin_saddll_overflow(LLONG_MAX, 1, &ll));
  assert(__builtin_add_overflow(x, 3, &x) == 0 && x == 8);
  assert(__builtin_clz(0x80000000u) == 0 && __builtin_clzll(1) == 63 && __builtin_ctzll(1ULL << 63) == 63 && __builtin_ffsl(0) == 0 && __builtin_ffsll(-8) == 4);
  assert(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap64(0x0102030405060708ULL) == 0x0807060504030201ULL);
  assert(__builtin_parityll(7ULL << 40) == 1);
  return 0;
}
