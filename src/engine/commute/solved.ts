// What equations tell of variables. Where `x = y` is known, steps of two threads that do the same to both have the same
// terms as values, and most questions about them are answered without a solver.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { rational } from '../../logic/index.js'

/** Values of variables, over the other ones, that follow from the formulas. */
export const solvedBy = (formulas: readonly Term[]): ReadonlyMap<Term, Term> => {
  const solved = new Map<Term, Term>()
  for (const formula of formulas) {
    const found = solutionOf(logic.substitute(formula, solved))
    if (!found) continue
    const [v, value] = found
    const one = new Map([[v, value]])
    for (const [other, before] of solved) solved.set(other, logic.substitute(before, one))
    solved.set(v, value)
  }
  return solved
}

/** Of a formula that says what one variable is. */
const solutionOf = (formula: Term): readonly [Term, Term] | undefined => {
  if (formula.op === 'var') return [formula, logic.TRUE]
  const [left, right] = formula.args
  if (formula.op === 'not' && left!.op === 'var') return [left!, logic.FALSE]
  if (formula.op !== '=') return undefined
  if (left!.sort.kind === 'int') return linearSolutionOf(left!, right!)
  if (left!.op === 'var' && !logic.freeVariables(right!).includes(left!)) return [left!, right!]
  return right!.op === 'var' && !logic.freeVariables(left!).includes(right!) ? [right!, left!] : undefined
}

/** The variable that came last, of those that no other part of the equation depends on. */
const linearSolutionOf = (left: Term, right: Term): readonly [Term, Term] | undefined => {
  const form = logic.linearForm([
    [left, rational(1n, 1n)],
    [right, rational(-1n, 1n)],
  ])
  const isUnit = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }): boolean =>
    denominator === 1n && numerator ** 2n === 1n
  if ([...form.coefficients.values(), form.constant].some(({ denominator }) => denominator !== 1n)) return undefined
  const parts = [...form.coefficients.keys()]
  const [v] = parts
    .filter(
      (each) =>
        each.op === 'var' &&
        isUnit(form.coefficients.get(each)!) &&
        !parts.some((other) => other !== each && logic.freeVariables(other).includes(each)),
    )
    .sort((a, b) => b.id - a.id)
  if (!v) return undefined
  const rest = logic.linearTerm(logic.INT_SORT, {
    coefficients: new Map([...form.coefficients].filter(([term]) => term !== v)),
    constant: form.constant,
  })
  return [v, form.coefficients.get(v)!.numerator === 1n ? logic.neg(rest) : rest]
}
