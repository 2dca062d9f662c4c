// The certificate of a proof of safety: IR and LStep of every thread as definitions, with the clauses that they have to
// make valid (IStep is unfolded in S6). `clauses` and `solution` are SMT-LIB: with each declaration replaced by the
// definition of the same name, the negation of every assertion is unsatisfiable. `configuration` says how the clauses came
// from the program, so that a checker makes them itself and need not believe the text.

import type { Certificate, HornCertificate } from '../../certificate/index.js'
import {
  freeVariables,
  postorder,
  print,
  printName,
  printSort,
  renameVariables,
  substitute,
  type Term,
  variable,
} from '../../logic/index.js'
import { parameter, type Relation, type Rule } from '../../smt/index.js'
import { hornText } from './horn-text.js'
import type { StateSpace } from './program/state.js'
import type { Clauses, Configuration } from './safety/clauses.js'
import { relationsOf, type Solution } from './solution.js'

export const certificateOf = (
  configuration: Configuration,
  { rules, space }: Clauses,
  solution: Solution | undefined,
): Certificate => {
  const data: HornCertificate = {
    configuration: { ...configuration },
    clauses: hornText(rules),
    ...(solution && { solution: definitionsOf(rules, solution), predicates: predicatesOf(rules, solution, space) }),
  }
  return { kind: 'horn', data }
}

const MAX_PREDICATES = 200

/** The atoms of the solution over the program's variables, for a checker with a proof of its own. */
const predicatesOf = (rules: readonly Rule[], solution: Solution, space: StateSpace): readonly string[] => {
  const numbers = new Map(space.threads.map(({ index, number }) => [String(index), number]))
  /** Locals have the number of their thread before their name, not its place among the templates. */
  const programName = (name: string): string | undefined => {
    const [, index, rest] = /^(?:(\d+):)?([^:@ ]+#\d+)$/.exec(name) ?? []
    if (rest === undefined || index === undefined) return rest
    const number = numbers.get(index)
    return number === undefined ? undefined : `${number}:${rest}`
  }
  const found = new Set<string>()
  for (const [relation, formula] of solution) {
    const terms = rules.flatMap(({ body }) => body).find((a) => a.relation === relation && isPlain(a.args))?.args
    if (!terms) continue
    const named = substitute(formula, new Map(terms.map((term, i) => [parameter(relation, i), term])))
    postorder([named], (term) => {
      if (term.sort.kind !== 'bool' || ['and', 'or', 'not', 'ite', 'const'].includes(term.op)) return
      const names = new Map(freeVariables(term).map((v) => [v, programName(v.name)]))
      if (names.size === 0 || [...names.values()].includes(undefined) || found.size >= MAX_PREDICATES) return
      found.add(print(renameVariables(term, (v) => variable(names.get(v)!, v.sort))))
    })
  }
  return [...found]
}

const isPlain = (args: readonly Term[]): boolean =>
  args.every(({ op }) => op === 'var') && new Set(args).size === args.length

/** One for every relation of the rules. */
export const definitionsOf = (rules: readonly Rule[], solution: Solution): readonly string[] =>
  [...relationsOf(rules)].map((relation) => definition(relation, solution))

const definition = (relation: Relation, solution: Solution): string => {
  const parameters = relation.sorts.map((sort, i) => `(${printName(parameter(relation, i).name)} ${printSort(sort)})`)
  return `(define-fun ${printName(relation.name)} (${parameters.join(' ')}) Bool ${print(solution.get(relation)!)})`
}
