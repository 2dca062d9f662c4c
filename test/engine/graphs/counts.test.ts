// Exact numbers of executions, each derived by hand, and on generated programs by brute force: one too many is
// redundant, one too few is unsound.
import { describe, expect, it } from 'vitest'
import { decideLitmus } from '../../../src/engine/litmus/index.js'
import { parseLitmus } from '../../../src/frontend/litmus/index.js'
import { builtInModel } from '../../../src/memory-model/index.js'
import { replay } from '../../../src/semantics/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { seededChoices } from '../../generate/choices.js'
import { compileProgram } from '../../generate/harness.js'
import { weakProgram } from '../../generate/weak.js'
import { bruteForceGraphs, countsOf, type Features, randomThreads, runGraphs } from './support.js'

const parser = await testParser()

const threads = (globals: string, bodies: readonly string[]): string => {
  const functions = bodies.map((body, i) => `void *t${i}(void *p) { ${body} return 0; }`)
  const starts = bodies.map((_, i) => `pthread_t p${i}; pthread_create(&p${i}, 0, t${i}, 0);`)
  return `#include <pthread.h>\n#include <stdatomic.h>\n${globals}\n${functions.join('\n')}\nint main() { ${starts.join(' ')} return 0; }\n`
}

const numbers = (text: string, model = 'sc', duplicates = 'measure') =>
  countsOf(runGraphs(compileProgram(parser, text), model, 'assert', { duplicates }))

const repeated = (count: number, body: string): readonly string[] => new Array<string>(count).fill(body)

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1))

// The programs are written after descriptions of GenMC's tests (spin-cas2, spin-cas3, ttaslock), the numbers are GenMC's.
describe('numbers that another tool publishes', () => {
  const retries = 'int r = x; while (!atomic_compare_exchange_strong(&x, &r, 42));'
  const cas = 'int r = 0; while (!atomic_compare_exchange_strong(&x, &r, 1)) r = 0; x = 0;'
  const ttas =
    'while (1) { while (atomic_load_explicit(&x, memory_order_relaxed)); if (!atomic_exchange_explicit(&x, 1, memory_order_acquire)) break; } d = 1; atomic_store_explicit(&x, 0, memory_order_release);'
  it.each(['sc', 'tso', 'pso', 'rc11'])('a failed attempt is no execution of its own: %s', (model) => {
    expect(numbers(threads('atomic_int x;', [...repeated(3, retries), 'x = 1;']), model)).toEqual([42, 0, 0])
    expect(numbers(threads('atomic_int x;', repeated(4, cas)), model)).toEqual([24, 0, 0])
    expect(numbers(threads('atomic_int x; int d;', repeated(2, ttas)), model)).toEqual([4, 0, 0])
  })
})

// GenMC's barrier1, barrier2 and barrier3 without its special treatment of barriers (-disable-bam).
describe('barriers', () => {
  const barrier = (n: number, body: string, others: readonly string[] = []): string =>
    threads('atomic_int x; pthread_barrier_t b;', [...repeated(n, body), ...others]).replace(
      'int main() {',
      `int main() { pthread_barrier_init(&b, 0, ${n});`,
    )
  const wait = 'pthread_barrier_wait(&b);'
  const cas = 'int r = 0; while (!atomic_compare_exchange_strong(&x, &r, 1)) r = 0; x = 0;'
  it.each(['sc', 'tso', 'rc11'])('count by the order of arrivals, not of leaving: %s', (model) => {
    expect(numbers(barrier(3, wait), model)).toEqual([6, 0, 0])
    expect(numbers(barrier(4, wait), model)).toEqual([24, 0, 0])
    expect(numbers(barrier(3, wait + wait), model)).toEqual([36, 0, 0])
    expect(numbers(barrier(2, wait, repeated(2, cas)), model)).toEqual([4, 0, 0])
    expect(numbers(barrier(3, wait, repeated(3, cas)), model)).toEqual([36, 0, 0])
  })

  // Two orders of arrival, and either thread may be the serial one.
  it('count who is the serial thread if the program looks at it', () => {
    expect(numbers(barrier(2, `int r = ${wait}`))).toEqual([4, 0, 0])
    expect(numbers(barrier(2, `(void)${wait}`))).toEqual([2, 0, 0])
  })
})

describe('numbers that anybody can derive', () => {
  // Who is first gets the lock; those who fail put back what they have read.
  it.each([2, 3, 4])('a lock by test-and-set, %i threads: n! executions', (n) => {
    const body = 'while (atomic_exchange(&x, 1)); d++; x = 0;'
    expect(numbers(threads('atomic_int x; int d;', repeated(n, body)))).toEqual([factorial(n), 0, 0])
  })

  // A failed exchange writes: C11 calls that a race with a plain read, even if the value stays.
  it('a write that changes nothing still races', () => {
    const lock = 'while (__atomic_exchange_n(&x, 1, __ATOMIC_ACQUIRE));'
    const unlock = '__atomic_store_n(&x, 0, __ATOMIC_RELEASE);'
    const text = threads('int x;', [`${lock} int r = x; ${unlock}`, `${lock} ${unlock}`])
    expect(runGraphs(compileProgram(parser, text), 'sc', 'no-data-race', {}).verdict).toBe('false')
  })

  // Each increment reads from another one or from the initial value: an order of all.
  it.each([2, 3, 5, 6])('%i atomic increments have n! executions', (n) => {
    const text = threads('atomic_int x;', repeated(n, 'atomic_fetch_add(&x, 1);'))
    expect(numbers(text)).toEqual([factorial(n), 0, 0])
  })

  // Each reader sees the write or does not.
  it.each([2, 5, 9])('a writer and %i readers have 2^n executions', (n) => {
    expect(numbers(threads('int x;', ['x = 1;', ...repeated(n, 'int r = x;')]))).toEqual([2 ** n, 0, 0])
  })

  // Who is first gets the lock: an order of all, and nobody waits for ever.
  it.each([2, 3, 4])('%i critical sections have n! executions', (n) => {
    const body = 'pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);'
    expect(numbers(threads('int x; pthread_mutex_t m;', repeated(n, body)))).toEqual([factorial(n), 0, 0])
  })

  // All wait for the one write; there is nothing to choose.
  it('threads that wait for a flag do not multiply', () => {
    expect(numbers(threads('atomic_int x;', [...repeated(4, 'while (x == 0);'), 'x = 1;']))).toEqual([1, 0, 0])
  })

  // The loop ends with 0 or with 2, and the writes come in either order: four. It waits for ever if 1 is the last: one.
  it('what makes a thread wait does not multiply what lets it go', () => {
    expect(numbers(threads('int x;', ['while (x == 1);', 'x = 1;', 'x = 2;']))).toEqual([4, 1, 0])
  })

  // Each reader sees all of the write or nothing; a reader that must try again has done nothing.
  it.each(['sc', 'tso', 'rc11'])('two readers of a seqlock have 2^2 executions under %s', (model) => {
    const writer = 'seq = 1; atomic_thread_fence(memory_order_release); x = 1; y = 1; seq = 2;'
    const reader = `unsigned a, b; int r, s; do { a = seq; r = x; s = y; atomic_thread_fence(memory_order_acquire);
      b = seq; } while (a % 2 != 0 || a != b);`
    expect(numbers(threads('atomic_uint seq; atomic_int x, y;', [writer, reader, reader]), model)).toEqual([4, 0, 0])
  })

  // Each step as a whole comes before or after each other one.
  it.each([2, 3])('%i atomic steps over two locations have n! executions', (n) => {
    const declared = 'void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x, y;'
    const body = '__VERIFIER_atomic_begin(); x++; y++; __VERIFIER_atomic_end();'
    expect(numbers(threads(declared, repeated(n, body)))).toEqual([factorial(n), 0, 0])
  })

  // Four increments, two of them by threads that threads have started.
  it('threads that start threads take part', () => {
    const inner = 'atomic_int x; void *inner(void *p) { atomic_fetch_add(&x, 1); return 0; }'
    const body = 'pthread_t t; pthread_create(&t, 0, inner, 0); atomic_fetch_add(&x, 1); pthread_join(t, 0);'
    for (const model of ['sc', 'rc11']) expect(numbers(threads(inner, repeated(2, body)), model)).toEqual([24, 0, 0])
  })

  // Both readers see main's write or do not, whichever of them it started before it waited.
  it('a thread that was started has begun, also where its starter revisits another thread', () => {
    const text = `#include <pthread.h>
#include <stdatomic.h>
atomic_int x, flag;
void *reader(void *p) { int r = x; return 0; }
void *setter(void *p) { flag = 1; return 0; }
int main() { pthread_t a, b, c; pthread_create(&a, 0, reader, 0); pthread_create(&b, 0, setter, 0);
  while (!flag); pthread_create(&c, 0, reader, 0); x = 1; return 0; }`
    expect(numbers(text)).toEqual([4, 0, 0])
  })

  // One succeeds and the other sees that, or fails though it sees 0 (two each); or both fail though they see 0.
  it.each(['sc', 'rc11'])('weak compare-exchanges whose failure has another order, under %s', (model) => {
    const body =
      'int e = 0; atomic_compare_exchange_weak_explicit(&x, &e, 1, memory_order_acq_rel, memory_order_relaxed);'
    expect(numbers(threads('atomic_int x;', repeated(2, body)), model)).toEqual([5, 0, 0])
  })

  // A release that acquires where it fails: y is seen by whoever has seen the failed attempt's source, and by nobody else.
  it('the order of a weak compare-exchange is that of its outcome', () => {
    const writer =
      'atomic_store_explicit(&y, 1, memory_order_relaxed); atomic_store_explicit(&x, 1, memory_order_release);'
    const reader = (failure: string) =>
      `int e = 1; int ok = atomic_compare_exchange_weak_explicit(&x, &e, 2, memory_order_release, memory_order_${failure});
       if (!ok && e == 1) assert(atomic_load_explicit(&y, memory_order_relaxed) == 1);`
    const verdictOf = (failure: string) =>
      runGraphs(
        compileProgram(parser, threads('#include <assert.h>\natomic_int x, y;', [writer, reader(failure)])),
        'rc11',
      ).verdict
    expect([verdictOf('acquire'), verdictOf('relaxed')]).toEqual(['true', 'false'])
  })

  // Who succeeds first, who second; a compare-exchange that fails is tried again and counts for nothing.
  it('loops of compare-exchange are as good as increments', () => {
    const body = 'int old = x; while (!atomic_compare_exchange_strong(&x, &old, old + 1)) old = x;'
    expect(numbers(threads('atomic_int x;', repeated(3, body)))[2]).toBe(0)
  })
})

const W = (v: string, value: number, order: string) => `atomic_store_explicit(&${v}, ${value}, memory_order_${order});`
const R = (v: string, order: string) => `{ int r = atomic_load_explicit(&${v}, memory_order_${order}); }`

describe('litmus tests', () => {
  // Reads have two sources each where another thread writes once, coherence has two orders where two write. Of these
  // 4 (SB, MP, LB, CoRR, 2+2W) or 16 (IRIW) graphs a model forbids those with a cycle:
  //   SB  both reads see 0: sc only (rc11 and tso where both accesses are seq_cst).
  //   MP  the flag is seen and the data not: all but relaxed rc11 and pso.
  //   LB  both see the other's write: always, since (po | rf) is acyclic.
  //   IRIW readers disagree on the order of writes: all but rc11 below seq_cst.
  //   2+2W both second writes are overwritten: all but rc11 below seq_cst, and pso.
  //   CoRR the write is seen first and then not: always.
  const tests = (w: string, r: string): Readonly<Record<string, readonly string[]>> => ({
    SB: [W('x', 1, w) + R('y', r), W('y', 1, w) + R('x', r)],
    MP: [W('x', 1, w) + W('y', 1, w), R('y', r) + R('x', r)],
    LB: [R('y', r) + W('x', 1, w), R('x', r) + W('y', 1, w)],
    IRIW: [W('x', 1, w), W('y', 1, w), R('x', r) + R('y', r), R('y', r) + R('x', r)],
    '2+2W': [W('x', 1, w) + W('y', 2, w), W('y', 1, w) + W('x', 2, w)],
    CoRR: [W('x', 1, w), R('x', r) + R('x', r)],
  })
  const expected: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
    relaxed: { sc: [3, 3, 3, 15, 3, 3], tso: [4, 3, 3, 15, 3, 3], pso: [4, 4, 3, 15, 4, 3], rc11: [4, 4, 3, 16, 4, 3] },
    release: { sc: [3, 3, 3, 15, 3, 3], tso: [4, 3, 3, 15, 3, 3], pso: [4, 3, 3, 15, 3, 3], rc11: [4, 3, 3, 16, 4, 3] },
    seq_cst: { sc: [3, 3, 3, 15, 3, 3], tso: [3, 3, 3, 15, 3, 3], pso: [3, 3, 3, 15, 3, 3], rc11: [3, 3, 3, 15, 3, 3] },
  }
  for (const [order, models] of Object.entries(expected))
    for (const [model, executions] of Object.entries(models))
      it(`${order} under ${model}`, () => {
        const all = tests(order, order === 'release' ? 'acquire' : order)
        const found = Object.values(all).map((bodies) => numbers(threads('atomic_int x, y;', bodies), model))
        expect(found).toEqual(executions.map((n) => [n, 0, 0]))
      })
})

describe('generated programs over C11 atomics', () => {
  it.each(['sc', 'tso', 'pso', 'rc11'] as const)(
    'have as many executions under %s as the evaluator of CAT models finds',
    (name) => {
      const model = builtInModel(name)
      for (let seed = 0; seed < 12; seed++) {
        const { litmus, c } = weakProgram(seededChoices(seed), seed % 2 === 1)
        const parsed = parseLitmus(litmus)
        if (parsed.kind === 'wrong') throw new Error(parsed.error.message)
        const answer = decideLitmus(parsed.test, model, { expired: () => false, maxCounted: 10_000, explain: false })
        if (answer.kind === 'unknown') throw new Error(answer.reason)
        const found = numbers(c.replace(/assert\(!.*\);\n/, ''), name)
        expect({ seed, found }).toEqual({ seed, found: [answer.counts!.executions, 0, 0] })
        const { verdict } = runGraphs(compileProgram(parser, c), name)
        expect({ seed, verdict }).toEqual({ seed, verdict: answer.allowed ? 'false' : 'true' })
      }
    },
  )
})

describe('generated programs', () => {
  const kinds: readonly Features[] = [
    ...[{}, { atomics: true }, { locks: true }, { locks: true, atomics: true }],
    ...[{ blocks: true }, { blocks: true, locks: true, atomics: true }],
  ]
  it.each(kinds)('have as many executions as there are (rf, co) graphs: %o', (features) => {
    let compared = 0
    for (let seed = 0; seed < 12; seed++) {
      const raw = compileProgram(parser, randomThreads(seededChoices(seed), features))
      const brute = bruteForceGraphs(raw, 3000)
      if (!brute) continue
      compared++
      expect({ seed, found: countsOf(runGraphs(raw, 'sc')) }).toEqual({
        seed,
        found: [brute.executions, brute.blocked, 0],
      })
    }
    expect(compared).toBeGreaterThanOrEqual(10)
  })

  const waits = [{ waits: true, locks: true }, { nested: true }, { retries: true }, { retries: true, atomics: true }]
  it.each(waits)('count loops that only wait as waiting: %o', (features) => {
    for (let seed = 0; seed < 12; seed++) {
      const raw = compileProgram(parser, randomThreads(seededChoices(seed), features))
      const brute = bruteForceGraphs(raw, 3000)
      const [executions, , redundant] = countsOf(runGraphs(raw, 'sc'))
      if (brute) expect({ seed, executions, redundant }).toEqual({ seed, executions: brute.executions, redundant: 0 })
    }
  })

  // Who succeeds first, who second, who third: (t1, t2, t2), (t2, t1, t2) with either write of 1 read at first, (t2, t2, t1).
  it('attempts that fail twice are executions neither to the engine nor to brute force', () => {
    const retried = (value: string) => `{ int e = a; while (!atomic_compare_exchange_strong(&a, &e, ${value})); }`
    const raw = compileProgram(parser, threads('atomic_int a;', [retried('1'), retried('1') + retried('e + 1')]))
    expect([countsOf(runGraphs(raw, 'sc')), bruteForceGraphs(raw)?.executions]).toEqual([[4, 0, 0], 4])
  })

  // Main writes the kind of the mutex, which no call has to look at: it is 0 in every execution.
  it('a mutex that is initialised by a call has the same executions to brute force', () => {
    const body = 'pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);'
    const text = threads('int x; pthread_mutex_t m;', repeated(2, body)).replace(
      'int main() {',
      'int main() { pthread_mutex_init(&m, 0);',
    )
    const raw = compileProgram(parser, text)
    const result = runGraphs(raw, 'sc')
    expect(result).toMatchObject({ verdict: 'true', certificate: { data: { digest: bruteForceGraphs(raw)?.digest } } })
  })

  // Whoever fails inside an atomic step fails last: nobody else goes on until the step is over.
  it('replays what fails inside an atomic step', () => {
    const fails = '__VERIFIER_atomic_begin(); x = 2; assert(y == 1); __VERIFIER_atomic_end();'
    const text = threads(
      '#include <assert.h>\nvoid __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x, y, z;',
      [fails, 'z = 1;', 'y = 1; z = 2;'],
    )
    const raw = compileProgram(parser, text)
    const result = runGraphs(raw, 'sc')
    expect(result.verdict).toBe('false')
    if (result.verdict === 'false') expect(replay(raw, result.trace, 'assert').reached).toBe(true)
  })

  // What a variable still points to is not lost, in either order of the threads.
  it('goes on after memory that is not freed, and not lost', () => {
    const text = `#include <pthread.h>
#include <stdlib.h>
int *kept; int x;
void *t(void *p) { x = 1; return 0; }
int main() { pthread_t a; pthread_create(&a, 0, t, 0); kept = malloc(4); x = 2; pthread_join(a, 0); return 0; }`
    expect(runGraphs(compileProgram(parser, text), 'sc', 'valid-memsafety', {})).toMatchObject({ verdict: 'true' })
  })

  it('finds no error where a step would not be atomic', () => {
    const declared = 'void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x, y;'
    const block = (body: string) => `__VERIFIER_atomic_begin(); ${body} __VERIFIER_atomic_end();`
    const source = (reads: string) =>
      threads(`#include <assert.h>\n${declared}`, [block('x++; y++;'), block('x++; y++;'), reads])
    const verdictOf = (reads: string) => runGraphs(compileProgram(parser, source(reads)), 'sc').verdict
    expect([verdictOf(block('assert(x == y);')), verdictOf('assert(x == y);')]).toEqual(['true', 'false'])
  })

  it('takes a thread that only a spurious wake-up could wake for no proof that nobody waits for ever', () => {
    const body = 'pthread_mutex_lock(&m); if (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);'
    const text = threads('int x; pthread_mutex_t m; pthread_cond_t c;', [body])
    expect(runGraphs(compileProgram(parser, text, 'no-deadlock'), 'sc', 'no-deadlock').verdict).toBe('unknown')
  })

  // The one who was started sees the whole of the step that started it: its own handle, and how many threads there are.
  it('replays what a thread does that was just started', () => {
    const source = `#include <pthread.h>
#include <assert.h>
pthread_mutex_t m; pthread_cond_t c; pthread_t handle;
void *t(void *p) { pthread_mutex_lock(&m); pthread_cond_signal(&c); pthread_mutex_unlock(&m); assert(handle == 0); return 0; }
int main() { pthread_create(&handle, 0, t, 0); return 0; }`
    const raw = compileProgram(parser, source)
    const result = runGraphs(raw, 'sc')
    if (result.verdict !== 'false') throw new Error('not found')
    expect(replay(raw, result.trace, 'assert').reached).toBe(true)
  })

  // Work of its own at the beginning of a block is no reason for a thread to enter it and let others go on.
  it('replays an atomic block that begins with work of its own', () => {
    const source = `#include <pthread.h>
#include <assert.h>
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int x, y;
void *t(void *p) { if (y == 0) x = 1; return 0; }
int main(void) {
  pthread_t a; int r = 0;
  pthread_create(&a, 0, t, 0);
  __VERIFIER_atomic_begin(); while (r < 2) r++; y = r; __VERIFIER_atomic_end();
  pthread_join(a, 0);
  assert(x == 0);
  return 0;
}`
    const raw = compileProgram(parser, source)
    const result = runGraphs(raw, 'sc')
    if (result.verdict !== 'false') throw new Error('not found')
    expect(replay(raw, result.trace, 'assert').reached).toBe(true)
  })

  it('goes on in a loop that is one atomic step, which reads and writes', () => {
    const step = '__VERIFIER_atomic_begin(); if (x > 3) reach_error(); x++; __VERIFIER_atomic_end();'
    const declared =
      'void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void reach_error(void); int x;'
    const source = `#include <pthread.h>\n${declared} void *t(void *p) { while (1) { ${step} } return 0; }
      int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); return 0; }`
    expect(runGraphs(compileProgram(parser, source, 'unreach-call'), 'sc', 'unreach-call').verdict).toBe('false')
  })
})
