// The checker's own proofs, for certificates without an argument that it follows: bounded formulas and abstraction, both
// without reduction. They agree with brute force, and prove nothing that an execution breaks.
import { expect, test } from 'vitest'
import { provedWithinBound } from '../../src/check/bounded/bounded.js'
import { endingsOf } from '../../src/check/endings.js'
import { provedByAbstraction } from '../../src/check/graph/abstraction.js'
import { Undecided } from '../../src/check/index.js'
import { errorsOf } from '../../src/property/index.js'
import { oracle } from '../../src/semantics/index.js'
import { Unsupported } from '../../src/xcfa/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import { NotExpressible } from '../../src/xcfa/terms/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'
import { generate } from '../generate/index.js'
import { libraryKinds, withSmt } from '../smt/backends.js'

const parser = await testParser()
const smt = await withSmt(libraryKinds[0]!, (loaded) => loaded)

const open = (problem: unknown): string => {
  if ([Undecided, NotExpressible, Unsupported].some((kind) => problem instanceof kind))
    return `open: ${(problem as Error).message}`
  throw problem
}

const bounded = (text: string): string => {
  const end = Date.now() + 3000
  try {
    const program = prepare(errorsOf(compileProgram(parser, text), 'assert'))
    return provedWithinBound(program, smt, { left: () => end - Date.now() }).kind
  } catch (problem) {
    return open(problem)
  }
}

const abstracted = (text: string, predicates: readonly string[] = []): string => {
  const end = Date.now() + 3000
  const stopped = (): string | undefined => (Date.now() > end ? 'time is up' : undefined)
  try {
    const program = prepare(errorsOf(compileProgram(parser, text), 'assert'))
    provedByAbstraction(program, { arithmetic: 'bv', predicates }, smt, stopped)
    return 'safe'
  } catch (problem) {
    return open(problem)
  }
}

const HEADER = `
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
`
const twoThreads = (globals: string, first: string, second: string, end = ''): string =>
  `${HEADER}${globals}
void *first(void *argument) { ${first} return 0; }
void *second(void *argument) { ${second} return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, first, 0); pthread_create(&u, 0, second, 0);
  pthread_join(t, 0); pthread_join(u, 0); ${end} return 0; }`
const inMain = (body: string): string => `${HEADER}int main(void) { ${body} return 0; }`

const MUTEX = 'pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER }; int x;'
const under = (lock: string, body: string): string =>
  `int i = __VERIFIER_nondet_int() != 0; pthread_mutex_lock(&m[${lock}]); ${body} pthread_mutex_unlock(&m[${lock}]);`
const ADD = 'int r = x; x = r + 1;'
const block = (body: string): string => `__VERIFIER_atomic_begin(); ${body} __VERIFIER_atomic_end();`

/** A name, a program, and whether its assertion always holds. */
const PROGRAMS: readonly (readonly [string, string, 'safe' | 'unsafe'])[] = [
  ['one lock', twoThreads(MUTEX, under('0', ADD), under('0', ADD), 'assert(x == 2);'), 'safe'],
  ['a lock by input', twoThreads(MUTEX, under('i', ADD), under('0', ADD), 'assert(x == 2);'), 'unsafe'],
  ['no lock', twoThreads(MUTEX, ADD, ADD, 'assert(x == 2);'), 'unsafe'],
  ['blocks', twoThreads('int x;', block(ADD), block(ADD), 'assert(x == 2);'), 'safe'],
  ['an error inside a block', twoThreads('int x;', block(`${ADD} assert(x == 1);`), block(ADD)), 'unsafe'],
  ['no error inside a block', twoThreads('int x;', block(`${ADD} assert(x == r + 1);`), block(ADD)), 'safe'],
  ['a block in two halves', twoThreads('int x;', block('x = 1; x = 2;'), 'int r = x; assert(r != 1);'), 'safe'],
  [
    'a loop inside a block',
    twoThreads('int x;', block('for (int i = 0; i < 2; i++) x++;'), 'int r = x; assert(r != 1);'),
    'safe',
  ],
  ['values after joins', twoThreads('int x, y;', 'x = 1;', 'y = 2;', 'assert(x + y == 3);'), 'safe'],
  ['values before joins', twoThreads('int x;', 'x = 1;', 'assert(x == 1);'), 'unsafe'],
  ['an order of two writes', twoThreads('int x, y;', 'x = 1; y = 1;', 'int b = y, a = x; assert(a >= b);'), 'safe'],
  ['the order of two reads', twoThreads('int x, y;', 'x = 1; y = 1;', 'int a = x, b = y; assert(a >= b);'), 'unsafe'],
  ['an input', twoThreads('int x;', 'x = __VERIFIER_nondet_int();', 'int r = x; assert(r != 77);'), 'unsafe'],
  ['a loop', twoThreads('int x;', 'for (int i = 0; i < 3; i++) x++;', '', 'assert(x == 3);'), 'safe'],
  ['a loop that goes on', twoThreads('int x;', 'for (int i = 0; i < 3; i++) x++;', '', 'assert(x < 3);'), 'unsafe'],
]

test.each(PROGRAMS)('%s', (_, text, expected) => {
  const { verdict } = oracle(compileProgram(parser, text), 'assert')
  if (verdict !== 'unknown') expect(verdict).toBe(expected === 'safe' ? 'true' : 'false')
  expect(bounded(text)).toBe(expected)
  expect(abstracted(text)).toEqual(expected === 'safe' ? 'safe' : expect.stringContaining('open: '))
})

/** Whatever is reserved may not be enough: no proof. */
const RESERVED: readonly (readonly [string, string])[] = [
  ['calloc', 'int *p = calloc(n, sizeof(int)); assert(p[0] == 0);'],
  ['malloc', 'int *p = malloc(n * sizeof(int)); p[0] = 1; assert(p[0] == 1);'],
  ['realloc', 'int *p = malloc(4); p = realloc(p, n * sizeof(int)); p[0] = 1; assert(p[0] == 1);'],
  ['an array of variable length', 'int a[n]; a[0] = 1; assert(a[0] == 1);'],
  ['more instances', 'int *p; for (int i = 0; i < n; i++) { p = malloc(sizeof(int)); *p = i; } assert(n != 7);'],
]
test.each(RESERVED)('a size that is only known at run time: %s', (_, body) => {
  const text = inMain(`int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 20000 && n <= 30000); ${body}`)
  expect(bounded(text)).toMatch(/^open|^unsafe/)
  expect(abstracted(text)).toMatch(/^open/)
})

test('predicates of others help, and are not believed', () => {
  const counter = (limit: number): string =>
    twoThreads('int x;', `while (1) { ${block('if (x < 1000) x++;')} }`, block(`assert(x <= ${limit});`))
  const program = prepare(errorsOf(compileProgram(parser, counter(1000)), 'assert'))
  const x = program.globals.find(({ source }) => source === 'x')!
  const predicates = [`(bvsle |${x.name}#${x.id}| #x000003e8)`, 'false', '(= unknown 1)', '(((']
  expect(abstracted(counter(1000), predicates)).toBe('safe')
  expect(abstracted(counter(1000))).toMatch(/^open/)
  expect(abstracted(counter(999), predicates)).toMatch(/^open/)
  // It holds at first, and not for ever.
  expect(abstracted(counter(999), [`(bvsle |${x.name}#${x.id}| #x000003e7)`])).toMatch(/^open/)
})

test('generated programs: agreement with brute force', () => {
  const counts = { bounded: 0, abstracted: 0, programs: 0 }
  for (let seed = 500; seed < 515; seed++) {
    const text = generate(seed)
    const { verdict } = oracle(compileProgram(parser, text), 'assert', { maxStates: 20_000 })
    if (verdict === 'unknown') continue
    counts.programs++
    const said = [bounded(text), abstracted(text)]
    if (verdict === 'false')
      expect([seed, ...said]).toEqual([seed, expect.not.stringMatching(/^safe/), expect.not.stringMatching(/^safe/)])
    else expect([seed, said[0]]).toEqual([seed, expect.not.stringMatching(/^unsafe/)])
    if (!said[0]!.startsWith('open')) counts.bounded++
    if (verdict === 'true' && said[1] === 'safe') counts.abstracted++
  }
  expect(counts.bounded).toBeGreaterThan(0.5 * counts.programs)
  expect(counts.abstracted).toBeGreaterThan(0)
})

const WAITS = 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x;'
const waiting = (loop: string): string => `pthread_mutex_lock(&m); ${loop} pthread_mutex_unlock(&m);`
test.each([
  ['a loop that counts', inMain('for (int i = 0; i < 5; i++);'), 'always'],
  ['a loop that goes round', inMain('unsigned char i = 1; while (i) { i += 2; }'), 'not always'],
  ['a lock that nobody releases', twoThreads(WAITS, 'pthread_mutex_lock(&m);', waiting('')), 'not always'],
  ['a wait that nobody signals', twoThreads(WAITS, waiting('pthread_cond_wait(&c, &m);'), ''), 'not always'],
  [
    'a wait that somebody signals',
    twoThreads(WAITS, waiting('while (!x) pthread_cond_wait(&c, &m);'), waiting('x = 1; pthread_cond_signal(&c);')),
    'always',
  ],
] as const)('termination: %s', (_, text, expected) => {
  expect(endingsOf(compileProgram(parser, text, 'termination'), () => undefined).kind).toBe(expected)
})
