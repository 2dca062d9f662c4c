// Rules of soundness.md and semantics.md that no program of the other files here would miss: `npm run mutate` takes each
// of them out of the code and expects a failure.

import { describe, expect, test } from 'vitest'
import { ENGINES, type EngineSpec, misfit } from '../../src/engine/index.js'
import { verifyUnderMemoryModel } from '../../src/engine/weak-memory.js'
import type { Property } from '../../src/property/index.js'
import { oracle } from '../../src/semantics/index.js'
import { type Result, reportOf } from '../../src/verdict/index.js'
import { inconclusive } from '../../src/verdict/reason.js'
import type { Program } from '../../src/xcfa/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'
import { libraryKinds, withSmt } from '../smt/backends.js'

const parser = await testParser()
const smt = await withSmt(libraryKinds[0]!, (loaded) => loaded)

const HEADERS = `#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
`
const atomic = (body: string): string => `__VERIFIER_atomic_begin(); ${body} __VERIFIER_atomic_end();`

/** Threads by name and body, started in order by main, which then executes `after`. */
const program = (declarations: string, threads: Readonly<Record<string, string>>, after = ''): string => {
  const functions = Object.entries(threads).map(([name, body]) => `void *${name}(void *argument) { ${body} return 0; }`)
  const starts = Object.keys(threads).map((name) => `pthread_t t_${name}; pthread_create(&t_${name}, 0, ${name}, 0);`)
  return `${HEADERS}${declarations}\n${functions.join('\n')}\nint main(void) { ${starts.join(' ')} ${after} return 0; }`
}

/** Too long to be copied into the step before it. */
const longBranch = (condition: string): string => {
  const work = (sum: number): string => Array.from({ length: 30 }, (_, i) => `k = k * ${i + 2} + ${sum};`).join(' ')
  return `if (${condition}) { ${work(1)} } else { ${work(2)} }`
}

const SETTINGS = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
const env = () => {
  let asked = 0
  return { stopped: () => (++asked > 20_000 ? inconclusive('enough') : undefined), progress: () => {} }
}

const verdict = async (
  name: string,
  raw: Program,
  options: Readonly<Record<string, string>> = {},
  property: Property = 'assert',
): Promise<Result['verdict']> => {
  const entry = ENGINES.find((e) => e.name === name)!
  const engine = await entry.load()
  const defaults = Object.fromEntries(Object.entries(engine.options).map(([key, spec]) => [key, spec.default]))
  return engine.verify({ raw, property, settings: SETTINGS, smt }, { ...defaults, ...options }, env()).verdict
}

type Configuration = readonly [string, Readonly<Record<string, string>>]
const EXPLICIT: readonly Configuration[] = ['both', 'sleep', 'persistent'].map((por) => ['explicit', { por }])
const CEGAR: readonly Configuration[] = [['cegar', {}]]
const IMPACT: readonly Configuration[] = [['impact', {}]]
const BMC: readonly Configuration[] = [['bmc', {}]]

describe.each([
  [
    '1: a failed assumption inside an atomic block holds nobody up',
    [...EXPLICIT, ...CEGAR, ...IMPACT, ...BMC],
    'false',
    program('int x;', { stopper: atomic('x = 1; if (x) abort();'), failing: 'int r = x; assert(r == 1);' }),
  ],
  [
    '2: all of an atomic block counts, not its first edge',
    [...EXPLICIT, ...CEGAR, ...IMPACT, ...BMC],
    'false',
    program('int x, y;', {
      reader: 'int r = x; assert(r == 1);',
      writer: atomic('y = 1; int i = 0; while (i < 2) i++; x = 1;'),
    }),
  ],
  [
    '2: all of an atomic block counts, also of one that is too long for one edge',
    [...EXPLICIT, ...CEGAR, ...IMPACT],
    'false',
    program('unsigned x, y; extern _Bool __VERIFIER_nondet_bool(void);', {
      writer: `_Bool o = __VERIFIER_nondet_bool(), p = __VERIFIER_nondet_bool(), q = __VERIFIER_nondet_bool(); unsigned k = 0;
        ${atomic(`${longBranch('o')} ${longBranch('p')} ${longBranch('q')} y = k; x = 1;`)}`,
      reader: 'unsigned r = x, s = y; assert(r == 1 && s != 77);',
    }),
  ],
  [
    '2: whichever way a block took to where it is covered',
    [...EXPLICIT, ...IMPACT],
    'false',
    program('int x, y;', {
      reader: 'int r = x; assert(r == 0);',
      writer: atomic('if (__VERIFIER_nondet_int()) y = 1; else x = 1; int i = 0; while (i < 2) i++;'),
    }),
  ],
  [
    '2: the end of a thread enables a join of one with a smaller number',
    [...EXPLICIT, ...CEGAR, ...IMPACT],
    'false',
    `${HEADERS}int x, y; pthread_t b;
       void *second(void *a) { x = 1; return 0; }
       void *first(void *a) { if (y) { pthread_join(b, 0); int r = x; assert(r == 0); } return 0; }
       int main(void) { pthread_t a; pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0); y = 1; return 0; }`,
  ],
  [
    '3: a loop for ever of the thread that would come first',
    [...EXPLICIT, ...CEGAR, ...IMPACT],
    'false',
    `${HEADERS}int y; void *t(void *a) { y = 1; int r = y; assert(r == 0); return 0; }
     int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); while (1) ; return 0; }`,
  ],
  [
    '5: a state that is reached again with fewer threads asleep',
    EXPLICIT,
    'false',
    program('int x, y, z;', {
      one: 'x = 1; y = 1;',
      two: 'int r = y; if (!r) z = 1; z = 0;',
      three: 'int a = z; int b = x; if (a) assert(b == 0);',
    }),
  ],
  [
    '7: a write and the atomic block after it are two steps',
    [...EXPLICIT, ...CEGAR, ...IMPACT, ...BMC],
    'false',
    program(
      'int x, y;',
      { one: `int r = y; x = 1; ${atomic('if (r) x = 2; else x = 3;')}`, two: 'int s = x; assert(s != 1);' },
      'y = 1;',
    ),
  ],
  [
    '7: a write is seen although the local work after it stops the thread',
    [...EXPLICIT, ...CEGAR, ...IMPACT, ...BMC],
    'false',
    program(
      'int x, y = 5;',
      {
        one: 'int a[2] = {0, 0}; int i = y; x = 1; a[i] = 1; assert(a[0] + a[1] < 2);',
        two: 'int r = x; assert(r == 0);',
      },
      'y = 6;',
    ),
  ],
  [
    '7: an access that may stop its thread is a step of its own',
    [...EXPLICIT, ...CEGAR, ...IMPACT, ...BMC],
    'false',
    program('int x, y; int *p;', { one: 'x = 1; int *q = p; *q = 1;', two: 'int r = x; assert(r == 0);' }),
  ],
  [
    '9: what a cover brings to a node that still waits for its own turn',
    [...IMPACT, ['impact', { 'force-cover': 'off' }] as const],
    'false',
    program('int x, y, z;', {
      one: 'int a = x; int b = z; assert(a == 0 || b == 0);',
      two: 'if (__VERIFIER_nondet_int()) y = 1; else x = 1; z = 1; y = 0; x = 0;',
      three: 'y = 2;',
    }),
  ],
  [
    '9: a proof in which labels are strengthened after covers',
    IMPACT,
    'true',
    program(
      'int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;',
      {
        one: 'pthread_mutex_lock(&m); x++; y++; pthread_mutex_unlock(&m);',
        two: 'pthread_mutex_lock(&m); int a = x, b = y; pthread_mutex_unlock(&m); assert(a == b);',
      },
      '',
    ),
  ],
  [
    '13: an error beyond the first bound',
    BMC,
    'false',
    `${HEADERS}int main(void) { int i = 0; while (__VERIFIER_nondet_int()) i++; assert(i < 3); return 0; }`,
  ],
  [
    'overflow: what holds of integers need not hold of int',
    [...CEGAR, ...IMPACT, ...BMC],
    'false',
    program('int x;', { one: 'int v = __VERIFIER_nondet_int(); x = v + 1; int r = x; assert(r > v);' }),
  ],
] as const)('%s', (_, configurations, expected, text) => {
  test('brute force', () => {
    const found = oracle(compileProgram(parser, text), 'assert', { maxStates: 100_000 }).verdict
    // A loop of any length, or any integer: brute force may not come to an end.
    expect([expected, 'unknown']).toContain(found)
  })
  test.each(configurations as readonly Configuration[])('%s %o', async (name, options) => {
    const found = await verdict(name, compileProgram(parser, text), options)
    // Explicit search does not enumerate all integers, and not every search ends.
    expect([expected, 'unknown']).toContain(found)
    if (name === 'bmc') expect(found).toBe(expected)
  })
})

describe('6: races and deadlocks are not left to the precision', () => {
  const cegar = ENGINES.find((e) => e.name === 'cegar') as EngineSpec
  test.each(['no-data-race', 'no-deadlock'] as const)('abstraction-aware reduction for %s is refused', (property) => {
    expect(misfit(cegar, { por: 'aapor' }, property)).toContain('aapor')
  })
  test.each(['none', 'persistent', 'sleep', 'both'])(
    '1: the end of the program beside a race (por %s)',
    async (por) => {
      const text = program('int x, y, z;', { stopper: 'abort();', one: 'y = 1; x = 1;', two: 'z = 1; x = 2;' })
      expect(await verdict('explicit', compileProgram(parser, text), { por }, 'no-data-race')).toBe('false')
    },
  )
  test.each(['none', 'persistent', 'sleep', 'both'])('a race of which one side sleeps (por %s)', async (por) => {
    const text = program('int x, y, z;', { one: 'y = 1; x = 1;', two: 'z = 1; x = 2;', three: 'int r = y + z;' })
    expect(await verdict('explicit', compileProgram(parser, text), { por }, 'no-data-race')).toBe('false')
  })
})

describe('14, 15: blocks of redcomp', () => {
  const verdicts = async (text: string) => {
    const raw = compileProgram(parser, text)
    return [await verdict('redcomp', raw, { reduction: 'on' }), oracle(raw, 'assert').verdict]
  }
  test('a start is visible at once: what comes after it does not belong to the block before', async () => {
    const text = `${HEADERS}int x, y;
      void *late(void *a) { int r = x; int s = y; assert(r == 0 || s == 1); return 0; }
      int main(void) { pthread_t t; pthread_create(&t, 0, late, 0); x = 1; y = 1; return 0; }`
    expect(await verdicts(text)).toEqual(['false', 'false'])
  })
  test('a join waits: what comes before it is seen while it does', async () => {
    const text = `${HEADERS}int x;
      void *other(void *a) { int r = x; assert(r == 0); return 0; }
      int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); x = 1; pthread_join(t, 0); x = 0; return 0; }`
    expect(await verdicts(text)).toEqual(['false', 'false'])
  })
  test('a lock that somebody else releases protects nothing', async () => {
    const text = program('int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;', {
      one: 'pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m);',
      two: 'pthread_mutex_lock(&m); int r = x; pthread_mutex_unlock(&m); assert(r == 0);',
      three: 'pthread_mutex_init(&m, 0);',
    })
    expect(await verdicts(text)).toEqual(['false', 'false'])
  })
})

describe('18: a store buffer that is too short proves nothing', () => {
  test('three stores before a load, under tso', async () => {
    const text = program(
      'int a, b, c, y, r1 = 1, r2 = 1;',
      {
        one: 'a = 1; b = 1; c = 1; r1 = y;',
        two: `y = 1; ${atomic('int unused = 0; unused++;')} r2 = a;`,
      },
      'pthread_join(t_one, 0); pthread_join(t_two, 0); assert(r1 != 0 || r2 != 0);',
    )
    const engine = await ENGINES.find((e) => e.name === 'explicit')!.load()
    const defaults = Object.fromEntries(Object.entries(engine.options).map(([key, spec]) => [key, spec.default]))
    const settings = { ...SETTINGS, memoryModel: 'tso' } as const
    const task = { raw: compileProgram(parser, text), property: 'assert', settings } as const
    expect(verifyUnderMemoryModel(engine, task, defaults, env()).result.verdict).toBe('false')
  })
})

describe('a counterexample that does not replay is never FALSE', () => {
  test('a trace that ends before the error', () => {
    const raw = compileProgram(parser, `${HEADERS}int main(void) { assert(0); return 0; }`)
    const first = raw.main.edges.find((edge) => edge.source === raw.main.initial)!
    const trace = { steps: [{ thread: 0, edge: first, choices: [] }] }
    const result: Result = { verdict: 'false', trace, stats: {}, assumptions: [] }
    const report = reportOf(result, {
      ...{ raw, property: 'no-data-race', file: 'a.c', engine: 'none', options: {}, time_ms: 0 },
      ...{ memoryModel: 'sc', spuriousWakeups: true, mallocMayFail: false, notes: [] },
    })
    expect(report.verdict).toBe('unknown')
  })
})
