// Primitives of a scheduler stand alone on their edges: what a thread does before and after one are other steps, since
// the primitive may give control away (esst.txt, rule E1 treats them as a case of their own).
import type { Edge, Label, Location, Procedure, Program } from '../../xcfa/index.js'

const isScheduling = (label: Label): boolean => label.kind === 'primitive' || label.kind === 'start'

/** The program with every primitive, and every start of a thread, on an edge of its own. */
export const isolatePrimitives = (program: Program): Program => {
  const numbers = numbering(program)
  const templates = new Map([...program.templates].map(([name, template]) => [name, isolated(template, numbers)]))
  return { ...program, templates, main: templates.get(program.main.name)! }
}

interface Numbering {
  location: number
  edge: number
}

const numbering = ({ templates }: Program): Numbering => {
  const all = [...templates.values()]
  return {
    location: 1 + Math.max(0, ...all.flatMap((t) => t.locations.map((l) => l.id))),
    edge: 1 + Math.max(0, ...all.flatMap((t) => t.edges.map((e) => e.id))),
  }
}

const isolated = (procedure: Procedure, numbers: Numbering): Procedure => {
  const locations = [...procedure.locations]
  const edges = procedure.edges.flatMap((edge): readonly Edge[] => {
    const parts = partsOf(edge)
    if (parts.length <= 1) return [edge]
    let source = edge.source
    return parts.map((labels, i) => {
      const isLast = i === parts.length - 1
      const target = isLast ? edge.target : between(edge, numbers)
      if (!isLast) locations.push(target)
      const { sync, ...rest } = edge
      // A step that starts a thread does so in one of its parts.
      const isSync = sync && (sync.kind !== 'start' || labels.some(({ kind }) => kind === 'start'))
      const part: Edge = { ...rest, id: i === 0 ? edge.id : numbers.edge++, source, target, labels }
      source = target
      return isSync ? { ...part, sync } : part
    })
  })
  return { ...procedure, locations, edges }
}

const between = (edge: Edge, numbers: Numbering): Location => ({
  id: numbers.location++,
  kind: 'plain',
  atomic: edge.source.atomic || edge.target.atomic,
  position: edge.position,
})

/** Nobody is at an error, or at the end, before control comes back from the primitive. */
const partsOf = ({ labels, target }: Edge): readonly (readonly Label[])[] => {
  const parts: Label[][] = []
  let open = false
  for (const label of labels) {
    if (isScheduling(label) || !open) parts.push([label])
    else parts.at(-1)!.push(label)
    open = !isScheduling(label)
  }
  const last = labels.at(-1)
  if (last && isScheduling(last) && target.kind !== 'plain') parts.push([])
  return parts
}
