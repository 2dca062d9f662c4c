// Proofs up to commutativity, tampered with: each change breaks one rule of src/check/commute for certain, so that the
// checker has to reject the result.
import {
  checkReduced,
  type ReducedCertificate,
  Rejected,
  reducedCertificate,
  Undecided,
} from '../../src/check/index.js'
import { commuteEngine } from '../../src/engine/commute/index.js'
import { errorsOf } from '../../src/property/index.js'
import { ControlFlow } from '../../src/semantics/control.js'
import type { Smt } from '../../src/smt/index.js'
import type { Program } from '../../src/xcfa/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import type { Choices } from '../generate/choices.js'
import { limitOf } from '../stopwatch.js'
import { copy } from './forged.js'

const HEAD = `#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
`

const twoThreads = (globals: string, first: string, second: string, end: string): string => `${HEAD}${globals}
void *one(void *p) { ${first} return 0; }
void *two(void *p) { ${second} return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
  pthread_join(a, 0); pthread_join(b, 0); ${end} return 0; }
`
const atomic = (text: string): string => `__VERIFIER_atomic_begin(); ${text} __VERIFIER_atomic_end();`

/** Safe programs, each with one of the same shape that is not. */
export const TWINS: readonly (readonly [string, string, string])[] = [
  [
    'additions',
    twoThreads('int x;', atomic('x = x + 1;'), atomic('x = x + 2;'), 'assert(x == 3);'),
    twoThreads('int x;', atomic('x = x + 1;'), atomic('x = x * 2;'), 'assert(x == 3);'),
  ],
  [
    'a loop beside a write',
    twoThreads('int x, y;', 'while (__VERIFIER_nondet_int()) y = !y;', 'x = 1;', 'assert(x == 1);'),
    twoThreads('int x, y;', 'while (__VERIFIER_nondet_int()) x = !x;', 'x = 1;', 'assert(x == 1);'),
  ],
  [
    'cells at different indices',
    twoThreads('int c[4], i = 1, j = 2;', 'c[i] = 1;', 'c[j] = 2;', 'assert(c[1] == 1);'),
    twoThreads('int c[4], i = 1, j = 1;', 'c[i] = 1;', 'c[j] = 2;', 'assert(c[1] == 1);'),
  ],
  [
    'a flag',
    twoThreads('int x, f;', 'x = 1; f = 1;', 'if (f) assert(x == 1);', ''),
    twoThreads('int x, f;', 'f = 1; x = 1;', 'if (f) assert(x == 1);', ''),
  ],
  [
    'main waits for one of two threads',
    `${HEAD}int x, y;
void *one(void *p) { ${atomic('if (x == 1) x = 2;')} return 0; }
void *two(void *p) { for (int i = 0; i < 2 && x == 0; i++) { ${atomic('x++;')} } return 0; }
int main(void) { pthread_t a, b; y = __VERIFIER_nondet_int() != 0; pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0); pthread_join(a, 0); assert(y + y < 3); return 0; }
`,
    `${HEAD}int x, y;
void *one(void *p) { ${atomic('if (x == 1) x = 2;')} return 0; }
void *two(void *p) { for (int i = 0; i < 2 && x == 0; i++) { ${atomic('x++;')} } return 0; }
int main(void) { pthread_t a, b; y = __VERIFIER_nondet_int() != 0; pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0); pthread_join(a, 0); assert(y + y < 2); return 0; }
`,
  ],
  [
    'an error inside an atomic block',
    twoThreads('int x = 1, y;', atomic('y = x; assert(x <= 1);'), 'x = 0; x = 1;', ''),
    twoThreads('int x = 1, y;', atomic('y = x; assert(x <= 1);'), 'x = 0; x = 2;', ''),
  ],
]

export const proofOf = (raw: Program, order: string, smt: Smt): ReducedCertificate => {
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const env = { stopped: limitOf(10), progress: () => {} }
  const result = commuteEngine.verify({ raw, property: 'assert', settings, smt }, { order }, env)
  if (result.verdict !== 'true') throw new Error(`not proved: ${JSON.stringify(result)}`)
  return reducedCertificate(copy(result.certificate.data))
}

/** What the checker says: accepted, or what is wrong. */
export const reducedAnswer = (raw: Program, certificate: unknown, smt: Smt): string => {
  try {
    const program = prepare(errorsOf(raw, 'assert'))
    checkReduced(program, reducedCertificate(certificate), { overflowOpen: false }, smt, () => undefined)
    return 'accepted'
  } catch (problem) {
    if (problem instanceof Rejected) return `rejected: ${problem.message}`
    if (problem instanceof Undecided) return `undecided: ${problem.message}`
    throw problem
  }
}

type Mutable = { -readonly [K in keyof ReducedCertificate]: ReducedCertificate[K] }
type Change = (certificate: Mutable, choices: Choices, raw: Program) => boolean

/** A certificate with one change, or nothing where the change does not apply. */
export const tampered = (certificate: ReducedCertificate, choices: Choices, raw: Program) => {
  const names = Object.keys(CHANGES)
  const what = names[choices.below(names.length)]!
  const changed = copy(certificate) as Mutable
  return CHANGES[what]!(changed, choices, raw) ? { what, certificate: changed } : undefined
}

const CHANGES: Readonly<Record<string, Change>> = {
  'a node that was reached is left out': (certificate, choices) => {
    const inner = new Set(certificate.nodes.map(({ parent }) => parent))
    const covering = new Set(certificate.nodes.map(({ coveredBy }) => coveredBy))
    const leaves = certificate.nodes.flatMap((_, i) => (i > 0 && !inner.has(i) && !covering.has(i) ? [i] : []))
    if (leaves.length === 0) return false
    const gone = choices.pick(leaves)
    const moved = (i: number): number => (i > gone ? i - 1 : i)
    certificate.nodes = certificate.nodes
      .filter((_, i) => i !== gone)
      .map((node) => ({
        ...node,
        ...(node.parent !== undefined && { parent: moved(node.parent) }),
        ...(node.coveredBy !== undefined && { coveredBy: moved(node.coveredBy) }),
      }))
    return true
  },
  'a step of the thread that moved sleeps': (certificate, choices) => {
    const i = 1 + choices.below(Math.max(1, certificate.nodes.length - 1))
    const node = certificate.nodes[i]
    if (!node) return false
    return change(certificate, i, { sleep: [...node.sleep, node.letter!] })
  },
  'the root says too much': (certificate) => {
    const variable = certificate.formulas.join(' ').match(/\|[^|]*\|/)?.[0]
    if (!variable || certificate.arithmetic !== 'int') return false
    certificate.formulas = [...certificate.formulas, `(= 77 ${variable})`]
    certificate.states = [...certificate.states, [certificate.formulas.length - 1]]
    return change(certificate, 0, { state: certificate.states.length - 1 })
  },
  'a node says too much': (certificate, choices) => {
    certificate.formulas = [...certificate.formulas, 'false']
    certificate.states = [...certificate.states, [certificate.formulas.length - 1]]
    // The first two are always reached.
    return change(certificate, choices.below(2), { state: certificate.states.length - 1 })
  },
  'a node is covered by one elsewhere': (certificate, choices) => {
    const covered = certificate.nodes.flatMap(({ coveredBy }, i) => (coveredBy === undefined ? [] : [i]))
    if (covered.length === 0) return false
    return change(certificate, choices.pick(covered), { coveredBy: 0 })
  },
  'nodes cover each other': (certificate, choices) => {
    const covered = certificate.nodes.flatMap(({ coveredBy }, i) => (coveredBy === undefined ? [] : [i]))
    if (covered.length === 0) return false
    const i = choices.pick(covered)
    return change(certificate, i, { coveredBy: i })
  },
  'the root is a dead end': (certificate) => {
    certificate.nodes = [{ state: certificate.nodes[0]!.state, sleep: [], deadEnd: true }]
    return true
  },
  'everything sleeps after the first step': (certificate, _choices, raw) => {
    const first = certificate.nodes[1]
    if (!first) return false
    const flow = new ControlFlow(prepare(errorsOf(raw, 'assert')))
    const edges = [...flow.program.templates.values()].flatMap((template) => template.edges)
    certificate.letters = [...certificate.letters, ...edges.map(({ id }) => ({ thread: 0, edges: [id] }))]
    const all = certificate.letters.map((_, i) => i)
    certificate.nodes = [certificate.nodes[0]!, { ...first, sleep: all }]
    return true
  },
  'another order preferred what sleeps': (certificate) => {
    if (!certificate.nodes.some(({ sleep }) => sleep.length > 0)) return false
    // Whoever was last is first now.
    const threads = Math.max(...certificate.letters.map(({ thread }) => thread))
    const reversed = Array.from({ length: threads + 1 }, (_, i) => threads - i)
    certificate.order = { kind: 'lanes', blocks: [[{ threads: reversed, rounds: 1 }]] }
    return true
  },
}

const change = (certificate: Mutable, i: number, to: Partial<ReducedCertificate['nodes'][number]>): boolean => {
  certificate.nodes = certificate.nodes.map((node, k) => (k === i ? { ...node, ...to } : node))
  return i < certificate.nodes.length
}
