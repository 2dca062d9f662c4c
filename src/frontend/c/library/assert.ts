// <assert.h>, and the functions of SV-COMP. What fails is an intrinsic (see ALIASES), so there is little to model.
import { NONDET_TYPES } from './intrinsics.js'
import { c, type LibraryPart } from './part.js'

/** No include guard: C lets a program include it again with another NDEBUG. */
const ASSERT_HEADER = c`
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __func__))
#endif
#ifndef _ASSERT_H
#define _ASSERT_H 1
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
#define static_assert _Static_assert
#endif
`

const MODELS = c`
void __assert_perror_fail(int error, const char *file, unsigned int line, const char *function)
{
  __heddle_assert_fail("assert_perror");
}

void __assert_rtn(const char *function, const char *file, int line, const char *expression)
{
  __heddle_assert_fail("assert");
}

void __VERIFIER_assert(int condition)
{
  if (!condition)
    __heddle_assert_fail("__VERIFIER_assert");
}

void assume_abort_if_not(int condition)
{
  __heddle_assume(condition);
}
`

const VERIFIER_HEADER = [
  '#ifndef __HEDDLE_VERIFIER',
  '#define __HEDDLE_VERIFIER',
  'extern void reach_error(void);',
  'extern void __VERIFIER_error(void);',
  'extern void __VERIFIER_assert(int);',
  'extern void __VERIFIER_assume(int);',
  'extern void assume_abort_if_not(int);',
  'extern void __VERIFIER_atomic_begin(void);',
  'extern void __VERIFIER_atomic_end(void);',
  ...Object.entries(NONDET_TYPES).map(([name, type]) => `extern ${type} __VERIFIER_nondet_${name}(void);`),
  '#endif',
  '',
].join('\n')

export const ASSERT: LibraryPart = {
  headers: { 'assert.h': ASSERT_HEADER, 'verifier.h': VERIFIER_HEADER, 'genmc.h': VERIFIER_HEADER },
  models: { '<heddle/assert.c>': MODELS },
}
