// Whether Horn clauses with a solution are a proof: a checker that follows the certificate, made of the engine's own parts.
import type { HornCertificate } from '../../../src/certificate/index.js'
import { hornText } from '../../../src/engine/redcomp/horn-text.js'
import { type Configuration, clausesOf, threadsFor } from '../../../src/engine/redcomp/safety/clauses.js'
import { relationsOf, type Solution } from '../../../src/engine/redcomp/solution.js'
import { type Expression, parseExpression, parseSort, printSort, readExpressions } from '../../../src/logic/index.js'
import type { Property } from '../../../src/property/index.js'
import { checkHornSolution, parameter, type Rule, type Smt } from '../../../src/smt/index.js'
import type { Program } from '../../../src/xcfa/index.js'

/** The order of conjuncts is that in which terms were made first: the checker has made fewer. */
const inAnyOrder = (clauses: string): string =>
  clauses
    .split('\n')
    .map((line) =>
      line
        .split(/[ ()]+/)
        .sort()
        .join(' '),
    )
    .join('\n')

/** What is wrong with a certificate about this program; undefined: it proves the property. */
export const checkHornCertificate = (
  raw: Program,
  property: Property,
  { configuration: written, clauses: text, solution: definitions }: HornCertificate,
  smt: Smt,
): string | undefined => {
  const configuration = written as unknown as Configuration
  if (!definitions) return 'it holds no solution'
  if (configuration.arithmetic === 'int' && !configuration.overflow) return 'it assumes that nothing overflows'
  const clauses = clausesOf(threadsFor(raw, property, configuration), configuration)
  if (!clauses) return 'its view is not for this program'
  if (inAnyOrder(hornText(clauses.rules)) !== inAnyOrder(text)) return 'its clauses are not those of this program'
  const solution = readDefinitions(clauses.rules, definitions)
  const missing = [...relationsOf(clauses.rules)].find((relation) => !solution.has(relation))
  if (missing) return `no definition of ${missing.name}`
  return checkHornSolution(smt, clauses.rules, solution, { timeoutMs: 10_000 })
}

/** Throws where they are not those of the relations of the rules. */
export const readDefinitions = (rules: readonly Rule[], definitions: readonly string[]): Solution => {
  const byName = new Map([...relationsOf(rules)].map((r) => [r.name, r]))
  const solution = new Map(
    definitions.map((each) => {
      const [, name, parameters, , body] = readExpressions(each)[0] as readonly Expression[]
      const relation = byName.get(String(name))
      if (!relation) throw new Error(`a definition of ${String(name)}, which no clause uses`)
      const scope = new Map(
        (parameters as readonly Expression[]).map(([p, sort], i) => {
          if (printSort(parseSort(sort!)) !== printSort(relation.sorts[i]!)) throw new Error(`${name}: another sort`)
          return [String(p), parameter(relation, i)]
        }),
      )
      return [relation, parseExpression(body!, (n) => scope.get(n))]
    }),
  )
  return solution
}
