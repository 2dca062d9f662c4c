// Sequence interpolants, three ways. `auto` takes the first that answers: Farkas is the fastest by far where linear
// arithmetic suffices, Newton knows every theory, Spacer finds what needs cuts or quantifier elimination.
import type { Term } from '../../logic/index.js'
import type { Smt, SolverOptions } from '../interfaces.js'
import { checkInterpolants } from '../validate.js'
import { farkas } from './farkas.js'
import { newton } from './newton.js'
import { type Interpolation, type Interpolator, type Method, unsatisfiableCore } from './problem.js'
import { spacer } from './spacer.js'

export type { Interpolation, Method } from './problem.js'

export interface InterpolationOptions extends SolverOptions {
  readonly method?: Method | 'auto'
  /** Check the interpolants with the solver before giving them. */
  readonly validate?: boolean
}

const METHODS: Readonly<Record<Method, Interpolator>> = { farkas, newton, spacer }
const ORDER: readonly Method[] = ['farkas', 'newton', 'spacer']

export const interpolate = (smt: Smt, formulas: readonly Term[], options: InterpolationOptions = {}): Interpolation => {
  const { method = 'auto', validate = false, ...limits } = options
  const reduced = unsatisfiableCore(smt, formulas, limits)
  if ('sat' in reduced) return { status: 'sat', model: reduced.sat }
  if ('unknown' in reduced) return { status: 'unknown', reason: reduced.unknown }
  const reasons: string[] = []
  for (const name of method === 'auto' ? ORDER : [method]) {
    const answer = METHODS[name](smt, reduced.core, limits)
    const wrong =
      typeof answer === 'string' ? answer : validate ? checkInterpolants(smt, formulas, answer, limits) : undefined
    if (typeof answer !== 'string' && wrong === undefined)
      return { status: 'unsat', interpolants: answer, method: name }
    reasons.push(wrong!)
  }
  return { status: 'unknown', reason: reasons.join('; ') }
}
