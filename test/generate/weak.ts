// Small programs over C11 atomics, in two notations: as a litmus test, whose executions are enumerated and checked by
// the evaluator, and as a C program with threads, in which bmc looks for the same outcome.
import type { Choices } from './choices.js'

export interface WeakProgram {
  /** Both ask for one outcome, which is chosen at random. */
  readonly litmus: string
  readonly c: string
  /** What an outcome consists of, in both notations: registers that are read into, and the final memory. */
  readonly observed: readonly { readonly litmus: string; readonly c: string }[]
  /** The litmus test with another final condition. */
  asking(condition: string): string
  /** The C program with another assertion at its end. */
  asserting(claim: string): string
}

const LOCATIONS = ['x', 'y'] as const

/** `plain`: also accesses that are not atomic, so that there may be races. */
export const weakProgram = (choices: Choices, plain = false): WeakProgram => {
  const pick = <T>(all: readonly T[]): T => all[choices.below(all.length)]!
  const threads = 2 + choices.below(2)
  const bodies: string[][] = []
  const conditions: string[] = []
  const claims: string[] = []
  const observed: { litmus: string; c: string }[] = LOCATIONS.map((name) => ({
    litmus: name,
    c: `atomic_load_explicit(&${name}, memory_order_relaxed)`,
  }))
  let written = 0
  for (let thread = 0; thread < threads; thread++) {
    const body: string[] = []
    const length = threads === 2 ? 2 + choices.below(2) : 2
    for (let i = 0; i < length; i++) {
      const location = pick(LOCATIONS)
      const kind = choices.below(10)
      const register = `r${i}`
      const see = (value: number): void => {
        conditions.push(`${thread}:${register}=${value}`)
        claims.push(`out${thread}_${i} == ${value}`)
        observed.push({ litmus: `${thread}:${register}`, c: `out${thread}_${i}` })
      }
      if (plain && choices.below(2) === 0) {
        if (choices.below(2) === 0) body.push(`PLAIN = ${++written};`)
        else body.push(`${register} = PLAIN;`)
      } else if (kind < 4) {
        body.push(
          `atomic_store_explicit(${location}, ${++written}, memory_order_${pick(['relaxed', 'release', 'seq_cst'])});`,
        )
      } else if (kind < 8) {
        body.push(
          `${register} = atomic_load_explicit(${location}, memory_order_${pick(['relaxed', 'acquire', 'seq_cst'])});`,
        )
        see(choices.below(3))
      } else if (kind === 8) {
        body.push(
          `${register} = atomic_fetch_add_explicit(${location}, 1, memory_order_${pick(['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'])});`,
        )
        see(choices.below(2))
      } else body.push(`atomic_thread_fence(memory_order_${pick(['acquire', 'release', 'acq_rel', 'seq_cst'])});`)
    }
    bodies.push(body)
  }
  const registers = ['r0', 'r1', 'r2']
  const litmusThreads = bodies.map(
    (body, thread) =>
      `P${thread}(atomic_int *x, atomic_int *y, int *z) {\n  ${registers.map((r) => `int ${r} = 0;`).join(' ')}\n  ${body.map((line) => line.replace('PLAIN', '*z')).join('\n  ')}\n}`,
  )
  const cThreads = bodies.map((body, thread) => {
    const lines = body.map((line) => line.replace(/\((x|y),/, '(&$1,').replace('PLAIN', 'z'))
    const outputs = registers.map((r, i) => `out${thread}_${i} = ${r};`).join(' ')
    return `int out${thread}_0, out${thread}_1, out${thread}_2;\nvoid *t${thread}(void *a) {\n  ${registers.map((r) => `int ${r} = 0;`).join(' ')}\n  ${lines.join('\n  ')}\n  ${outputs}\n  return 0;\n}`
  })
  const ids = bodies.map((_, thread) => thread)
  const claim = claims.length === 0 ? '1' : claims.join(' && ')
  const asking = (condition: string): string => `C weak\n{}\n${litmusThreads.join('\n')}\nexists (${condition})\n`
  const asserting = (asserted: string): string =>
    `#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\natomic_int x, y; int z;\n${cThreads.join('\n')}\nint main(void) {\n  pthread_t ${ids.map((i) => `p${i}`).join(', ')};\n  ${ids.map((i) => `pthread_create(&p${i}, 0, t${i}, 0);`).join(' ')}\n  ${ids.map((i) => `pthread_join(p${i}, 0);`).join(' ')}\n  assert(${asserted});\n  return 0;\n}\n`
  return {
    litmus: asking(conditions.length === 0 ? 'true' : conditions.join(' /\\ ')),
    c: asserting(`!(${claim})`),
    ...{ observed, asking, asserting },
  }
}
