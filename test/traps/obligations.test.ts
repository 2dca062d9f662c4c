// What a model reserves is an obligation (soundness.md, rule 'reserve'): bytes of an allocation whose size is known at
// run time only, instances of heap objects, objects of threads. The assertions here fail in C; an engine that lets the
// object run into the next one finds that they hold. UNKNOWN has to say which obligation is open.
import { describe, expect, test } from 'vitest'
import { type Answer, mayRaceSomewhere } from '../../src/check/index.js'
import { ENGINES } from '../../src/engine/index.js'
import { errorsOf, type Property } from '../../src/property/index.js'
import type { Result } from '../../src/verdict/index.js'
import { inconclusive, TIMEOUT } from '../../src/verdict/reason.js'
import type { Program } from '../../src/xcfa/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import { threadRoom } from '../../src/xcfa/terms/index.js'
import { answerTo, certificateText } from '../check/forged.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'
import { libraryKinds, withSmt } from '../smt/backends.js'

const parser = await testParser()
const smt = await withSmt(libraryKinds[0]!, (loaded) => loaded)

const HEADERS = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
`

/** 8,000 bytes as far as C is concerned, which only the value of n says. */
const SIZE = 'int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 2000);'

/** Writes behind the first 4,096 bytes of p, where the model has the next instance; q is that instance. */
const OVERRUN = 'p[1028] = 7; p[1030] = 7; assert(q[0] == 7 || q[2] == 7);'

const twice = (allocate: string): string =>
  `int main(void) { ${SIZE} int *p = 0, *q = 0; for (int i = 0; i < 2; i++) { p = q; ${allocate} } ${OVERRUN} return 0; }`

const UNKNOWN_SIZES: readonly (readonly [string, string])[] = [
  ['calloc', twice('q = calloc(n, sizeof(int));')],
  ['malloc', twice('q = malloc(n * sizeof(int)); q[0] = 0; q[2] = 0;')],
  [
    'an array of unknown length at the end of a record',
    twice(
      'struct s { int length; int rest[]; } *r = malloc(sizeof(struct s) + n * sizeof(int)); q = (int *)r; q[0] = 0; q[2] = 0;',
    ),
  ],
  [
    'an array of variable length in two threads',
    `int n, c; int *a[2];
     void *f(void *x) { int own[n]; own[0] = 0; own[2] = 0; a[c] = own; c++; while (1) ; return 0; }
     int main(void) { n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 2000); pthread_t t, u;
       pthread_create(&t, 0, f, 0); __VERIFIER_assume(c == 1); pthread_create(&u, 0, f, 0); __VERIFIER_assume(c == 2);
       int *p = a[0], *q = a[1]; ${OVERRUN} return 0; }`,
  ],
]

/** Addresses are reserved for 16 instances of a megabyte; the 17th would lie where the next object is. */
const MANY_INSTANCES = `int main(void) { char *p = 0;
  for (int i = 0; i < 17; i++) p = malloc(1 << 20);
  char *q = malloc(1 << 20); assert(p == q); return 0; }`

const ENGINE_OPTIONS = [
  ['explicit', {}],
  ['bmc', { encoding: 'partial-order' }],
  ['bmc', { encoding: 'interleaving' }],
  ['cegar', {}],
  ['impact', {}],
  ['redcomp', { view: 'all' }],
  ['redcomp', { view: 'threads' }],
  ['commute', {}],
  ['graphs', {}],
] as const

const verify = async (
  text: string,
  name: string,
  options: Readonly<Record<string, string>>,
  settings: { readonly arith?: 'int' } = {},
  property: Property = 'assert',
): Promise<Result> => {
  const engine = await ENGINES.find((e) => e.name === name)!.load()
  const defaults = Object.fromEntries(Object.entries(engine.options).map(([key, spec]) => [key, spec.default]))
  const raw = compileProgram(parser, HEADERS + text)
  const all = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true, ...settings } as const
  const until = Date.now() + 15_000
  const env = { stopped: () => (Date.now() > until ? TIMEOUT : undefined), progress: () => {} }
  return engine.verify({ raw, property, settings: all, smt }, { ...defaults, ...options }, env)
}

describe.each(UNKNOWN_SIZES)('an allocation of unknown size: %s', (_, text) => {
  // Arrays of variable length need threads here, which the view of one thread is slow on.
  const isThreaded = text.includes('pthread_create')
  test.each(ENGINE_OPTIONS.filter(([name]) => !isThreaded || name !== 'redcomp'))('%s %o', async (name, options) => {
    const result = await verify(text, name, options)
    expect(result.verdict).not.toBe('true')
  })
})

describe('the reason is told', () => {
  const [[, calloc]] = UNKNOWN_SIZES as [readonly [string, string]]
  test.each(['bmc', 'cegar', 'impact'])('%s', async (name) => {
    const result = await verify(calloc, name, {})
    expect(result).toMatchObject({ reason: { kind: 'obligation', obligation: 'allocation-size' } })
  })
  test.each(['impact', 'cegar', 'redcomp'])('%s, with integers and overflow left open', async (name) => {
    const overflowing = calloc
      .replace('int *p', 'int m = __VERIFIER_nondet_int(); m = m + 1; int *p')
      .replace('assert(', 'assert(m == 5 || ')
    expect((await verify(calloc, name, {}, { arith: 'int' })).verdict).not.toBe('true')
    expect((await verify(overflowing, name, {}, { arith: 'int' })).verdict).not.toBe('true')
  })
})

describe('more heap objects than addresses are reserved for', () => {
  // Interpolants come too slowly for that many.
  test.each(ENGINE_OPTIONS.filter(([name]) => name !== 'impact' && name !== 'commute'))(
    '%s %o',
    async (name, options) => {
      expect((await verify(MANY_INSTANCES, name, options)).verdict).not.toBe('true')
    },
  )
})

test('realloc of a size that may be 0 is unsupported by name', () => {
  expect(() => compileProgram(parser, HEADERS + twice('q = realloc(q, n * sizeof(int));'))).toThrow(
    'realloc to no bytes',
  )
})

/** Allocators give a freed block out again at once. */
const REUSED = `int main(void) { int *p = malloc(sizeof(int)); unsigned long before = (unsigned long)p; free(p);
  int *q = malloc(sizeof(int)); assert(before != (unsigned long)q); return 0; }`

test.each(ENGINE_OPTIONS)('a freed address may come again: %s %o', async (name, options) => {
  expect((await verify(REUSED, name, options)).verdict).not.toBe('true')
})

/** Each of 66 threads, one after the other, has an array of 64 KB; addresses are reserved for those of 64. */
const MANY_THREADS = `char *last; void *f(void *x) { char own[1 << 16]; own[0] = 1; last = own; return 0; }
  int main(void) { pthread_t t; for (int i = 0; i < 66; i++) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); }
    assert(last != 0); return 0; }`

test('more threads than addresses are reserved for: explicit', async () => {
  expect(await verify(MANY_THREADS, 'explicit', {})).toMatchObject({
    verdict: 'unknown',
    reason: inconclusive('more threads than addresses are reserved for'),
  })
})

describe('a proof of a model that reserves more is none of this program', () => {
  const proof = async (text: string, reserve: (program: Program) => void): Promise<Answer> => {
    const raw = (): Program => compileProgram(parser, HEADERS + text)
    const generous = raw()
    reserve(generous)
    const engine = await ENGINES.find((e) => e.name === 'cegar')!.load()
    const defaults = Object.fromEntries(Object.entries(engine.options).map(([key, spec]) => [key, spec.default]))
    const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
    const env = { stopped: () => undefined, progress: () => {} }
    const result = engine.verify({ raw: generous, property: 'assert', settings, smt }, defaults, env)
    if (result.verdict !== 'true') throw new Error(JSON.stringify(result))
    expect(answerTo(certificateText(result.certificate), generous, 'assert', smt).kind).toBe('accepted')
    return answerTo(certificateText(result.certificate), raw(), 'assert', smt)
  }
  const heap = ({ objects }: Program): { size: number }[] =>
    objects.filter(({ storage }) => storage === 'heap') as { size: number }[]
  test('bytes', async () => {
    const text = `int main(void) { ${SIZE} int *p = calloc(n, sizeof(int)); assert(p[0] == 0); return 0; }`
    const answer = await proof(text, (program) => {
      for (const object of heap(program)) object.size = 8000
    })
    expect(answer).toMatchObject({ kind: 'rejected', place: expect.stringContaining('than is reserved') })
  })
})

test('what the model has room for is proved', async () => {
  const text = `int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0 && n < 5);
    int *p = calloc(n, sizeof(int)), *q = calloc(n, sizeof(int)); p[0] = 7; assert(q[0] == 0); return 0; }`
  for (const name of ['bmc', 'cegar', 'redcomp'])
    expect([name, (await verify(text, name, {})).verdict]).toEqual([name, 'true'])
})

test('a thread whose own objects have no address', async () => {
  const raw = compileProgram(
    parser,
    `${HEADERS} void *f(void *x) { char own[1 << 16]; own[0] = 1; *(char **)x = own; return 0; }
     int main(void) { pthread_t t; char *p; pthread_create(&t, 0, f, &p); return 0; }`,
  )
  expect(threadRoom(raw, 63).holds.value).toBe(true)
  expect(threadRoom(raw, 64).holds.value).toBe(false)
})

describe('proofs that look at no values', () => {
  const race = `int *p; void *f(void *x) { p[2000] = 1; return 0; }
    int main(void) { ${SIZE} p = malloc(2 * n * sizeof(int)); pthread_t t, u;
      pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); return 0; }`
  test('no data race, by locks', async () => {
    expect((await verify(race, 'redcomp', {}, {}, 'no-data-race')).verdict).not.toBe('true')
    const program = errorsOf(compileProgram(parser, HEADERS + race), 'no-data-race')
    expect(mayRaceSomewhere(prepare(program, { slice: false, largeBlocks: false }))).toBeDefined()
  })
  test('termination', async () => {
    const text = `int main(void) { ${SIZE} int *p = calloc(n, sizeof(int)), *q = 0;
      q = p; p = calloc(n, sizeof(int)); p[0] = 0; for (int i = 0; i < 2; i++) { p = q; q = calloc(n, sizeof(int)); }
      p[1028] = 1; while (q[0] == 0) ; return 0; }`
    expect((await verify(text, 'redcomp', {}, {}, 'termination')).verdict).not.toBe('true')
  })
})
