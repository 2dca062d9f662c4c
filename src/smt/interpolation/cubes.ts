// Formulas of linear arithmetic as cubes: disjunctions of conjunctions of literals, with choices inside terms and
// disequalities split. Undefined when there are more than the limit.
import { and, BOOL_SORT, conjuncts, FALSE, lt, not, postorder, type Term, transform } from '../../logic/index.js'

/** The literals of a cube. */
export type Cube = readonly Term[]

const product = (left: readonly Cube[], right: readonly Cube[], limit: number): readonly Cube[] | undefined => {
  const cubes: Cube[] = []
  for (const a of left)
    for (const b of right) {
      const joined = and(a, b)
      if (joined === FALSE) continue
      cubes.push(conjuncts(joined))
      if (cubes.length > limit) return undefined
    }
  return cubes
}

/** A choice between numbers anywhere in an atom. */
const innerChoice = (atom: Term): Term | undefined => {
  let found: Term | undefined
  postorder(
    [atom],
    (term) => {
      if (!found && term.op === 'ite' && term.sort.kind !== 'bool') found = term
    },
    () => !found,
  )
  return found
}

const isArithmetic = (term: Term): boolean => term.sort.kind === 'int' || term.sort.kind === 'real'

export const cubesOf = (formula: Term, limit: number): readonly Cube[] | undefined => new Cubes(limit).of(formula, true)

type MaybeCubes = readonly Cube[] | undefined

class Cubes {
  constructor(private readonly limit: number) {}

  /** Of the formula, or of its negation. */
  of(term: Term, positive: boolean): MaybeCubes {
    const [a, b, c] = term.args as readonly [Term, Term, Term]
    switch (term.op) {
      case 'const':
        return term.value === positive ? [[]] : []
      case 'not':
        return this.of(a, !positive)
      case 'and':
        return positive ? this.all(term.args, true) : this.any(term.args, false)
      case 'or':
        return positive ? this.any(term.args, true) : this.all(term.args, false)
      case 'ite':
        return this.either(a, b, c, positive)
      default:
        return this.atom(term, positive)
    }
  }

  private all(parts: readonly Term[], positive: boolean): MaybeCubes {
    let cubes: MaybeCubes = [[]]
    for (const part of parts) {
      const next = this.of(part, positive)
      cubes = cubes && next && product(cubes, next, this.limit)
      if (!cubes) return undefined
    }
    return cubes
  }

  private any(parts: readonly Term[], positive: boolean): MaybeCubes {
    const cubes: Cube[] = []
    for (const part of parts) {
      const next = this.of(part, positive)
      if (!next) return undefined
      cubes.push(...next)
      if (cubes.length > this.limit) return undefined
    }
    return cubes
  }

  /** One of two claims, whichever the condition says, or the negation of that. */
  private either(condition: Term, a: Term, b: Term, positive = true): MaybeCubes {
    const [first, second] = positive ? [a, b] : [not(a), not(b)]
    return this.joined(this.all([condition, first], true), this.all([not(condition), second], true))
  }

  private joined(left: MaybeCubes, right: MaybeCubes): MaybeCubes {
    return left && right && left.length + right.length <= this.limit ? [...left, ...right] : undefined
  }

  private atom(atom: Term, positive: boolean): MaybeCubes {
    const [a, b] = atom.args as readonly [Term, Term]
    if (atom.op === '=' && a.sort === BOOL_SORT) return this.either(a, b, not(b), positive)
    const choice = innerChoice(atom)
    if (choice) {
      const [condition, ...values] = choice.args as readonly [Term, Term, Term]
      const [first, second] = values.map((value) => transform(atom, (t) => (t === choice ? value : undefined)))
      return this.either(condition, first!, second!, positive)
    }
    if (!positive && atom.op === '=' && isArithmetic(a))
      return this.joined(this.all([lt(a, b)], true), this.all([lt(b, a)], true))
    return [[positive ? atom : not(atom)]]
  }
}
