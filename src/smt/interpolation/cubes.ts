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

export const cubesOf = (formula: Term, limit: number): readonly Cube[] | undefined => {
  const all = (parts: readonly Term[], positive: boolean): readonly Cube[] | undefined => {
    let cubes: readonly Cube[] | undefined = [[]]
    for (const part of parts) {
      const next = expand(part, positive)
      cubes = cubes && next && product(cubes, next, limit)
      if (!cubes) return undefined
    }
    return cubes
  }
  const any = (parts: readonly Term[], positive: boolean): readonly Cube[] | undefined => {
    const cubes: Cube[] = []
    for (const part of parts) {
      const next = expand(part, positive)
      if (!next) return undefined
      cubes.push(...next)
      if (cubes.length > limit) return undefined
    }
    return cubes
  }
  const either = (...cases: readonly (readonly Term[])[]): readonly Cube[] | undefined => {
    const cubes: Cube[] = []
    for (const parts of cases) {
      const next = all(parts, true)
      if (!next) return undefined
      cubes.push(...next)
    }
    return cubes.length > limit ? undefined : cubes
  }
  const expand = (term: Term, positive: boolean): readonly Cube[] | undefined => {
    switch (term.op) {
      case 'const':
        return term.value === positive ? [[]] : []
      case 'not':
        return expand(term.args[0]!, !positive)
      case 'and':
        return positive ? all(term.args, true) : any(term.args, false)
      case 'or':
        return positive ? any(term.args, true) : all(term.args, false)
      case 'ite': {
        const [c, a, b] = term.args as readonly [Term, Term, Term]
        return positive ? either([c, a], [not(c), b]) : either([c, not(a)], [not(c), not(b)])
      }
      default:
        return expandAtom(term, positive)
    }
  }
  const expandAtom = (atom: Term, positive: boolean): readonly Cube[] | undefined => {
    if (atom.op === '=' && atom.args[0]!.sort === BOOL_SORT) {
      const [a, b] = atom.args as readonly [Term, Term]
      return positive ? either([a, b], [not(a), not(b)]) : either([a, not(b)], [not(a), b])
    }
    const choice = innerChoice(atom)
    if (choice) {
      const [c, a, b] = choice.args as readonly [Term, Term, Term]
      const choosing = (value: Term): Term => {
        const chosen = transform(atom, (t) => (t === choice ? value : undefined))
        return positive ? chosen : not(chosen)
      }
      return either([c, choosing(a)], [not(c), choosing(b)])
    }
    if (!positive && atom.op === '=' && isArithmetic(atom.args[0]!))
      return either([lt(atom.args[0]!, atom.args[1]!)], [lt(atom.args[1]!, atom.args[0]!)])
    const literal = positive ? atom : not(atom)
    return [[literal]]
  }
  return expand(formula, true)
}
