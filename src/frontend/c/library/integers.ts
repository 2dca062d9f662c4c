// Headers that hold types and limits only: <stddef.h>, <stdint.h>, <limits.h>, <stdarg.h> and the like. The preprocessor
// defines `__LP64__` for the data model lp64, as compilers do.
import { c, type LibraryPart } from './part.js'

const STDDEF = c`
#ifndef _STDDEF_H
#define _STDDEF_H 1
#ifdef __LP64__
typedef unsigned long size_t;
typedef long ptrdiff_t;
#else
typedef unsigned int size_t;
typedef int ptrdiff_t;
#endif
typedef int wchar_t;
typedef struct {
  long long __whole;
  double __number;
} max_align_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
`

const STDINT = c`
#ifndef _STDINT_H
#define _STDINT_H 1
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef signed char int_least8_t;
typedef short int_least16_t;
typedef int int_least32_t;
typedef unsigned char uint_least8_t;
typedef unsigned short uint_least16_t;
typedef unsigned int uint_least32_t;
typedef signed char int_fast8_t;
typedef unsigned char uint_fast8_t;
#ifdef __LP64__
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long int_least64_t;
typedef unsigned long uint_least64_t;
typedef long int_fast16_t;
typedef long int_fast32_t;
typedef long int_fast64_t;
typedef unsigned long uint_fast16_t;
typedef unsigned long uint_fast32_t;
typedef unsigned long uint_fast64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
#define INT64_C(value) value##L
#define UINT64_C(value) value##UL
#define INTMAX_C(value) value##L
#define UINTMAX_C(value) value##UL
#define INTPTR_MIN (-9223372036854775807L - 1)
#define INTPTR_MAX 9223372036854775807L
#define UINTPTR_MAX 18446744073709551615UL
#define PTRDIFF_MIN (-9223372036854775807L - 1)
#define PTRDIFF_MAX 9223372036854775807L
#define SIZE_MAX 18446744073709551615UL
#define INT_FAST16_MAX 9223372036854775807L
#define INT_FAST32_MAX 9223372036854775807L
#define UINT_FAST16_MAX 18446744073709551615UL
#define UINT_FAST32_MAX 18446744073709551615UL
#else
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef long long int_least64_t;
typedef unsigned long long uint_least64_t;
typedef int int_fast16_t;
typedef int int_fast32_t;
typedef long long int_fast64_t;
typedef unsigned int uint_fast16_t;
typedef unsigned int uint_fast32_t;
typedef unsigned long long uint_fast64_t;
typedef int intptr_t;
typedef unsigned int uintptr_t;
typedef long long intmax_t;
typedef unsigned long long uintmax_t;
#define INT64_C(value) value##LL
#define UINT64_C(value) value##ULL
#define INTMAX_C(value) value##LL
#define UINTMAX_C(value) value##ULL
#define INTPTR_MIN (-2147483647 - 1)
#define INTPTR_MAX 2147483647
#define UINTPTR_MAX 4294967295U
#define PTRDIFF_MIN (-2147483647 - 1)
#define PTRDIFF_MAX 2147483647
#define SIZE_MAX 4294967295U
#define INT_FAST16_MAX 2147483647
#define INT_FAST32_MAX 2147483647
#define UINT_FAST16_MAX 4294967295U
#define UINT_FAST32_MAX 4294967295U
#endif
#define INT8_C(value) value
#define INT16_C(value) value
#define INT32_C(value) value
#define UINT8_C(value) value
#define UINT16_C(value) value
#define UINT32_C(value) value##U
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32767 - 1)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-INT64_C(9223372036854775807) - 1)
#define INT64_MAX INT64_C(9223372036854775807)
#define UINT64_MAX UINT64_C(18446744073709551615)
#define INTMAX_MIN INT64_MIN
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX
#define INT_LEAST8_MAX INT8_MAX
#define INT_LEAST16_MAX INT16_MAX
#define INT_LEAST32_MAX INT32_MAX
#define INT_LEAST64_MAX INT64_MAX
#define UINT_LEAST8_MAX UINT8_MAX
#define UINT_LEAST16_MAX UINT16_MAX
#define UINT_LEAST32_MAX UINT32_MAX
#define UINT_LEAST64_MAX UINT64_MAX
#endif
`

const INTTYPES = c`
#ifndef _INTTYPES_H
#define _INTTYPES_H 1
#include <stdint.h>
#ifdef __LP64__
#define __HEDDLE_64 "l"
#define __HEDDLE_POINTER "l"
#else
#define __HEDDLE_64 "ll"
#define __HEDDLE_POINTER ""
#endif
#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 __HEDDLE_64 "d"
#define PRIi32 "i"
#define PRIi64 __HEDDLE_64 "i"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 __HEDDLE_64 "u"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#define PRIx64 __HEDDLE_64 "x"
#define PRIX32 "X"
#define PRIX64 __HEDDLE_64 "X"
#define PRIdMAX __HEDDLE_64 "d"
#define PRIuMAX __HEDDLE_64 "u"
#define PRIdPTR __HEDDLE_POINTER "d"
#define PRIuPTR __HEDDLE_POINTER "u"
#define PRIxPTR __HEDDLE_POINTER "x"
#define SCNd32 "d"
#define SCNd64 __HEDDLE_64 "d"
#define SCNu32 "u"
#define SCNu64 __HEDDLE_64 "u"
#endif
`

const LIMITS = c`
#ifndef _LIMITS_H
#define _LIMITS_H 1
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#ifdef __LP64__
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#else
#define LONG_MAX 2147483647L
#define ULONG_MAX 4294967295UL
#endif
#define LONG_MIN (-LONG_MAX - 1L)
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define SSIZE_MAX LONG_MAX
#define PATH_MAX 4096
#define MB_LEN_MAX 16
#endif
`

const FLOAT = c`
#ifndef _FLOAT_H
#define _FLOAT_H 1
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_EPSILON 1.1920928955078125e-07F
#define FLT_MIN 1.17549435082228750797e-38F
#define FLT_MAX 3.40282346638528859812e+38F
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#endif
`

const STDARG = c`
#ifndef _STDARG_H
#define _STDARG_H 1
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
#endif
`

const STDBOOL = c`
#ifndef _STDBOOL_H
#define _STDBOOL_H 1
#define bool _Bool
#define true 1
#define false 0
#define __bool_true_false_are_defined 1
#endif
`

export const INTEGERS: LibraryPart = {
  headers: {
    'stddef.h': STDDEF,
    'stdint.h': STDINT,
    'inttypes.h': INTTYPES,
    'limits.h': LIMITS,
    'float.h': FLOAT,
    'stdarg.h': STDARG,
    'stdbool.h': STDBOOL,
    'stdalign.h': '#define alignas _Alignas\n#define alignof _Alignof\n',
    'stdnoreturn.h': '#define noreturn _Noreturn\n',
  },
  models: {},
}
