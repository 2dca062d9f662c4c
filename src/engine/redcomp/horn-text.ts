// Clauses as SMT-LIB in logic HORN, for another solver.
import { freeVariables, print, printName, printSort, type Term } from '../../logic/index.js'
import type { Atom, Relation, Rule } from '../../smt/index.js'

export const hornText = (rules: readonly Rule[]): string => {
  const relations = new Set<Relation>()
  for (const { head, body } of rules) for (const { relation } of head ? [head, ...body] : body) relations.add(relation)
  const declarations = [...relations].map(
    ({ name, sorts }) => `(declare-fun ${printName(name)} (${sorts.map(printSort).join(' ')}) Bool)`,
  )
  return ['(set-logic HORN)', ...declarations, ...rules.map(ruleText), '(check-sat)', ''].join('\n')
}

const ruleText = ({ head, body, constraint, name }: Rule): string => {
  const atoms = head ? [head, ...body] : body
  const variables = new Set<Term>(freeVariables(constraint))
  for (const { args } of atoms) for (const arg of args) for (const v of freeVariables(arg)) variables.add(v)
  const left = `(and ${[print(constraint), ...body.map(atomText)].join(' ')})`
  const clause = `(=> ${left} ${head ? atomText(head) : 'false'})`
  const bound = [...variables].map((v) => `(${printName(v.name)} ${printSort(v.sort)})`).join(' ')
  return `; ${name ?? ''}\n(assert ${bound === '' ? clause : `(forall (${bound}) ${clause})`})`
}

const atomText = ({ relation, args }: Atom): string =>
  args.length === 0 ? printName(relation.name) : `(${printName(relation.name)} ${args.map((a) => print(a)).join(' ')})`
