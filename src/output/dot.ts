// The graph of a proof in the language of Graphviz.
import type { Report } from '../verdict/index.js'
import { formulaLines } from './formula-text.js'
import { graphOf } from './html/graph.js'

export const dotGraph = (report: Report): string | undefined => {
  const graph = graphOf(report)
  if (!graph) return undefined
  const edgeOf = new Map((graph.edges ?? []).map((edge) => [edge.id, edge]))
  const lines = graph.nodes.flatMap(({ id, parent, thread, edge, label, coveredBy }) => {
    const text = label.flatMap((i) => formulaLines(graph.formulas[i]!)).join('\n') || 'true'
    const step = edge === undefined ? undefined : edgeOf.get(edge)
    const said = step ? `T${thread} ${step.line}: ${step.text}` : ''
    return [
      `  n${id} [label=${quoted(`${id}\n${text}`)}${coveredBy === undefined ? '' : ', style=dashed'}]`,
      ...(parent === undefined ? [] : [`  n${parent} -> n${id} [label=${quoted(said)}]`]),
      ...(coveredBy === undefined ? [] : [`  n${id} -> n${coveredBy} [style=dashed, constraint=false]`]),
    ]
  })
  return ['digraph proof {', '  node [shape=box, fontname=monospace]', ...lines, '}', ''].join('\n')
}

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
