// Certificates of proofs for tests of the checker: made by the engines, then changed at random. That a change breaks the
// proof is shown by an execution, worked out without the checker: one that leads from a weakened label to an error, to a
// node that was removed, or to a covered node in a state that is not in its new coverer's label.

import { checkGraph, type GraphCertificate, graphCertificate, Rejected, Undecided } from '../../src/check/index.js'
import { cegarEngine } from '../../src/engine/cegar/index.js'
import { cegarSteps } from '../../src/engine/cegar/policy.js'
import { impactEngine } from '../../src/engine/impact/index.js'
import type { Engine } from '../../src/engine/index.js'
import { and, freeVariables, not, parseTerm, substitute, type Term, variable } from '../../src/logic/index.js'
import { errorsOf } from '../../src/property/index.js'
import { type Action, type Control, ControlFlow } from '../../src/semantics/control.js'
import type { Smt } from '../../src/smt/index.js'
import { type Transition, Transitions } from '../../src/symbolic/index.js'
import { inconclusive } from '../../src/verdict/reason.js'
import type { Program } from '../../src/xcfa/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import { createEncoding } from '../../src/xcfa/terms/index.js'

export type Configuration = readonly [Engine, Readonly<Record<string, string>>]

export const CONFIGURATIONS: readonly Configuration[] = [
  [cegarEngine, {}],
  [cegarEngine, { domain: 'expl', por: 'basic' }],
  [cegarEngine, { domain: 'pred-cart', por: 'none', lbe: 'off' }],
  [cegarEngine, { domain: 'pred-cart', por: 'aapor' }],
  [impactEngine, {}],
  [impactEngine, { por: 'spor' }],
  [impactEngine, { por: 'none' }],
]

const HEADER = `#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
`
const twoThreads = (declarations: string, first: string, second: string): string =>
  `${HEADER}${declarations}
void *first(void *argument) { ${first} return 0; }
void *second(void *argument) { ${second} return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, first, 0); pthread_create(&u, 0, second, 0); return 0; }`

const LOCK = 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;'
const locked = (body: string): string => `pthread_mutex_lock(&m); ${body} pthread_mutex_unlock(&m);`

/** Safe programs, each with one of the same shape that is not: a proof of the first must not pass for the second. */
export const PROGRAMS: readonly (readonly [string, string, string])[] = [
  [
    'a counter under a lock',
    twoThreads(`int x; ${LOCK}`, locked('x++;'), locked('x++; int r = x; assert(r <= 2);')),
    twoThreads(`int x; ${LOCK}`, locked('x++;'), locked('x++; int r = x; assert(r <= 1);')),
  ],
  [
    'an update that is not seen',
    twoThreads(`int x, y; ${LOCK}`, locked('x = 1; x = 0;'), locked('int r = x; assert(r == 0);')),
    twoThreads(`int x, y; ${LOCK}`, locked('x = 1; x = 2;'), locked('int r = x; assert(r == 0);')),
  ],
  [
    'an unbounded input in a loop',
    twoThreads(
      'int x;',
      'while (1) { int v = __VERIFIER_nondet_int(); if (v > 0) x = v; }',
      'int r = x; assert(r >= 0);',
    ),
    twoThreads(
      'int x;',
      'while (1) { int v = __VERIFIER_nondet_int(); if (v > -5) x = v; }',
      'int r = x; assert(r >= 0);',
    ),
  ],
  [
    'mutual exclusion by turns',
    twoThreads(
      'int a, b, turn, inside;',
      'a = 1; turn = 1; while (b && turn == 1); inside = 1; int r = inside; assert(r == 1); a = 0;',
      'b = 1; turn = 0; while (a && turn == 0); inside = 2; int r = inside; assert(r == 2); b = 0;',
    ),
    twoThreads(
      'int a, b, turn, inside;',
      'a = 1; turn = 1; while (b && turn == 1); inside = 1; int r = inside; assert(r == 1); a = 0;',
      'b = 1; turn = 0; while (a && turn == 7); inside = 2; int r = inside; assert(r == 2); b = 0;',
    ),
  ],
  [
    'work of one thread that nobody looks at',
    twoThreads('int x, y, z;', 'y = 1; y = 2; z = y;', 'x = 1; int r = x; assert(r == 1); x = 2;'),
    twoThreads('int x, y, z;', 'y = 1; y = 2; x = y;', 'x = 1; int r = x; assert(r == 1); x = 2;'),
  ],
]

/** `most`: how often the engine may ask whether to go on. */
export const prove = (raw: Program, [engine, options]: Configuration, smt: Smt, most = 5000): unknown => {
  let asked = 0
  const env = { stopped: () => (++asked > most ? inconclusive('enough') : undefined), progress: () => {} }
  const defaults = Object.fromEntries(Object.entries(engine.options).map(([name, spec]) => [name, spec.default]))
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const result = engine.verify({ raw, property: 'assert', settings, smt }, { ...defaults, ...options }, env)
  return result.verdict === 'true' ? result.certificate.data : undefined
}

/** What the checker says: accepted, or where it is wrong. */
export const answer = (raw: Program, data: unknown, smt: Smt, noRaces = false): string => {
  try {
    const certificate = graphCertificate(data)
    const program = prepare(errorsOf(raw, 'assert'), { largeBlocks: certificate.largeBlocks })
    checkGraph(program, certificate, { overflowOpen: false, noRaces }, smt, () => undefined)
    return 'accepted'
  } catch (problem) {
    if (problem instanceof Rejected) return `rejected: ${problem.message}`
    if (problem instanceof Undecided) return `undecided: ${problem.message}`
    throw problem
  }
}

// ---- changes

export interface Change {
  readonly what: string
  readonly certificate: GraphCertificate
}

/** Numbers from 0 to 1 (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number
type Given = GraphCertificate['nodes'][number]

/** Changes of a certificate that break the proof; undefined: one that could not be shown to. */
export const breaking = (raw: Program, data: unknown, smt: Smt): ((random: Random) => Change | undefined) => {
  const certificate = graphCertificate(data)
  const graph = new Graph(raw, certificate, smt)
  const kinds = [weakened, removed, redirected]
  return (random) => {
    const node = certificate.nodes[Math.floor(random() * certificate.nodes.length)]!
    return kinds[Math.floor(random() * kinds.length)]!(graph, node, random)
  }
}

const replaced = ({ certificate }: Graph, id: number, change: Partial<Given>): GraphCertificate => ({
  ...certificate,
  nodes: certificate.nodes.map((each) => (each.id === id ? { ...each, ...change } : each)),
})

const weakened = (graph: Graph, node: Given): Change | undefined => {
  if (node.label.length === 0 || !graph.reachesErrorFromAnywhere(node)) return undefined
  const label = node.label.slice(1)
  if (label.length > 0 && !graph.reachesErrorFrom(node, label)) return undefined
  return { what: `node ${node.id}: label weakened`, certificate: replaced(graph, node.id, { label }) }
}

const removed = (graph: Graph, node: Given): Change | undefined => {
  const { parent, thread, edge } = node
  const same = graph.certificate.nodes.filter((n) => n.parent === parent && n.thread === thread && n.edge === edge)
  if (parent === undefined || same.length !== 1 || !graph.isReached(node, [])) return undefined
  const gone = graph.below(node)
  const nodes = graph.certificate.nodes.filter(({ id }) => !gone.has(id))
  return { what: `node ${node.id}: edge to it removed`, certificate: { ...graph.certificate, nodes } }
}

const redirected = (graph: Graph, node: Given, random: Random): Change | undefined => {
  if (node.coveredBy === undefined) return undefined
  const others = graph.certificate.nodes.filter(({ id, coveredBy }) => coveredBy === undefined && id !== node.coveredBy)
  const alike = others.filter((other) => graph.controlOf(other).key === graph.controlOf(node).key)
  const among = random() < 0.7 && alike.length > 0 ? alike : others
  const target = among[Math.floor(random() * among.length)]
  if (!target) return undefined
  const isAlike = graph.controlOf(target).key === graph.controlOf(node).key
  if (isAlike && !graph.isReached(node, [not(graph.labelOf(target.label))])) return undefined
  return {
    what: `node ${node.id}: cover redirected to ${target.id}`,
    certificate: replaced(graph, node.id, { coveredBy: target.id }),
  }
}

/** Executions along a certificate's graph, by the transitions of cegar, which the checker does not use. */
class Graph {
  private readonly flow: ControlFlow
  private readonly transitions: Transitions
  private readonly byId: ReadonlyMap<number, Given>
  private readonly children = new Map<number, Given[]>()
  private readonly controls = new Map<number, Control>()

  constructor(
    raw: Program,
    readonly certificate: GraphCertificate,
    private readonly smt: Smt,
  ) {
    const program = prepare(errorsOf(raw, 'assert'), { largeBlocks: certificate.largeBlocks })
    this.flow = new ControlFlow(program)
    this.transitions = new Transitions(program, createEncoding(certificate.arithmetic), cegarSteps)
    this.byId = new Map(certificate.nodes.map((node) => [node.id, node]))
    for (const node of certificate.nodes)
      if (node.parent !== undefined) this.children.set(node.parent, [...(this.children.get(node.parent) ?? []), node])
  }

  below({ id }: Given): ReadonlySet<number> {
    const gone = new Set([id])
    for (const each of gone) for (const child of this.children.get(each) ?? []) gone.add(child.id)
    return gone
  }

  controlOf(node: Given): Control {
    let control = this.controls.get(node.id)
    if (control) return control
    const parent = node.parent === undefined ? undefined : this.byId.get(node.parent)!
    control = parent ? this.flow.after(this.controlOf(parent), this.actionInto(node)) : this.flow.initial()
    this.controls.set(node.id, control)
    return control
  }

  labelOf(label: readonly number[]): Term {
    const sorts = new Map(this.variables().map((v) => [v.name, v]))
    return and(label.map((i) => parseTerm(this.certificate.formulas[i]!, (name) => sorts.get(name))))
  }

  /** Some execution comes to the node, in a state that satisfies these. */
  isReached(node: Given, extra: readonly Term[]): boolean {
    const way: Given[] = []
    for (let at = node; at.parent !== undefined; at = this.byId.get(at.parent)!) way.unshift(at)
    const run = new Run(this.transitions.first(), this.transitions)
    for (const step of way)
      run.take(this.transitionOf(this.controlOf(this.byId.get(step.parent!)!), this.actionInto(step)))
    return run.isPossible(extra, this.smt)
  }

  reachesErrorFromAnywhere(node: Given): boolean {
    return this.reachesErrorFrom(node, [])
  }

  /** From some state of this label at the node a few steps, along the graph, lead to an error. */
  reachesErrorFrom(start: Given, label: readonly number[]): boolean {
    const ways: { readonly node: Given; readonly steps: readonly Transition[] }[] = [{ node: start, steps: [] }]
    for (let tried = 0; ways.length > 0 && tried < 60; tried++) {
      const { node: given, steps } = ways.shift()!
      const node = given.coveredBy === undefined ? given : this.byId.get(given.coveredBy)!
      const control = this.controlOf(node)
      for (const action of this.flow.actions(control)) {
        const next = [...steps, this.transitionOf(control, action)]
        if (action.edge.target.kind === 'error' && this.isPossible(label, next)) return true
        for (const child of this.children.get(node.id) ?? [])
          if (child.thread === action.thread && child.edge === action.edge.id && next.length < 8)
            ways.push({ node: child, steps: next })
      }
    }
    return false
  }

  private isPossible(label: readonly number[], steps: readonly Transition[]): boolean {
    const run = new Run(undefined, this.transitions)
    for (const step of steps) run.take(step)
    return run.isPossible([], this.smt, this.labelOf(label))
  }

  private actionInto({ parent, thread, edge }: Given): Action {
    const control = this.controlOf(this.byId.get(parent!)!)
    return this.flow.actions(control).find((a) => a.thread === thread && a.edge.id === edge)!
  }

  private transitionOf(control: Control, action: Action): Transition {
    return this.transitions.of(control, action)
  }

  private variables(): readonly Term[] {
    const { program } = this.transitions
    const threads = [0, 1, 2]
    return [
      ...program.globals.map((v) => this.transitions.variable(v, 0)),
      ...[...program.templates.values()].flatMap(({ locals, self }) =>
        [...locals, self].flatMap((v) => threads.map((n) => this.transitions.variable(v, n))),
      ),
      ...program.regions.flatMap((r) => threads.map((n) => this.transitions.region(r, n))),
    ]
  }
}

/** A symbolic execution: what everything is in terms of the first values and of the choices on the way. */
class Run {
  private readonly values = new Map<Term, Term>()
  private readonly conditions: Term[] = []
  private taken = 0

  constructor(
    first: Transition | undefined,
    private readonly transitions: Transitions,
  ) {
    if (first) for (const [v, value] of first.updates) this.values.set(v, value)
  }

  take({ guard, updates, inputs }: Transition): void {
    const now = new Map(this.values)
    for (const { term } of inputs) now.set(term, variable(`${term.name}@${this.taken}`, term.sort))
    this.taken++
    this.conditions.push(substitute(guard, now))
    for (const [v, value] of updates) this.values.set(v, substitute(value, now))
  }

  isPossible(last: readonly Term[], smt: Smt, first: Term = and([])): boolean {
    const all = and(
      first,
      this.conditions,
      last.map((term) => substitute(term, this.values)),
    )
    const solver = smt.solver()
    solver.add(
      and(
        all,
        freeVariables(all).map((v) => this.transitions.inRange(v)),
      ),
    )
    const status = solver.check()
    solver.dispose()
    return status === 'sat'
  }
}
