/* Overflow builtins whose operands and result have different types: computed as if in integers without bounds.
 *
 * Verdicts: assert TRUE
 */
#include <assert.h>
#include <limits.h>

int main(void) {
  signed char narrow;
  unsigned char small;
  unsigned int word;
  int number;
  long wide;
  unsigned long large;
  assert(!__builtin_add_overflow(-1, 1u, &number) && number == 0);
  assert(!__builtin_add_overflow(-1, 4294967295u, &word) && word == 4294967294u);
  assert(__builtin_add_overflow(-2, 1u, &word) && word == 4294967295u);
  assert(__builtin_sub_overflow(1u, 2u, &small) && small == 255);
  assert(!__builtin_sub_overflow(1u, 2u, &narrow) && narrow == -1);
  assert(__builtin_mul_overflow(64u, 2u, &narrow) && narrow == -128);
  assert(!__builtin_mul_overflow(64, -2L, &narrow) && narrow == -128);
  assert(!__builtin_mul_overflow(-1L, 9223372036854775808ul, &wide) && wide == LONG_MIN);
  assert(__builtin_mul_overflow(2ul, LONG_MIN, &wide) && wide == 0);
  assert(!__builtin_sub_overflow(LONG_MAX, LONG_MIN, &large) && large == ULONG_MAX);
  assert(__builtin_add_overflow(ULONG_MAX, 1, &large) && large == 0);
  assert(!__builtin_add_overflow(ULONG_MAX, -1, &large) && large == ULONG_MAX - 1);
  assert(__builtin_classify_type(number) == 1 && __builtin_classify_type(&number) == 5);
  return 0;
}
