// What the engine graphs is compared with: brute force over interleavings that notes who reads from whom and in which
// order writes to a location come, and small programs for it.
import { graphsEngine } from '../../../src/engine/graphs/index.js'
import type { Property } from '../../../src/property/index.js'
import { errorsOf } from '../../../src/property/index.js'
import { type ConcreteAccess, interpreterOf, type State } from '../../../src/semantics/index.js'
import type { Result } from '../../../src/verdict/index.js'
import type { Program } from '../../../src/xcfa/index.js'
import { prepare } from '../../../src/xcfa/passes/index.js'
import type { Choices } from '../../generate/choices.js'

export const runGraphs = (
  raw: Program,
  memoryModel: string,
  property: Property = 'assert',
  options: Readonly<Record<string, string>> = { duplicates: 'measure' },
): Result =>
  graphsEngine.verify(
    { raw, property, settings: { arith: 'auto', solver: 'auto', memoryModel, spuriousWakeups: true } },
    options,
    { stopped: () => undefined, progress: () => {} },
  )

/** The numbers that must be exact. */
export const countsOf = ({ stats }: Result): readonly unknown[] => [
  stats['executions'],
  stats['blocked'],
  stats['explored_redundantly'],
]

export interface BruteForce {
  readonly executions: number
  readonly blocked: number
  readonly violated: boolean
}

interface Node {
  readonly state: State
  /** By thread: who started it, and as which; numbers depend on who was faster. */
  readonly names: readonly string[]
  /** By thread: for each access what it reads from, or that it writes. */
  readonly threads: readonly string[]
  /** By location: its writes in order. */
  readonly orders: ReadonlyMap<string, readonly string[]>
  /** By thread: where it has been since its last write, and what it had read by then. */
  readonly been: readonly ReadonlyMap<string, string>[]
}

const locationOf = (access: ConcreteAccess): string =>
  access.kind === 'variable' ? `v${access.variable.id}` : `m${access.address}`

/** The distinct (rf, co) graphs of complete and blocked interleavings; undefined: too many. */
export const bruteForceGraphs = (raw: Program, limit = 20_000): BruteForce | undefined => {
  const program = prepare(errorsOf(raw, 'assert'), { slice: false, largeBlocks: false, resetDead: true })
  const interpreter = interpreterOf(program)
  const seen = new Set<string>()
  const ends = { complete: new Set<string>(), blocked: new Set<string>() }
  let violated = false
  const open: Node[] = interpreter.initial().map((state) => ({
    ...{ state, names: ['0'], threads: [], orders: new Map(), been: [] },
  }))
  for (let node = open.pop(); node; node = open.pop()) {
    const { state } = node
    const byName = node.threads.map((accesses, i) => `${node.names[i]}:${accesses}`).sort()
    const graph = `${byName.join('|')};${[...node.orders]
      .map(([l, o]) => `${l}:${o.join('<')}`)
      .sort()
      .join(';')}`
    const key = `${graph}#${interpreter.key(state)}`
    if (seen.has(key)) continue
    if (seen.size > limit) return undefined
    seen.add(key)
    const successors = interpreter.successors(state)
    if (state.threads.some(({ location }) => location.kind === 'error')) violated = true
    if (successors.length === 0) {
      const isComplete = state.threads.every(
        (t) =>
          t.location.kind === 'final' ||
          t.location.kind === 'error' ||
          (t.location.kind === 'halt' && t.location.reason?.kind !== 'assume'),
      )
      ends[isComplete ? 'complete' : 'blocked'].add(graph)
    }
    for (const { step, state: next, accesses } of successors) {
      const threads = [...node.threads]
      while (threads.length < next.threads.length) threads.push('')
      const names = [...node.names]
      const own = names[step.thread]!
      while (names.length < next.threads.length)
        names.push(
          `${own}/${names.filter((n) => n.startsWith(`${own}/`) && !n.slice(own.length + 1).includes('/')).length}`,
        )
      const orders = new Map(node.orders)
      for (const access of accesses) {
        const location = locationOf(access)
        const order = orders.get(location) ?? []
        const number = threads[step.thread]!.split(',').length
        if (access.write) orders.set(location, [...order, `${own}.${number}`])
        threads[step.thread] += access.write ? 'w,' : `${order[order.length - 1] ?? 'i'},`
      }
      if (step.choices.length > 0) threads[step.thread] += `c${step.choices.join('c')},`
      // A loop that comes back without a write has done nothing.
      const been = [...node.been]
      const { location, locals } = next.threads.at(step.thread)!
      const place = `${location.id}(${locals.join()})`
      const visited = new Map(accesses.some(({ write }) => write) ? [] : (been[step.thread] ?? []))
      const before = visited.get(place)
      if (before !== undefined) threads[step.thread] = before
      been[step.thread] = visited.set(place, threads[step.thread]!)
      open.push({ state: next, names, threads, orders, been })
    }
  }
  return { executions: ends.complete.size, blocked: ends.blocked.size, violated }
}

export interface Features {
  readonly locks?: boolean
  readonly atomics?: boolean
  readonly blocks?: boolean
  readonly waits?: boolean
  /** Threads that start threads, and a main that takes part. */
  readonly nested?: boolean
}

/** A loop-free program of two or three threads. */
export const randomThreads = (choices: Choices, features: Features): string => {
  const { pick, below } = choices
  const threads = 2 + below(2)
  const variable = (): string => pick(['x', 'y', 'z'].slice(0, 2 + below(2)))
  let locals = 0
  const statement = (depth: number): string => {
    const v = variable()
    const kinds = ['write', 'read', 'copy', 'write', 'read']
    if (depth === 0) kinds.push('if', 'if')
    if (features.atomics) kinds.push('add', 'cas', 'exchange')
    if (features.locks && depth === 0) kinds.push('lock', 'lock')
    if (features.blocks) kinds.push('block', 'block', 'guarded')
    if (features.waits) kinds.push('await')
    switch (pick(kinds)) {
      case 'write':
        return `${v} = ${1 + below(2)};`
      case 'read':
        return `int r${locals++} = ${v};`
      case 'copy':
        return `${v} = ${variable()} + 1;`
      case 'if':
        return `if (${v} == ${below(2)}) { ${statement(1)} } else { ${pick(['', statement(1)])} }`
      case 'add':
        return `atomic_fetch_add(&a, 1);`
      case 'cas':
        return `{ int e = ${below(3)}; atomic_compare_exchange_strong(&a, &e, ${1 + below(2)}); }`
      case 'exchange':
        return `atomic_exchange(&b, ${1 + below(2)});`
      case 'lock':
        return `pthread_mutex_lock(&m); ${statement(1)} ${pick(['', statement(1)])} pthread_mutex_unlock(&m);`
      case 'block':
        return `__VERIFIER_atomic_begin(); ${v} = ${variable()} + 1; ${variable()} = ${1 + below(2)}; __VERIFIER_atomic_end();`
      case 'guarded':
        return `__VERIFIER_atomic_begin(); if (${v} == 0) { if (${variable()} == 0) { ${variable()} = 1; } } __VERIFIER_atomic_end();`
      case 'await':
        return `while (${v} == ${below(2)});`
      default:
        return ''
    }
  }
  const bodies = Array.from({ length: threads }, () => {
    const count = 1 + below(features.nested ? 1 : threads === 2 ? 4 : 2)
    return Array.from({ length: count }, () => statement(0)).join(' ')
  })
  const nested = features.nested ? `pthread_t q; pthread_create(&q, 0, last, 0);` : ''
  const functions = bodies.map(
    (body, i) => `void *t${i}(void *p) { ${i === 0 ? nested : ''} ${body} ${i === 1 ? nested : ''} return 0; }`,
  )
  if (features.nested) functions.unshift(`void *last(void *p) { ${statement(1)} return 0; }`)
  const between = (i: number): string =>
    features.nested ? pick(['', statement(1), ...(i > 0 ? ['while (z == 0);'] : [])]) : ''
  const starts = bodies.map((_, i) => `${between(i)} pthread_t p${i}; pthread_create(&p${i}, 0, t${i}, 0);`)
  return `#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int x, y, z; atomic_int a, b; pthread_mutex_t m;
${functions.join('\n')}
int main() { ${starts.join(' ')} return 0; }
`
}
