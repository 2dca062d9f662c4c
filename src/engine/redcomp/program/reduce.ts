// The reduced program: reducible blocks become single edges where they are straight or branch a little; locations of
// larger blocks and of loops inside blocks stay, as locations that no other thread interrupts. RuleSafety then sees the
// paper's next_out_out and the summaries of blocks as edges between locations outside, the rest as steps inside.
import { type Blocks, type Mover, type Movers, movers, reducibleBlocks } from '../../../reduction/index.js'
import type { Edge, Location, Procedure } from '../../../xcfa/index.js'
import {
  type Draft,
  draft,
  incoming,
  joinDrafts,
  loopHeads,
  markBackEdges,
  outgoing,
  withEdges,
} from '../../../xcfa/passes/index.js'
import type { Thread, Threads } from './specialise.js'

export interface Inference {
  readonly movers: Movers
  readonly blocks: ReadonlyMap<Procedure, Blocks>
}

/** Movers and blocks of all threads. */
export const inferBlocks = (threads: readonly Thread[], forTermination = false): Inference => {
  const found = movers(threads)
  // The end of the program concerns every thread where it matters by itself.
  const moverOf = (edge: Edge): Mover => (forTermination && endsProgram(edge) ? 'non' : found.of(edge))
  const isSpurious = (edge: Edge): boolean => forTermination && edge.sync?.spurious === true
  const ends = (edge: Edge): boolean => startsThread(edge) || isSpurious(edge)
  const blocks = new Map(
    threads.map(({ template }) => [
      template,
      reducibleBlocks(template, moverOf, { ends, begins: isSpurious, neverWaiting: forTermination }),
    ]),
  )
  return { movers: found, blocks }
}

/** A new thread may begin at once: its first state is taken where the block ends. */
const startsThread = (edge: Edge): boolean => edge.labels.some((label) => label.kind === 'start')

const endsProgram = ({ target }: Edge): boolean => target.kind === 'error' || target.reason?.kind === 'exit'

export const reduce = (threads: Threads, forTermination = false): Threads =>
  fuse(threads, inferBlocks(threads.threads, forTermination))

/** Releasing a lock that the thread surely holds does not fail. */
const isImpossible = ({ sync, source, target }: Edge, { movers: found }: Inference): boolean =>
  sync?.kind === 'unlock' &&
  sync.object?.kind === 'const' &&
  target.reason?.kind === 'undefined' &&
  found.held(source).has(Number(sync.object.value))

const fuse = (all: Threads, inference: Inference): Threads => {
  const { blocks } = inference
  const renamed = new Map<Location, Location>()
  const joined = withEdges(all.program, (procedure) => {
    const { inside } = blocks.get(procedure)!
    for (const location of inside) renamed.set(location, { ...location, atomic: true })
    return fuseEdges(procedure, inside, (edge) => isImpossible(edge, inference)).map((edge) => ({
      ...edge,
      source: renamed.get(edge.source) ?? edge.source,
      target: renamed.get(edge.target) ?? edge.target,
    }))
  })
  const program = markBackEdges(joined)
  const templates = new Map(
    [...program.templates].map(([name, procedure]) => [name, { ...procedure, locations: locationsOf(procedure) }]),
  )
  const fused = { ...program, templates, main: templates.get(program.main.name)! }
  const threads = all.threads.map((thread) => ({ ...thread, template: templates.get(thread.template.name)! }))
  return { ...all, program: fused, threads }
}

const locationsOf = ({ initial, final, edges }: Procedure): readonly Location[] => [
  ...new Set([initial, ...edges.flatMap((edge) => [edge.source, edge.target]), final]),
]

/** How many edges may stand for one location that is left out. */
const MAX_COMBINED_EDGES = 16

const fuseEdges = (
  procedure: Procedure,
  inside: ReadonlySet<Location>,
  isDropped: (edge: Edge) => boolean,
): readonly Draft[] => {
  const heads = loopHeads(procedure.initial, procedure.edges)
  const drafts = procedure.edges.filter((edge) => !isDropped(edge)).map((edge) => draft(edge))
  const from = new Map([...outgoing(drafts)].map(([l, edges]) => [l, new Set(edges)]))
  const to = new Map([...incoming(drafts)].map(([l, edges]) => [l, new Set(edges)]))
  for (const location of procedure.locations) {
    if (!inside.has(location) || heads.has(location)) continue
    const before = [...(to.get(location) ?? [])]
    const after = [...(from.get(location) ?? [])]
    if (after.length === 0)
      throw new Error('a block does not end where nothing follows: what leads there would be lost')
    if (before.length * after.length > Math.max(before.length + after.length, MAX_COMBINED_EDGES)) continue
    if (before.some((edge) => edge.source === location)) continue
    for (const edge of [...before, ...after]) {
      from.get(edge.source)?.delete(edge)
      to.get(edge.target)?.delete(edge)
    }
    for (const first of before)
      for (const second of after) {
        const edge = joinDrafts(first, second, joinText(first, second))
        from.get(edge.source)!.add(edge)
        to.get(edge.target)!.add(edge)
      }
  }
  return [...from.values()].flatMap((edges) => [...edges])
}

const joinText = (first: Draft, second: Draft): string =>
  first.text === second.text || second.text === '' ? first.text : `${first.text} ... ${second.text}`
