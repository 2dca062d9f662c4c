// Newton-style interpolants (Dietsch, Heizmann, Musa, Nutz, Podelski: Craig vs. Newton in software model checking,
// 2017): slice the sequence to its unsatisfiable core, then take weakest preconditions backwards, with variables that
// are not shared at a cut removed. Works in any theory. The variables of the future go by their defining equations;
// a conjunct that still mentions one is dropped, which may make the first interpolant too strong: then strongest
// postconditions forwards are tried. What comes out is checked.
import {
  and,
  conjuncts,
  FALSE,
  freeVariables,
  linearForm,
  linearTerm,
  not,
  or,
  rational,
  substitute,
  type Term,
  TRUE,
} from '../../logic/index.js'
import { checkInterpolants, sharedVariables } from '../validate.js'
import type { Interpolator } from './problem.js'

export const newton: Interpolator = (smt, formulas, options) => {
  const shared = sharedVariables(formulas)
  let problem = ''
  for (const attempt of [weakestPreconditions, strongestPostconditions]) {
    const interpolants = attempt(formulas, shared)
    const wrong = checkInterpolants(smt, formulas, interpolants, options)
    if (wrong === undefined) return interpolants
    problem = wrong
  }
  return `newton: ${problem}`
}

/** I_(k-1) says that A_k leads to I_k. */
const weakestPreconditions = (formulas: readonly Term[], shared: readonly ReadonlySet<Term>[]): readonly Term[] => {
  const result: Term[] = []
  let after = FALSE
  for (let k = formulas.length - 1; k > 0; k--) {
    after = not(project(and(formulas[k]!, not(after)), shared[k - 1]!))
    result.unshift(after)
  }
  return result
}

const strongestPostconditions = (formulas: readonly Term[], shared: readonly ReadonlySet<Term>[]): readonly Term[] => {
  const result: Term[] = []
  let before = TRUE
  for (let k = 0; k < formulas.length - 1; k++) {
    before = project(and(before, formulas[k]!), shared[k]!)
    result.push(before)
  }
  return result
}

/** Removes variables that are not kept: exactly where an equation defines one, else by dropping conjuncts. */
export const project = (formula: Term, kept: ReadonlySet<Term>): Term => {
  const cases = formula.op === 'or' ? formula.args : [formula]
  return or(cases.map((each) => projectConjunction(each, kept)))
}

const projectConjunction = (formula: Term, kept: ReadonlySet<Term>): Term => {
  let parts = conjuncts(formula)
  for (let definition = findDefinition(parts, kept); definition; definition = findDefinition(parts, kept)) {
    const map = new Map([[definition.variable, definition.value]])
    parts = conjuncts(and(parts.map((part) => substitute(part, map))))
  }
  return and(parts.filter((part) => freeVariables(part).every((v) => kept.has(v))))
}

interface Definition {
  readonly variable: Term
  readonly value: Term
}

const findDefinition = (parts: readonly Term[], kept: ReadonlySet<Term>): Definition | undefined => {
  for (const part of parts) {
    if (part.sort.kind === 'bool' && part.op === 'var' && !kept.has(part)) return { variable: part, value: TRUE }
    if (part.op === 'not' && part.args[0]!.op === 'var' && !kept.has(part.args[0]!))
      return { variable: part.args[0]!, value: FALSE }
    if (part.op !== '=') continue
    const definition = solveEquation(part, kept)
    if (definition) return definition
  }
  return undefined
}

/** `x = t` for a variable that goes and does not occur in t; a linear equation is solved for it. */
const solveEquation = (equation: Term, kept: ReadonlySet<Term>): Definition | undefined => {
  const [a, b] = equation.args as readonly [Term, Term]
  const occurs = (v: Term, t: Term) => freeVariables(t).includes(v)
  for (const [v, value] of [
    [a, b],
    [b, a],
  ] as const)
    if (v.op === 'var' && !kept.has(v) && !occurs(v, value)) return { variable: v, value }
  if (a.sort.kind !== 'int' && a.sort.kind !== 'real') return undefined
  const form = linearForm([
    [a, rational(1n, 1n)],
    [b, rational(-1n, 1n)],
  ])
  for (const [v, c] of form.coefficients) {
    const unit = c.denominator === 1n && (c.numerator === 1n || c.numerator === -1n)
    if (v.op !== 'var' || kept.has(v) || !unit) continue
    const rest = new Map([...form.coefficients].filter(([other]) => other !== v))
    const sign = rational(-c.numerator, 1n)
    const value = linearTerm(
      a.sort,
      linearForm([[linearTerm(a.sort, { coefficients: rest, constant: form.constant }), sign]]),
    )
    if (!occurs(v, value)) return { variable: v, value }
  }
  return undefined
}
