// Entries 11 to 13 of soundness.md: what a quick reading of peephole.txt, or of partial-order encodings, gets wrong.
import { describe, expect, test } from 'vitest'
import { interleaving } from '../../src/engine/bmc/interleaving/index.js'
import type { GirEncoding } from '../../src/engine/bmc/interleaving/peephole.js'
import { evaluate, type Term } from '../../src/logic/index.js'
import { independence, type Summary, summaryOf } from '../../src/reduction/index.js'
import { createSmt } from '../../src/smt/index.js'
import { eq, varExpr } from '../../src/xcfa/index.js'
import { createEncoding } from '../../src/xcfa/terms/index.js'
import { programOf, type Statement } from '../engine/bmc/statements.js'
import { agreement, runBmc, VARIANTS } from '../engine/bmc/support.js'
import { survivorsOf } from '../engine/bmc/survivors.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'
import { assign, assume, num, start } from '../semantics/programs.js'
import { handMade } from '../xcfa/hand.js'

const parser = await testParser()
const smt = await createSmt('auto')

const ENCODINGS: readonly GirEncoding[] = ['plain', 'merged', 'dependent']
const ENV = { stopped: () => undefined, progress: () => {} }

/** Threads by name and body, started in order by main, which then executes `after`. */
const program = (declarations: string, threads: Readonly<Record<string, string>>, after = ''): string => {
  const functions = Object.entries(threads).map(([name, body]) => `void *${name}(void *argument) { ${body} return 0; }`)
  const starts = Object.keys(threads).map((name) => `pthread_t t_${name}; pthread_create(&t_${name}, 0, ${name}, 0);`)
  const atomic = 'extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);'
  const headers = `#include <pthread.h>\n#include <assert.h>\n${atomic}\n`
  return `${headers}${declarations}\n${functions.join('\n')}\nint main(void) { ${starts.join(' ')} ${after} return 0; }`
}

const MUTEX = 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;'

const expectVerdict = (text: string, expected: 'true' | 'false') =>
  expect(agreement(parser, smt, text, VARIANTS)).toEqual({ expected, undecided: [], wrong: [] })

describe('11: the transitions taken are constrained, not what is enabled', () => {
  // At one location two edges: one that is independent of the other thread's step, and one that needs it.
  const twoEdges = () => {
    const p = handMade()
    const [x, y] = [p.global('x'), p.global('y')]
    p.template('A', (t) => {
      t.edge(t.initial, t.final, [assign(y, num(1))])
      t.edge(t.initial, t.error(), [assume(eq(varExpr(x), num(1)))])
    })
    p.template('B', (t) => {
      t.edge(t.initial, t.final, [assign(x, num(1))])
    })
    p.template('main', (t) => {
      t.edge(t.initial, t.final, [start(t.local('a'), 'A'), start(t.local('b'), 'B')])
    })
    return { ...p.program(), regions: [] }
  }
  test.each(ENCODINGS)('an enabled independent edge beside a dependent one (%s)', (girEncoding) => {
    for (const reduction of ['static', 'ppor-simple', 'ppor-full'] as const) {
      const options = { reduction, girEncoding, depth: 10 }
      expect(interleaving(twoEdges(), smt, 'bv', options, ENV).verdict).toBe('false')
    }
  })

  /** The only edge of each thread, as the relation sees it. */
  const summaries = (...statements: readonly Statement[]): readonly Summary[] => {
    const { templates } = programOf(statements.map((s) => [s]))
    const surroundings = { encoding: createEncoding('bv'), threads: statements.length + 1, heap: 0 }
    return statements.map((_, i) => {
      const template = templates.get(`T${i}`)!
      return summaryOf(template.edges[0]!, template, i + 1, surroundings)
    })
  }
  const holds = (condition: Term, values: Readonly<Record<string, bigint>>): boolean =>
    evaluate(condition, { get: (v) => values[v.name.split('#')[0]!] }) === true

  test('lock beside lock is never independent while the lock is free', () => {
    const [one, two] = summaries({ kind: 'lock' }, { kind: 'lock' })
    expect(holds(independence(one!, two!, 'full', createEncoding('bv')), { m: 0n })).toBe(false)
  })
  test('all conflicts of a pair count, not one of them', () => {
    // Both assign x the same value (rule 4b), but one also assigns what the other assigns differently.
    const [one, two] = summaries(
      { kind: 'set-all', values: { x: 1, y: 1 } },
      { kind: 'set-all', values: { x: 1, y: 2 } },
    )
    expect(holds(independence(one!, two!, 'full', createEncoding('bv')), { x: 0n, y: 0n })).toBe(false)
  })
  test('rule 4c: a condition that the assignment does not change', () => {
    const [one, two] = summaries({ kind: 'await', on: 'x', below: 10 }, { kind: 'set', target: 'x', value: 5 })
    const condition = independence(one!, two!, 'full', createEncoding('bv'))
    expect([3n, 12n].map((x) => holds(condition, { x }))).toEqual([true, false])
  })

  test('the second to lock sees what the first did', () =>
    expectVerdict(
      program(`int x; ${MUTEX}`, {
        one: 'pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m);',
        two: 'pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);',
      }),
      'false',
    ))
})

describe('12: the dependent-transition encoding', () => {
  test('mixed pairs are constrained, too', () => {
    const threads: readonly (readonly Statement[])[] = [
      [
        { kind: 'set', target: 'x', value: 1 },
        { kind: 'set', target: 'y', value: 1 },
      ],
      [
        { kind: 'set', target: 'z', value: 1 },
        { kind: 'set', target: 'x', value: 2 },
      ],
    ]
    const words = (encoding: GirEncoding) => [...survivorsOf(threads, 4, smt, 'static', encoding)].sort()
    expect(words('dependent')).toEqual(words('plain'))
    // x = 1 before or after x = 2, all else in one order.
    expect(words('dependent')).toHaveLength(2)
  })
})

describe('13: atomic blocks, prefixes, completeness', () => {
  const ATOMIC = (body: string): string => `__VERIFIER_atomic_begin(); ${body} __VERIFIER_atomic_end();`
  test('no event that is not atomic lies inside an atomic block', () =>
    expectVerdict(
      program('int x;', { one: ATOMIC('int r = x; x = r + 1; assert(x == r + 1);'), two: 'x = 5;' }),
      'true',
    ))
  test('no atomic block lies inside another', () =>
    expectVerdict(
      program('int x, y;', {
        one: ATOMIC('x = 1; y = 1; x = 0; y = 0;'),
        two: ATOMIC('assert(x == y);'),
      }),
      'true',
    ))
  test('an atomic block with a loop in it', () =>
    expectVerdict(
      program('int x, y;', {
        one: ATOMIC('for (int i = 0; i < 2; i++) { x++; y++; }'),
        two: ATOMIC('assert(x == y);'),
      }),
      'true',
    ))
  test('an atomic block with a loop in it hides what would lead to a race', () => {
    const text = program('int f, x;', {
      one: ATOMIC('f = 1; for (int i = 0; i < 2; i++) f = f + 1; f = 0;'),
      two: `int r; ${ATOMIC('r = f;')} if (r) x = 1;`,
      three: 'x = 2;',
    })
    expect(agreement(parser, smt, text, [{ encoding: 'partial-order' }], undefined, 'no-data-race')).toEqual({
      ...{ expected: 'true', undecided: [], wrong: [] },
    })
  })
  test('an iteration that counts is not left out', () =>
    expect(
      agreement(
        parser,
        smt,
        program('int x;', { one: 'int i = 0; while (x == 0) i = i + 1; assert(i < 2);', two: 'x = 1;' }),
        [{ encoding: 'partial-order' }],
      ),
    ).toEqual({ expected: 'false', undecided: [], wrong: [] }))
  test('the same without atomicity', () =>
    expectVerdict(
      program('int x, y;', { one: 'for (int i = 0; i < 2; i++) { x++; y++; }', two: ATOMIC('assert(x == y);') }),
      'false',
    ))
  test('a lock that is never free again does not hide an earlier failure', () =>
    expectVerdict(
      program(`int x; ${MUTEX}`, {
        one: 'pthread_mutex_lock(&m); x = 1;',
        two: 'assert(x == 0); pthread_mutex_lock(&m); x = 2;',
      }),
      'false',
    ))
  test('a thread that blocks for ever stops nobody else', () =>
    expectVerdict(
      program(`int x; ${MUTEX}`, { one: 'pthread_mutex_lock(&m); pthread_mutex_lock(&m);', two: 'x = 1; assert(0);' }),
      'false',
    ))
  test('deadlocked executions are complete', () =>
    expectVerdict(
      program(
        `int x; ${MUTEX} pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;`,
        {
          one: 'pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);',
          two: 'pthread_mutex_lock(&n); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);',
        },
        'pthread_join(t_one, 0); pthread_join(t_two, 0); assert(x == 2);',
      ),
      'true',
    ))
  test('join waits for the end', () =>
    expectVerdict(program('int x;', { one: 'x = 1; x = 2;' }, 'pthread_join(t_one, 0); assert(x == 2);'), 'true'))
  test('without the join it does not', () =>
    expectVerdict(program('int x;', { one: 'x = 1; x = 2;' }, 'assert(x == 2);'), 'false'))
  test('threads started by threads', () =>
    expectVerdict(
      `#include <pthread.h>
       #include <assert.h>
       int x;
       void *inner(void *a) { x = x + 1; return 0; }
       void *outer(void *a) { pthread_t t; pthread_create(&t, 0, inner, 0); pthread_join(t, 0); return 0; }
       int main(void) { pthread_t a, b; pthread_create(&a, 0, outer, 0); pthread_create(&b, 0, outer, 0);
         pthread_join(a, 0); pthread_join(b, 0); assert(x == 2); }`,
      'false',
    ))
})

test.each(['partial-order', 'interleaving'])(
  'what holds of integers is no proof where they overflow (%s)',
  (encoding) => {
    const text = program('int x; extern int __VERIFIER_nondet_int(void);', {
      one: 'int v = __VERIFIER_nondet_int(); x = v + 1; int r = x; assert(r > v);',
    })
    expect(runBmc(compileProgram(parser, text), smt, { encoding, arith: 'int' }).verdict).not.toBe('true')
    expect(runBmc(compileProgram(parser, text), smt, { encoding }).verdict).toBe('false')
  },
)
