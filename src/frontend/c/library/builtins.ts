// Compiler builtins that are functions of numbers: counting bits, exchanging bytes, arithmetic that tells whether it
// overflowed. Without loops, so that they cost no steps; what GCC leaves undefined (the zeros of 0) is undefined here.
import { c, type LibraryPart } from './part.js'

const BITS = c`
int __builtin_popcountll(unsigned long long x)
{
  x = x - ((x >> 1) & 0x5555555555555555ULL);
  x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  return (int)((x * 0x0101010101010101ULL) >> 56);
}

int __builtin_popcount(unsigned int x)
{
  return __builtin_popcountll(x);
}

int __builtin_popcountl(unsigned long x)
{
  return __builtin_popcountll(x);
}

int __builtin_parity(unsigned int x)
{
  return __builtin_popcountll(x) & 1;
}

int __builtin_parityl(unsigned long x)
{
  return __builtin_popcountll(x) & 1;
}

int __builtin_parityll(unsigned long long x)
{
  return __builtin_popcountll(x) & 1;
}

/* The bits below the lowest one that is set. */
static int __heddle_trailing(unsigned long long x)
{
  return __builtin_popcountll((x & (0 - x)) - 1);
}

int __builtin_ctz(unsigned int x)
{
  if (x == 0)
    __heddle_undefined("__builtin_ctz of 0");
  return __heddle_trailing(x);
}

int __builtin_ctzl(unsigned long x)
{
  if (x == 0)
    __heddle_undefined("__builtin_ctzl of 0");
  return __heddle_trailing(x);
}

int __builtin_ctzll(unsigned long long x)
{
  if (x == 0)
    __heddle_undefined("__builtin_ctzll of 0");
  return __heddle_trailing(x);
}

int ffs(int x)
{
  return x == 0 ? 0 : __heddle_trailing((unsigned int)x) + 1;
}

int ffsl(long x)
{
  return x == 0 ? 0 : __heddle_trailing((unsigned long)x) + 1;
}

int ffsll(long long x)
{
  return x == 0 ? 0 : __heddle_trailing((unsigned long long)x) + 1;
}

/* Every bit below the highest one that is set becomes set, too. */
static int __heddle_length(unsigned long long x)
{
  x = x | (x >> 1);
  x = x | (x >> 2);
  x = x | (x >> 4);
  x = x | (x >> 8);
  x = x | (x >> 16);
  x = x | (x >> 32);
  return __builtin_popcountll(x);
}

int __builtin_clz(unsigned int x)
{
  if (x == 0)
    __heddle_undefined("__builtin_clz of 0");
  return 32 - __heddle_length(x);
}

int __builtin_clzl(unsigned long x)
{
  if (x == 0)
    __heddle_undefined("__builtin_clzl of 0");
  return (int)(8 * sizeof x) - __heddle_length(x);
}

int __builtin_clzll(unsigned long long x)
{
  if (x == 0)
    __heddle_undefined("__builtin_clzll of 0");
  return 64 - __heddle_length(x);
}

int __builtin_clrsbll(long long x)
{
  unsigned long long bits = (unsigned long long)(x < 0 ? ~x : x);
  return bits == 0 ? 63 : __builtin_clzll(bits) - 1;
}

int __builtin_clrsb(int x)
{
  return __builtin_clrsbll(x) - 32;
}

int __builtin_clrsbl(long x)
{
  return __builtin_clrsbll(x) - (64 - 8 * (int)sizeof(long));
}

unsigned short __builtin_bswap16(unsigned short x)
{
  return (unsigned short)((x << 8) | (x >> 8));
}

unsigned int __builtin_bswap32(unsigned int x)
{
  return (x << 24) | ((x & 0xff00U) << 8) | ((x >> 8) & 0xff00U) | (x >> 24);
}

unsigned long long __builtin_bswap64(unsigned long long x)
{
  return ((unsigned long long)__builtin_bswap32((unsigned int)x) << 32) | __builtin_bswap32((unsigned int)(x >> 32));
}
`

/** The result is what wraps; of products that wrap, dividing shows it. */
const signed = (prefix: string, type: string): string => `
_Bool __builtin_${prefix.replace('OP', 'add')}_overflow(${type} left, ${type} right, ${type} *result)
{
  ${type} sum = (${type})((unsigned ${type})left + (unsigned ${type})right);
  *result = sum;
  return ((left ^ sum) & (right ^ sum)) < 0;
}

_Bool __builtin_${prefix.replace('OP', 'sub')}_overflow(${type} left, ${type} right, ${type} *result)
{
  ${type} difference = (${type})((unsigned ${type})left - (unsigned ${type})right);
  *result = difference;
  return ((left ^ right) & (left ^ difference)) < 0;
}

_Bool __builtin_${prefix.replace('OP', 'mul')}_overflow(${type} left, ${type} right, ${type} *result)
{
  ${type} product = (${type})((unsigned ${type})left * (unsigned ${type})right);
  *result = product;
  if (right == 0 || right == 1)
    return 0;
  if (right == -1)
    return left != 0 && left == product;
  return product / right != left;
}
`

const unsigned = (prefix: string, type: string): string => `
_Bool __builtin_${prefix.replace('OP', 'add')}_overflow(unsigned ${type} left, unsigned ${type} right, unsigned ${type} *result)
{
  unsigned ${type} sum = left + right;
  *result = sum;
  return sum < left;
}

_Bool __builtin_${prefix.replace('OP', 'sub')}_overflow(unsigned ${type} left, unsigned ${type} right, unsigned ${type} *result)
{
  *result = left - right;
  return left < right;
}

_Bool __builtin_${prefix.replace('OP', 'mul')}_overflow(unsigned ${type} left, unsigned ${type} right, unsigned ${type} *result)
{
  unsigned ${type} product = left * right;
  *result = product;
  return right != 0 && product / right != left;
}
`

/**
 * Operands of any types, as gcc has it: computed as if in integers without bounds, as a sign and a magnitude. What is
 * stored are the lowest bits. `operation`: 0 adds, 1 subtracts, 2 multiplies; `width` and `isSigned` are the result's.
 */
const MIXED = `
_Bool __heddle_checked(int operation, long long left, _Bool leftSigned, long long right, _Bool rightSigned, int width,
                       _Bool isSigned, void *result)
{
  _Bool negative = leftSigned && left < 0;
  _Bool other = rightSigned && right < 0;
  unsigned long long a = negative ? 0 - (unsigned long long)left : (unsigned long long)left;
  unsigned long long b = other ? 0 - (unsigned long long)right : (unsigned long long)right;
  unsigned long long most = width == 64 ? (unsigned long long)-1 : (1ULL << width) - 1;
  unsigned long long size, bits;
  _Bool carry = 0;
  if (operation == 1)
    other = !other;
  if (operation == 2) {
    size = a * b;
    carry = a != 0 && size / a != b;
    negative = negative != other;
  } else if (negative == other) {
    size = a + b;
    carry = size < a;
  } else if (a >= b) {
    size = a - b;
  } else {
    size = b - a;
    negative = other;
  }
  bits = negative ? 0 - size : size;
  if (width <= 8)
    *(unsigned char *)result = (unsigned char)(bits & most);
  else if (width == 16)
    *(unsigned short *)result = (unsigned short)bits;
  else if (width == 32)
    *(unsigned int *)result = (unsigned int)bits;
  else
    *(unsigned long long *)result = bits;
  if (carry)
    return 1;
  if (isSigned)
    return size > (most >> 1) + (negative ? 1 : 0);
  return size > most || (negative && size != 0);
}
`

const OVERFLOWS = [
  signed('sOP', 'int'),
  signed('sOPl', 'long'),
  signed('sOPll', 'long long'),
  unsigned('uOP', 'int'),
  unsigned('uOPl', 'long'),
  unsigned('uOPll', 'long long'),
  MIXED,
].join('')

export const BUILTINS: LibraryPart = {
  headers: {},
  models: { '<heddle/bits.c>': BITS, '<heddle/overflow.c>': OVERFLOWS },
}
