// The part of a conjunction that can influence given variables: literals that share a variable with them, directly or
// by way of other literals. The rest is left out of a question: at worst the answer is `possible` where it is not.
import { freeVariables, type Term } from '../../../logic/index.js'

export const coneOf = (literals: readonly Term[], variables: Iterable<Term>): readonly Term[] => {
  if (literals.length === 0) return literals
  const reached = new Set(variables)
  let rest = literals
  const cone: Term[] = []
  for (let grown = true; grown; ) {
    grown = false
    const outside: Term[] = []
    for (const literal of rest) {
      const free = freeVariables(literal)
      if (free.some((v) => reached.has(v))) {
        cone.push(literal)
        for (const v of free) reached.add(v)
        grown = true
      } else outside.push(literal)
    }
    rest = outside
  }
  return cone
}
