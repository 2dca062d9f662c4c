// A program as a Graphviz graph, one cluster a thread template: `heddle show --as dot`.
import type { Location, Procedure, Program } from '../index.js'
import type { AddressName } from './expr.js'
import { edgeText, locationNote, locationText, programAddressNames } from './label.js'

export const toDot = (program: Program): string => {
  const nameOf = programAddressNames(program)
  const clusters = [...program.templates.values()].map((procedure, i) => clusterText(procedure, i, nameOf))
  return ['digraph program {', '  node [shape=circle, fontname=monospace];', '  edge [fontname=monospace];']
    .concat(clusters.flat(), '}', '')
    .join('\n')
}

const clusterText = (procedure: Procedure, index: number, nameOf: AddressName): string[] => {
  const node = (location: Location): string => `t${index}_${locationText(location)}`
  return [
    `  subgraph cluster_${index} {`,
    `    label=${quote(procedure.name)};`,
    `    t${index}_start [shape=point];`,
    ...procedure.locations.map((location) => `    ${node(location)} [${attributes(location)}];`),
    `    t${index}_start -> ${node(procedure.initial)};`,
    ...procedure.edges.map((edge) => {
      const style = edge.back ? ', style=dashed' : ''
      return `    ${node(edge.source)} -> ${node(edge.target)} [label=${quote(edgeText(edge, nameOf))}${style}];`
    }),
    '  }',
  ]
}

const attributes = (location: Location): string => {
  const note = locationNote(location)
  const label = `label=${quote(note ? `${locationText(location)}\n${note}` : locationText(location))}`
  switch (location.kind) {
    case 'error':
      return `${label}, shape=octagon, color=red`
    case 'final':
      return `${label}, shape=doublecircle`
    case 'halt':
      return `${label}, shape=box`
    case 'plain':
    case 'thread-exit':
      return location.atomic ? `${label}, style=filled, fillcolor=lightgrey` : label
  }
}

const quote = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
