// Reducible blocks (redcomp.txt section V, src/reduction): a critical section whose accesses its lock protects is one
// event. Only for errors that are locations: races and deadlocks happen inside blocks.
import { type MoverThread, movers, reducibleBlocks } from '../../../reduction/index.js'
import type { Edge, Location, Procedure, Program } from '../../../xcfa/index.js'
import { outgoing } from '../../../xcfa/passes/index.js'

/** Finding movers compares all edges with each other. */
const MAX_EDGES = 1500

export const atomicLocations = ({ templates }: Program): ReadonlySet<Location> =>
  new Set([...templates.values()].flatMap((t) => t.locations.filter((l) => l.atomic)))

/** Locations inside blocks: nobody else needs to be considered while a thread is there. */
export const insideBlocks = (program: Program): ReadonlySet<Location> => {
  const templates = [...program.templates.values()]
  const atomic = atomicLocations(program)
  if (templates.reduce((sum, t) => sum + t.edges.length, 0) > MAX_EDGES) return atomic
  // soundness 14: movers and blocks as inferred for redcomp; a thread that is started ends the block.
  const found = movers(threadsOf(program))
  const blocks = templates.map((t) =>
    reducibleBlocks(t, (edge) => found.of(edge), { ends: (edge) => startsOf(edge).length > 0 }),
  )
  return new Set([...atomic, ...blocks.flatMap(({ inside }) => [...inside])])
}

/** Main first. A template that main starts as one number only is one thread; others are any number of threads. */
const threadsOf = ({ main, templates }: Program): readonly MoverThread[] => {
  const others = [...templates.values()].filter((t) => t !== main)
  const onlyMain = others.every((t) => t.edges.every((e) => startsOf(e).length === 0))
  const numbers = onlyMain ? numbersOf(main) : new Map<string, undefined>()
  return [main, ...others].map((template) => ({
    template,
    number: template === main ? 0 : numbers.get(template.name),
  }))
}

const startsOf = (edge: Edge): readonly string[] =>
  edge.labels.flatMap((label) => (label.kind === 'start' ? [label.procedure] : []))

/**
 * The numbers of templates that main always starts after the same number of others: of two starts with the same number
 * an execution has one.
 */
const numbersOf = (main: Procedure): ReadonlyMap<string, number | undefined> => {
  const started = new Map<Location, number | undefined>([[main.initial, 0]])
  const from = outgoing(main.edges)
  const work = [main.initial]
  for (let location = work.pop(); location; location = work.pop())
    for (const edge of from.get(location) ?? []) {
      const before = started.get(location)
      const after = before === undefined ? undefined : before + startsOf(edge).length
      if (started.has(edge.target) && (started.get(edge.target) === after || started.get(edge.target) === undefined))
        continue
      started.set(edge.target, started.has(edge.target) ? undefined : after)
      work.push(edge.target)
    }
  const numbers = new Map<string, number | undefined>()
  for (const edge of main.edges)
    startsOf(edge).forEach((name, i) => {
      const before = started.get(edge.source)
      const number = before === undefined ? undefined : before + i + 1
      numbers.set(name, numbers.has(name) && numbers.get(name) !== number ? undefined : number)
    })
  return numbers
}
