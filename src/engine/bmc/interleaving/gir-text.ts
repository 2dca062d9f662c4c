// The guarded independence relation of a program as text (`heddle show --gir`): for each two threads the pairs of
// steps that are not independent in every state, with the condition under which they are.
import { FALSE, print, type Term, TRUE } from '../../../logic/index.js'
import { errorsOf, type Property } from '../../../property/index.js'
import { independence, type Summary, summaryOf } from '../../../reduction/index.js'
import type { Edge, Procedure, Program } from '../../../xcfa/index.js'
import { prepare } from '../../../xcfa/passes/index.js'
import { createEncoding, type Encoding, NotExpressible } from '../../../xcfa/terms/index.js'

/** Locals are shown as those of thread 1 (the first of a pair) and 2; those of main as thread 0's. */
export const girText = (raw: Program, property: Property): string => {
  const program = prepare(errorsOf(raw, property), { resetDead: true })
  const templates = [...program.templates.values()]
  const lines: string[] = []
  templates.forEach((first, i) => {
    for (const second of templates.slice(i)) {
      if (first === second && first === program.main) continue
      const [a, b] = [first === program.main ? 0 : 1, second === program.main ? 0 : 2]
      lines.push(...pairLines(first, second, a, b))
    }
  })
  return `${lines.join('\n')}\n`
}

const pairLines = (first: Procedure, second: Procedure, a: number, b: number): readonly string[] => {
  const pairs = first.edges.flatMap((one) => second.edges.map((two) => ({ one, two })))
  const guarded = pairs
    .map(({ one, two }) => ({ one, two, condition: conditionOf(one, first, a, two, second, b) }))
    .filter(({ condition }) => condition !== TRUE)
  const always = pairs.length - guarded.length
  return [
    `${first.name} (thread ${a}) beside ${second.name} (thread ${b}): ${always} of ${pairs.length} pairs always independent`,
    ...guarded.map(({ one, two, condition }) => `  ${textOf(one)}  |  ${textOf(two)}: ${conditionText(condition)}`),
  ]
}

const conditionOf = (one: Edge, first: Procedure, a: number, two: Edge, second: Procedure, b: number): Term => {
  const relation = (encoding: Encoding): Term => {
    const summary = (edge: Edge, template: Procedure, thread: number): Summary =>
      summaryOf(edge, template, thread, { encoding, threads: 3, heap: 2 })
    return independence(summary(one, first, a), summary(two, second, b), 'full', encoding)
  }
  try {
    return relation(createEncoding('int'))
  } catch (problem) {
    if (!(problem instanceof NotExpressible)) throw problem
    return relation(createEncoding('bv'))
  }
}

const conditionText = (condition: Term): string => (condition === FALSE ? 'never' : `if ${print(condition)}`)

const textOf = (edge: Edge): string =>
  `L${edge.source.id} -> L${edge.target.id} ${edge.text || 'skip'} (line ${edge.position.line})`
