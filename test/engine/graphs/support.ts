// What the engine graphs is compared with: brute force over interleavings that notes who reads from whom and in which
// order writes to a location come, and small programs for it.
import { type Executions, executionsOf } from '../../../src/check/executions.js'
import { graphsEngine } from '../../../src/engine/graphs/index.js'
import type { Property } from '../../../src/property/index.js'
import { errorsOf } from '../../../src/property/index.js'
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

/** The distinct (rf, co) graphs of complete and blocked interleavings; undefined: too many. */
export const bruteForceGraphs = (raw: Program, limit = 20_000): Executions | undefined =>
  executionsOf(prepare(errorsOf(raw, 'assert'), { slice: false, largeBlocks: false, resetDead: true }), limit)

export interface Features {
  readonly locks?: boolean
  readonly atomics?: boolean
  readonly blocks?: boolean
  readonly waits?: boolean
  /** Loops with a compare-exchange or an exchange that is tried again. */
  readonly retries?: boolean
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
    if (features.retries) kinds.push('cas-loop', 'cas-loop', 'test-and-set', 'test-test-and-set')
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
      case 'cas-loop':
        return `{ int e = a; while (!atomic_compare_exchange_strong(&a, &e, ${pick(['e + 1', '1'])})); }`
      case 'test-and-set':
        return `while (atomic_exchange(&b, 1)); ${depth === 0 ? statement(1) : ''} b = 0;`
      case 'test-test-and-set':
        return `do { while (b); } while (atomic_exchange(&b, 1)); ${depth === 0 ? statement(1) : ''} b = 0;`
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
