// Evaluates a model on an execution. The value of a node is kept until something that it depends on changes: choosing
// another `co` leaves everything that only `rf` and the control flow determine as it is. Partial executions can be
// asked too: an axiom that is monotone and violated by a part is violated by every completion of it.
import { type Axiom, type Model, type Node, ON_CO, ON_RF, type Recursion } from './compile.js'
import { type Skeleton, staticRelation, staticSet } from './graph.js'
import { EventSet, Relation } from './relation.js'

export type Value = EventSet | Relation

/** Iterations of a recursive definition that is not monotone may never settle: more than this is a mistake in it. */
const MAX_ITERATIONS = 1000

export class Evaluator {
  readonly model: Model
  readonly skeleton: Skeleton
  private readonly size: number
  private readonly values: (Value | undefined)[] = []
  private readonly validAt: number[] = []
  private readonly changedAt = new Array<number>(32).fill(0)
  private clock = 1
  private currentRf: Relation
  private currentCo: Relation
  private readonly current = new Map<Node, Value>()
  /** The values of the equations after each iteration, for explanations that are well founded. */
  private readonly histories = new Map<Recursion, Value[][]>()

  constructor(model: Model, skeleton: Skeleton) {
    this.model = model
    this.skeleton = skeleton
    this.size = skeleton.events.length
    this.currentRf = new Relation(this.size)
    this.currentCo = new Relation(this.size)
  }

  get rf(): Relation {
    return this.currentRf
  }

  get co(): Relation {
    return this.currentCo
  }

  /** The evaluator reads the relation later: whoever changes it in place says so by calling this again. */
  setRf(rf: Relation): void {
    this.currentRf = rf
    this.touch(ON_RF)
  }

  setCo(co: Relation): void {
    this.currentCo = co
    this.touch(ON_CO)
  }

  private touch(bit: number): void {
    this.changedAt[31 - Math.clz32(bit)] = ++this.clock
  }

  /** The first axiom that the execution violates. */
  violated(which: 'all' | 'monotone' = 'all'): Axiom | undefined {
    return this.model.axioms.find(
      (axiom) => (which === 'all' || (axiom.node.monotone && !axiom.negated)) && !this.holds(axiom),
    )
  }

  holds(axiom: Axiom): boolean {
    const value = this.value(axiom.node)
    const result =
      axiom.test === 'empty'
        ? value.isEmpty
        : axiom.test === 'acyclic'
          ? (value as Relation).isAcyclic
          : (value as Relation).isIrreflexive
    return result !== axiom.negated
  }

  relation(node: Node): Relation {
    return this.value(node) as Relation
  }

  value(node: Node): Value {
    const before = this.values[node.index]
    if (before && this.isValid(node)) return before
    const value = this.compute(node)
    this.values[node.index] = value
    this.validAt[node.index] = this.clock
    return value
  }

  private isValid(node: Node): boolean {
    const at = this.validAt[node.index]!
    for (let bits = node.depends; bits !== 0; bits &= bits - 1)
      if (this.changedAt[31 - Math.clz32(bits & -bits)]! > at) return false
    return true
  }

  private compute(node: Node): Value {
    const set = (i: number): EventSet => this.value(node.operands[i]!) as EventSet
    const relation = (i: number): Relation => this.value(node.operands[i]!) as Relation
    switch (node.operation) {
      case 'base':
        if (node.name === 'rf') return this.currentRf
        if (node.name === 'co') return this.currentCo
        return node.sort === 'set' ? staticSet(this.skeleton, node.name!) : staticRelation(this.skeleton, node.name!)
      case 'empty':
        return node.sort === 'set' ? new EventSet(this.size) : new Relation(this.size)
      case 'union':
        return node.sort === 'set' ? set(0).union(set(1)) : relation(0).union(relation(1))
      case 'intersect':
        return node.sort === 'set' ? set(0).intersect(set(1)) : relation(0).intersect(relation(1))
      case 'minus':
        return node.sort === 'set' ? set(0).minus(set(1)) : relation(0).minus(relation(1))
      case 'complement':
        return node.sort === 'set' ? set(0).complement() : relation(0).complement()
      case 'compose':
        return relation(0).compose(relation(1))
      case 'product':
        return Relation.product(set(0), set(1))
      case 'identity':
        return Relation.identity(set(0))
      case 'domain':
        return relation(0).domain()
      case 'range':
        return relation(0).range()
      case 'inverse':
        return relation(0).inverse()
      case 'closure':
        return relation(0).transitiveClosure()
      case 'reflexive':
        return relation(0).withIdentity()
      case 'variable':
        return this.current.get(node)!
      case 'fixpoint':
        return this.fixpoint(node.group!)[node.equation!]!
    }
  }

  private fixpoint(group: Recursion): Value[] {
    let values: Value[] = group.variables.map((v) =>
      v.sort === 'set' ? new EventSet(this.size) : new Relation(this.size),
    )
    const history = [values]
    for (let round = 0; round < MAX_ITERATIONS; round++) {
      this.assign(group, values)
      const next = group.bodies.map((body) => this.value(body))
      const settled = next.every((value, i) =>
        value instanceof EventSet ? value.equals(values[i] as EventSet) : value.equals(values[i] as Relation),
      )
      values = next
      if (settled) break
      history.push(values)
    }
    this.histories.set(group, history)
    group.results.forEach((node, i) => {
      this.values[node.index] = values[i]
      this.validAt[node.index] = this.clock
    })
    return values
  }

  private assign(group: Recursion, values: readonly Value[]): void {
    group.variables.forEach((variable, i) => {
      this.current.set(variable, values[i]!)
    })
    this.touch(group.bit)
  }

  /**
   * Calls with the values that a recursive definition's variables had before an edge appeared in it, so that an
   * explanation of the edge uses only edges that were there earlier.
   */
  beforeIteration<T>(node: Node, appeared: (value: Value) => boolean, use: (body: Node) => T): T {
    const group = node.group!
    // Inside the definition itself its history is the one that the outermost evaluation left.
    if (!this.histories.has(group)) this.fixpoint(group)
    const history = this.histories.get(group)!
    const first = history.findIndex((values) => appeared(values[node.equation!]!))
    const saved = group.variables.map((variable) => this.current.get(variable))
    this.assign(group, history[first - 1]!)
    const result = use(group.bodies[node.equation!]!)
    group.variables.forEach((variable, i) => {
      if (saved[i]) this.current.set(variable, saved[i]!)
    })
    this.touch(group.bit)
    return result
  }
}
