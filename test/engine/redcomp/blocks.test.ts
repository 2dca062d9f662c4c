// Examples 3, 4 and 5 of redcomp.txt on P1-1, its blocks and their interleavings. Where the paper has one transition for
// `y = y + a`, there are two here, a read and a write.
import { beforeAll, describe, expect, test } from 'vitest'
import { p1, p2 } from '../../../bench/redcomp/programs.js'
import { blocksOf } from '../../../src/engine/redcomp/movers-text.js'
import { reduce } from '../../../src/engine/redcomp/program/reduce.js'
import { stateSpace } from '../../../src/engine/redcomp/program/state.js'
import { stepsOf } from '../../../src/engine/redcomp/program/steps.js'
import { add, eq, intConst } from '../../../src/logic/index.js'
import { reducibleBlocks } from '../../../src/reduction/index.js'
import { createEncoding } from '../../../src/xcfa/terms/index.js'
import { type Inferred, inferred, threadsOf } from './support.js'

let program: Inferred
beforeAll(async () => {
  program = await inferred(p1(1))
}, 60_000)

const isFailure = (edge: { readonly target: { readonly kind: string } }): boolean => edge.target.kind === 'halt'

test('example 3: locks held', () => {
  const [a] = program.edges('thread1', 'a = x')
  const [lockY, lockAgain] = program.edges('thread1', 'pthread_mutex_lock(&my)')
  const [y] = program.edges('thread1', 'y = y + a')
  const [x] = program.edges('thread1', 'x = 2 * x')
  expect(program.held(program.thread('thread1').template.edges[0]!)).toEqual([])
  expect(program.held(a!)).toEqual(['mx'])
  expect(program.held(lockY!)).toEqual(['mx'])
  expect(program.held(y!)).toEqual(['mx', 'my'])
  expect(program.held(lockAgain!)).toEqual(['mx'])
  expect(program.held(x!)).toEqual(['mx'])
})

test('example 4: movers of thread 1', () => {
  const classes = { right: 0, left: 0, both: 0, non: 0 }
  for (const edge of program.thread('thread1').template.edges) {
    const mover = program.movers.of(edge)
    if (edge.sync?.kind === 'lock') expect(mover).toBe('right')
    if (edge.sync?.kind === 'unlock' && !isFailure(edge)) expect(mover).toBe('left')
    classes[mover]++
  }
  expect(classes).toMatchObject({ right: 3, left: 3, non: 0 })
})

describe('example 5: phases, In and Out', () => {
  test('thread 1 is outside at its beginning, before its second my, and at its end', () => {
    const { template } = program.thread('thread1')
    const { inside, phases } = program.blocks.get(template)!
    const second = program.edges('thread1', 'pthread_mutex_lock(&my)')[1]!
    const outside = template.locations.filter((l) => !inside.has(l) && l.kind !== 'halt')
    expect(new Set(outside)).toEqual(new Set([template.initial, second.source, template.final]))
    // The paper prints p = 1 for l6; its clauses give p = 0 (soundness.md 14).
    expect([...phases.get(second.source)!]).toEqual([0])
    expect([...phases.get(program.edges('thread1', 'a = x')[0]!.source)!]).toEqual([1])
    expect([...phases.get(program.edges('thread1', 'x = 2 * x')[0]!.source)!]).toEqual([0])
  })

  test.each(['thread2', 'thread3'])('%s is one block', (name) => {
    const { template } = program.thread(name)
    const blocks = blocksOf(template.edges, program.blocks.get(template)!.inside)
    expect(blocks.map((b) => b.begin)).toEqual([template.initial])
  })
})

/** Ways to interleave paths of single steps. */
const interleavings = (lengths: readonly number[]): number => {
  if (lengths.every((n) => n === 0)) return 1
  return lengths.reduce(
    (sum, n, i) => (n === 0 ? sum : sum + interleavings(lengths.map((m, j) => (j === i ? m - 1 : m)))),
    0,
  )
}

/** The number of steps from the beginning to the end of a thread without branches. */
const stepsToEnd = (
  edges: readonly { readonly source: unknown; readonly target: unknown }[],
  from: unknown,
  to: unknown,
): number => {
  let count = 0
  for (let at = from; at !== to; count++) at = edges.find((e) => e.source === at)!.target
  return count
}

test('four blocks, twelve interleavings', async () => {
  const reduced = reduce(await threadsOf(p1(1)))
  const lengths = reduced.threads
    .slice(1)
    .map(({ template }) => stepsToEnd(template.edges, template.initial, template.final))
  expect(lengths).toEqual([2, 1, 1])
  expect(interleavings(lengths)).toBe(12)
})

test('clause S4 on thread 2: the summary of its block', async () => {
  const reduced = reduce(await threadsOf(p1(1)))
  const space = stateSpace(reduced, createEncoding('int'))
  const thread = reduced.threads.find((t) => t.template.name.startsWith('thread2'))!
  const [step, ...others] = stepsOf(space, thread)
  const shared = (name: string) => space.shared.find(({ term }) => term.name.startsWith(name))!.term
  const [x, mx] = [shared('x#'), shared('mx.')]
  expect(others).toEqual([])
  expect(step!.guard).toBe(eq(mx, intConst(0)))
  // The value that the thread returns is stored, too: the paper's threads return none.
  const isReturned = (name: string): boolean => name.startsWith('__heddle_result')
  const visible = [...step!.changes].filter(([t]) => space.shared.some((s) => s.term === t) && !isReturned(t.name))
  expect(new Map(visible)).toEqual(
    new Map([
      [mx, intConst(0)],
      [x, add(x, intConst(2))],
    ]),
  )
})

test('an access outside its lock leaves more, smaller blocks', async () => {
  const racy = await inferred(p2(1))
  const counts = (from: Inferred, name: string): number => {
    const { template } = from.thread(name)
    return template.locations.filter((l) => !from.blocks.get(template)!.inside.has(l) && l.kind === 'plain').length
  }
  expect(counts(racy, 'thread1')).toBeGreaterThan(counts(program, 'thread1'))
  expect(counts(racy, 'thread3')).toBeGreaterThan(counts(program, 'thread3'))
  expect(counts(racy, 'thread2')).toBe(counts(program, 'thread2'))
})

test('without a lock its accesses are no movers', async () => {
  const text = p1(1).replace(/void \*thread2[^}]*}/, 'void *thread2(void *argument)\n{\n  x = x + 2;\n  return 0;\n}')
  const unlocked = await inferred(text)
  for (const [thread, start] of [
    ['thread2', 'x = x + 2'],
    ['thread1', 'a = x'],
    ['thread1', 'x = 2 * x'],
  ] as const)
    for (const edge of unlocked.edges(thread, start)) expect(unlocked.movers.of(edge)).toBe('non')
  for (const edge of unlocked.edges('thread1', 'y = y + a')) expect(unlocked.movers.of(edge)).toBe('both')
})

/** One thread that waits for the other's signal; both work on `x` under the lock. */
const WAITING = `
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *waiting(void *a)
{
  pthread_mutex_lock(&m);
  while (x == 0) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void)
{
  pthread_t t;
  pthread_create(&t, 0, waiting, 0);
  pthread_mutex_lock(&m);
  x = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}`

describe('soundness.md 15', () => {
  test('start moves left only, join right only', async () => {
    const { movers, thread } = await inferred(WAITING)
    const of = (kind: string) =>
      thread('main').template.edges.filter((edge) => edge.labels.some((label) => label.kind === kind))
    expect(of('start').map((edge) => movers.of(edge))).toEqual(['left'])
    expect(of('join').map((edge) => movers.of(edge))).toEqual(['right'])
  })

  test('waiting for a condition ends a block, whatever moves', async () => {
    const { template } = (await inferred(WAITING)).thread('waiting')
    const { inside } = reducibleBlocks(template, () => 'both')
    const waits = template.edges.filter((edge) => edge.sync?.kind === 'wait')
    expect(waits.length).toBeGreaterThan(0)
    for (const { target } of waits) expect(inside.has(target)).toBe(false)
    const [lock] = template.edges.filter((edge) => edge.sync?.kind === 'lock')
    expect(inside.has(lock!.target)).toBe(true)
  })
})
