// Why an axiom fails: a shortest violation, each of its edges traced back to the base edges that make it. The reasons
// are what a solver needs as a clause (these reads-from and coherence edges cannot be together in one execution), and
// what a reader needs in a picture.
import type { Axiom, Node } from './compile.js'
import { ON_CO, ON_RF } from './compile.js'
import type { Evaluator, Value } from './evaluate.js'
import { EventSet, type Relation } from './relation.js'

export interface BaseEdge {
  readonly relation: string
  readonly from: number
  readonly to: number
}

/** One step of a violation: an edge of a relation that the axiom names, with the base edges behind it. */
interface Step {
  readonly from: number
  readonly to: number
  readonly reasons: readonly BaseEdge[]
}

export interface Violation {
  readonly axiom: Axiom
  readonly steps: readonly Step[]
  /** All base edges, without repetition. */
  readonly reasons: readonly BaseEdge[]
  /** Events whose being there matters, beyond the ends of the edges: none today, kept for `empty` of sets. */
  readonly events: readonly number[]
  /**
   * False if the absence of some `rf` or `co` edge is a reason too: then only the whole execution is a reason, and a
   * solver must exclude it as such.
   */
  readonly complete: boolean
}

export const explainViolation = (evaluator: Evaluator, axiom: Axiom): Violation => {
  const explainer = new Explainer(evaluator)
  const value = evaluator.value(axiom.node)
  if (axiom.negated) return { axiom, steps: [], reasons: [], events: [], complete: false }
  if (value instanceof EventSet) {
    const event = value.members().next().value!
    const reasons = explainer.member(axiom.node, event)
    return { axiom, steps: [], reasons: unique(reasons), events: [event], complete: explainer.complete }
  }
  const steps = edgesOf(axiom, value).map(([from, to]) => ({
    from,
    to,
    reasons: unique(explainer.edge(axiom.node, from, to)),
  }))
  return {
    axiom,
    steps,
    reasons: unique(steps.flatMap((step) => step.reasons)),
    events: [],
    complete: explainer.complete,
  }
}

/** The base edges behind one edge of a relation without subtracted parts that are chosen (`hb`, for instance). */
export const explainEdge = (evaluator: Evaluator, node: Node, from: number, to: number): readonly BaseEdge[] =>
  unique(new Explainer(evaluator).edge(node, from, to))

const edgesOf = (axiom: Axiom, value: Relation): readonly (readonly [number, number])[] => {
  if (axiom.test === 'empty') return [value.pairs().next().value!]
  if (axiom.test === 'irreflexive') return [[...value.pairs()].find(([from, to]) => from === to)!]
  const cycle = value.shortestCycle()!
  return cycle.slice(1).map((to, i) => [cycle[i]!, to] as const)
}

const unique = (edges: readonly BaseEdge[]): readonly BaseEdge[] => [
  ...new Map(edges.map((edge) => [`${edge.relation} ${edge.from} ${edge.to}`, edge])).values(),
]

const isDynamic = (node: Node): boolean => (node.depends & (ON_RF | ON_CO)) !== 0

class Explainer {
  private readonly evaluator: Evaluator
  private depth = 0
  complete = true

  constructor(evaluator: Evaluator) {
    this.evaluator = evaluator
  }

  private value(node: Node): Value {
    return this.evaluator.value(node)
  }

  private has(node: Node, from: number, to: number): boolean {
    return (this.value(node) as Relation).has(from, to)
  }

  edge(node: Node, from: number, to: number): readonly BaseEdge[] {
    const [a, b] = node.operands
    switch (node.operation) {
      case 'base':
        return [{ relation: node.name!, from, to }]
      case 'union':
        return this.shorter(
          this.has(a!, from, to) ? () => this.edge(a!, from, to) : undefined,
          this.has(b!, from, to) ? () => this.edge(b!, from, to) : undefined,
        )
      case 'intersect':
        return [...this.edge(a!, from, to), ...this.edge(b!, from, to)]
      case 'minus':
        if (isDynamic(b!)) this.complete = false
        return this.edge(a!, from, to)
      case 'complement':
        if (isDynamic(a!)) this.complete = false
        return []
      case 'compose': {
        // Static parts cost nothing in a clause, so a middle is preferred whose dynamic parts are few.
        const middles = [...(this.value(a!) as Relation).successors(from)].filter((m) => this.has(b!, m, to))
        const middle = middles.find((m) => m === from || m === to) ?? middles[0]!
        return [...this.edge(a!, from, middle), ...this.edge(b!, middle, to)]
      }
      case 'product':
        return [...this.member(a!, from), ...this.member(b!, to)]
      case 'identity':
        return this.member(a!, from)
      case 'inverse':
        return this.edge(a!, to, from)
      case 'reflexive':
        return from === to ? [] : this.edge(a!, from, to)
      case 'closure': {
        const path = (this.value(a!) as Relation).path(from, to)!
        return path.slice(1).flatMap((next, i) => this.edge(a!, path[i]!, next))
      }
      case 'variable':
      case 'fixpoint':
        return this.evaluator.beforeIteration(
          node,
          (value) => (value as Relation).has(from, to),
          (body) => this.edge(body, from, to),
        )
      case 'empty':
      case 'domain':
      case 'range':
        throw new Error(`no edge of ${node.operation}`)
    }
  }

  member(node: Node, event: number): readonly BaseEdge[] {
    const [a, b] = node.operands
    const has = (operand: Node): boolean => (this.value(operand) as EventSet).has(event)
    switch (node.operation) {
      case 'base':
        return []
      case 'union':
        return this.shorter(
          has(a!) ? () => this.member(a!, event) : undefined,
          has(b!) ? () => this.member(b!, event) : undefined,
        )
      case 'intersect':
        return [...this.member(a!, event), ...this.member(b!, event)]
      case 'minus':
        if (isDynamic(b!)) this.complete = false
        return this.member(a!, event)
      case 'complement':
        if (isDynamic(a!)) this.complete = false
        return []
      case 'domain':
        return this.edge(a!, event, (this.value(a!) as Relation).successors(event).next().value!)
      case 'range':
        return this.edge(a!, [...(this.value(a!) as Relation).pairs()].find(([, to]) => to === event)![0], event)
      case 'variable':
      case 'fixpoint':
        return this.evaluator.beforeIteration(
          node,
          (value) => (value as EventSet).has(event),
          (body) => this.member(body, event),
        )
      default:
        throw new Error(`no member of ${node.operation}`)
    }
  }

  /** The explanation with fewer `rf` and `co` edges; beyond a depth the first one, so that the work stays bounded. */
  private shorter(
    first: (() => readonly BaseEdge[]) | undefined,
    second: (() => readonly BaseEdge[]) | undefined,
  ): readonly BaseEdge[] {
    if (!first || !second || this.depth > 3) return (first ?? second)!()
    const complete = this.complete
    this.depth++
    const one = first()
    const afterOne = this.complete
    this.complete = complete
    const two = second()
    const afterTwo = this.complete
    this.depth--
    const cost = (edges: readonly BaseEdge[], isComplete: boolean): number =>
      (isComplete ? 0 : 1000) +
      edges.filter((edge) => edge.relation === 'rf' || edge.relation === 'co').length * 10 +
      edges.length
    const useOne = cost(one, afterOne) <= cost(two, afterTwo)
    this.complete = useOne ? afterOne : afterTwo
    return useOne ? one : two
  }
}
