// Headers of compilers and of the C library itself: macros, other names, and what is declared only.
import { c, type LibraryPart } from '../part.js'

const CDEFS = c`
#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H 1
#define __BEGIN_DECLS
#define __END_DECLS
#define __P(args) args
#define __CONCAT(x, y) x##y
#define __STRING(x) #x
#define __THROW
#define __nonnull(params)
#define __predict_true(condition) __builtin_expect((condition) != 0, 1)
#define __predict_false(condition) __builtin_expect((condition) != 0, 0)
#endif
`

/** Declared, so that a program that uses them is told by name what is not modelled. */
const SETJMP = c`
#ifndef _SETJMP_H
#define _SETJMP_H 1
typedef struct {
  long __state[25];
} jmp_buf[1];
typedef jmp_buf sigjmp_buf;
extern int setjmp(jmp_buf);
extern int sigsetjmp(sigjmp_buf, int);
extern void longjmp(jmp_buf, int) __attribute__((__noreturn__));
extern void siglongjmp(sigjmp_buf, int) __attribute__((__noreturn__));
#endif
`

/** What lock-free code takes from the intrinsics of x86. */
const INTRINSICS = c`
#ifndef _HEDDLE_IMMINTRIN_H
#define _HEDDLE_IMMINTRIN_H 1
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _mm_pause() ((void)0)
#define _mm_mfence() __sync_synchronize()
#define _mm_lfence() __sync_synchronize()
#define _mm_sfence() __sync_synchronize()
#define _mm_prefetch(address, hint) ((void)(address))
#endif
`

export const COMPILER_HEADERS: LibraryPart = {
  headers: {
    'sys/cdefs.h': CDEFS,
    'features.h': '#include <sys/cdefs.h>\n',
    'setjmp.h': SETJMP,
    'memory.h': '#include <string.h>\n',
    'malloc.h': '#include <stdlib.h>\n',
    'immintrin.h': INTRINSICS,
    'x86intrin.h': INTRINSICS,
    'xmmintrin.h': INTRINSICS,
    'emmintrin.h': INTRINSICS,
  },
  models: {},
}
