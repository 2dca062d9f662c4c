// Abstract states: values of tracked variables (unknown where absent) and truths of predicates. The concrete states it
// stands for are those that satisfy all of it. Equal states are one object.
import { and, eq, not, type Term } from '../../../logic/index.js'
import { includesRegion } from './cells.js'
import type { Precision } from './precision.js'

export type Truth = 'true' | 'false' | 'unknown'

export interface AbstractState {
  readonly id: number
  /** By the order of `Precision.tracked`; what is missing at the end is unknown. */
  readonly values: readonly (Term | undefined)[]
  /** By the order of `Precision.predicates`. */
  readonly truths: readonly Truth[]
}

/** What a state speaks of: tracked variables with a value, regions excepted, and predicates with a truth. */
export interface Shape {
  readonly values: readonly number[]
  readonly truths: readonly number[]
}

export class States {
  private readonly shapes = new Map<string, Shape>()
  private readonly shapeOfState = new Map<AbstractState, Shape>()
  private readonly known = new Map<string, AbstractState>()
  private readonly valuesSeen: Set<Term>[] = []

  constructor(private readonly precision: Precision) {}

  get count(): number {
    return this.known.size
  }

  of(values: readonly (Term | undefined)[], truths: readonly Truth[]): AbstractState {
    const key = keyOf(values, truths)
    let state = this.known.get(key)
    if (!state) {
      this.known.set(key, (state = { id: this.known.size, values, truths }))
      values.forEach((value, index) => {
        if (value) (this.valuesSeen[index] ??= new Set()).add(value)
      })
    }
    return state
  }

  /** How many values each tracked variable had so far. */
  valueCounts(): readonly (readonly [Term, number])[] {
    return this.precision.tracked.map((v, index) => [v, this.valuesSeen[index]?.size ?? 0])
  }

  shapeOf(state: AbstractState): Shape {
    let shape = this.shapeOfState.get(state)
    if (!shape) {
      const values = state.values.flatMap((value, i) => (value && value.sort.kind !== 'array' ? [i] : []))
      const truths = state.truths.flatMap((truth, i) => (truth === 'unknown' ? [] : [i]))
      const key = `${values.join()}|${truths.join()}`
      shape = this.shapes.get(key) ?? { values, truths }
      this.shapes.set(key, shape)
      this.shapeOfState.set(state, shape)
    }
    return shape
  }

  /** What the state says of everything that the shape speaks of; undefined if it does not. */
  part(state: AbstractState, shape: Shape): string | undefined {
    let part = ''
    for (const i of shape.truths) {
      const truth = state.truths[i] ?? 'unknown'
      if (truth === 'unknown') return undefined
      part += truth === 'true' ? '+' : '-'
    }
    for (const i of shape.values) {
      const value = state.values[i]
      if (!value) return undefined
      part += `${value.id},`
    }
    return part
  }

  /** Everything that `a` stands for, `b` stands for. */
  leq(a: AbstractState, b: AbstractState): boolean {
    if (a === b) return true
    for (let i = 0; i < b.truths.length; i++) {
      const truth = b.truths[i]!
      if (truth !== 'unknown' && a.truths[i] !== truth) return false
    }
    for (let i = 0; i < b.values.length; i++) {
      const value = b.values[i]
      if (value === undefined || value === a.values[i]) continue
      if (value.sort.kind !== 'array' || !includesRegion(a.values[i], value)) return false
    }
    return true
  }

  /** The predicates that hold, negated where they are false. */
  literals({ truths }: AbstractState): readonly Term[] {
    const { predicates } = this.precision
    const found: Term[] = []
    truths.forEach((truth, i) => {
      if (truth === 'true') found.push(predicates[i]!)
      else if (truth === 'false') found.push(not(predicates[i]!))
    })
    return found
  }

  toTerm(state: AbstractState): Term {
    const { tracked } = this.precision
    const equations = state.values.flatMap((value, i) => (value ? [eq(tracked[i]!, value)] : []))
    return and(equations, this.literals(state))
  }
}

/** States of an older precision equal those that know nothing of what came later. */
const keyOf = (values: readonly (Term | undefined)[], truths: readonly Truth[]): string => {
  let known = ''
  values.forEach((value, i) => {
    if (value) known += `${i}=${value.id},`
  })
  known += '|'
  truths.forEach((truth, i) => {
    if (truth !== 'unknown') known += truth === 'true' ? `${i},` : `-${i},`
  })
  return known
}
