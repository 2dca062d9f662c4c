// Where to begin, from an earlier proof of a program that may have been another: what its formulas spoke of, as far as
// this program has it under the same name. Whatever it suggests, the precision only decides how fast a proof is found.
import { conjuncts, freeVariables, parseExpression, readExpressions, type Term } from '../../logic/index.js'
import type { Transitions } from '../../symbolic/index.js'

export interface Suggested {
  /** Variables that had one value somewhere. */
  readonly tracked: readonly Term[]
  readonly predicates: readonly Term[]
}

/** More than this would make every step slower than it makes the proof shorter. */
const MAX_PREDICATES = 40

export const suggested = (formulas: readonly string[], transitions: Transitions): Suggested => {
  const scope = namesIn(transitions)
  const tracked = new Set<Term>()
  const predicates = new Set<Term>()
  for (const text of formulas) {
    const formula = formulaFrom(text, scope)
    for (const conjunct of formula ? conjuncts(formula) : []) {
      const variables = freeVariables(conjunct)
      if (conjunct.op === '=' && variables.length === 1) tracked.add(variables[0]!)
      else if (predicates.size < MAX_PREDICATES) predicates.add(conjunct)
    }
  }
  return { tracked: [...tracked], predicates: [...predicates] }
}

type Scope = (name: string) => Term | undefined

/** Undefined where it speaks of something that this program does not have, or has in another type. */
const formulaFrom = (text: string, scope: Scope): Term | undefined => {
  try {
    const [expression] = readExpressions(text)
    const term = expression === undefined ? undefined : parseExpression(expression, scope)
    return term?.sort.kind === 'bool' ? term : undefined
  } catch {
    return undefined
  }
}

/** Numbers at the ends of names change with every edit; a name that several have is nobody's. */
const namesIn = (transitions: Transitions): Scope => {
  const { globals, regions, templates } = transitions.program
  const plain = (name: string): string => name.replace(/#\d+$/, '')
  const found = new Map<string, Term | undefined>()
  const add = (term: Term): void => {
    const name = plain(term.name)
    found.set(name, found.has(name) && found.get(name) !== term ? undefined : term)
  }
  for (const variable of globals) add(transitions.variable(variable, 0))
  for (const region of regions) if (region.scope === 'global') add(transitions.region(region, 0))
  for (const { locals } of templates.values())
    for (const variable of locals)
      for (let thread = 0; thread < MAX_THREADS; thread++) add(transitions.variable(variable, thread))
  return (name) => found.get(plain(name))
}

const MAX_THREADS = 8
