// <math.h>, <complex.h> and <tgmath.h>: families of functions, one for each floating type.
import type { Declared } from './declared.js'

const ONE =
  'acos asin atan cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 log log10 log1p log2 logb cbrt fabs sqrt ' +
  'erf erfc lgamma tgamma ceil floor nearbyint rint round trunc'
const TWO = 'atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder'
const COMPLEX = 'cacos casin catan ccos csin ctan cacosh casinh catanh ccosh csinh ctanh cexp clog csqrt conj cproj'

const TYPES = [
  ['double', ''],
  ['float', 'f'],
  ['long double', 'l'],
] as const

const each = (names: string, declare: (name: string) => string): string => names.split(' ').map(declare).join('\n')

const mathOf = ([type, suffix]: (typeof TYPES)[number]): string => `
${each(ONE, (name) => `${type} ${name}${suffix}(${type});`)}
${each(TWO, (name) => `${type} ${name}${suffix}(${type}, ${type});`)}
${type} fma${suffix}(${type}, ${type}, ${type});
${type} frexp${suffix}(${type}, int *);
${type} ldexp${suffix}(${type}, int);
${type} modf${suffix}(${type}, ${type} *);
${type} nan${suffix}(const char *);
${type} nexttoward${suffix}(${type}, long double);
${type} remquo${suffix}(${type}, ${type}, int *);
${type} scalbn${suffix}(${type}, int);
${type} scalbln${suffix}(${type}, long);
int ilogb${suffix}(${type});
long lrint${suffix}(${type});
long lround${suffix}(${type});
long long llrint${suffix}(${type});
long long llround${suffix}(${type});`

const complexOf = ([type, suffix]: (typeof TYPES)[number]): string => `
${each(COMPLEX, (name) => `${type} _Complex ${name}${suffix}(${type} _Complex);`)}
${each('cabs carg creal cimag', (name) => `${type} ${name}${suffix}(${type} _Complex);`)}
${type} _Complex cpow${suffix}(${type} _Complex, ${type} _Complex);`

/** Real functions only. */
const generic = (name: string, parameters: string): string =>
  `#define ${name}(${parameters}) _Generic((${parameters.replace(', ', ') + (')}), float: ${name}f, long double: ${name}l, default: ${name})(${parameters})`

export const MATHEMATICS: Readonly<Record<string, Declared>> = {
  'math.h': {
    text: `
typedef float float_t;
typedef double double_t;
#define HUGE_VALF (__builtin_inff())
#define HUGE_VALL (__builtin_infl())
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling 3
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define signbit(number) __builtin_signbit(number)
#define isnormal(number) (fpclassify(number) == FP_NORMAL)
#define fpclassify(number) \\
  __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, number)
#define isgreater(a, b) ((a) > (b))
#define isgreaterequal(a, b) ((a) >= (b))
#define isless(a, b) ((a) < (b))
#define islessequal(a, b) ((a) <= (b))
#define islessgreater(a, b) ((a) < (b) || (a) > (b))
#define isunordered(a, b) ((a) != (a) || (b) != (b))
extern int signgam;
double j0(double);
double j1(double);
double jn(int, double);
double y0(double);
double y1(double);
double yn(int, double);
${TYPES.map(mathOf).join('')}`,
  },
  'complex.h': {
    text: `
#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I
#define CMPLX(x, y) ((double _Complex)((double)(x) + _Complex_I * (double)(y)))
#define CMPLXF(x, y) ((float _Complex)((float)(x) + _Complex_I * (float)(y)))
${TYPES.map(complexOf).join('')}`,
  },
  'tgmath.h': {
    includes: 'math.h complex.h',
    text: [
      ...ONE.split(' ').map((name) => generic(name, 'x')),
      ...TWO.split(' ').map((name) => generic(name, 'x, y')),
    ].join('\n'),
  },
  'iso646.h': {
    constants: 'and=&& and_eq=&= bitand=& bitor=| compl=~ not=! not_eq=!= or=|| or_eq=|= xor=^ xor_eq=^=',
    text: '',
  },
}
