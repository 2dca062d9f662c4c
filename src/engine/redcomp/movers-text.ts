// `heddle show --movers`: every edge with its mover class, every location with its locks and phase, every block with
// where it begins and ends.
import { errorsOf, type Property } from '../../property/index.js'
import type { Edge, Location, Program } from '../../xcfa/index.js'
import { outgoing, prepare } from '../../xcfa/passes/index.js'
import { type Inference, inferBlocks } from './program/reduce.js'
import { specialise, type Thread } from './program/specialise.js'
import { lockNames } from './protection.js'

export const moversText = (raw: Program, property: Property): string => {
  const { program, threads } = specialise(prepare(errorsOf(raw, property), { slice: false }))
  const inference = inferBlocks(threads)
  const lockName = lockNames(program)
  return threads.map((thread) => threadText(thread, inference, lockName)).join('\n')
}

const threadText = (thread: Thread, { movers, blocks }: Inference, lockName: (address: number) => string): string => {
  const { template, number } = thread
  const { inside, phases } = blocks.get(template)!
  const from = outgoing(template.edges)
  const lines = [`thread ${template.name}${number === undefined ? ' (any number of instances)' : ''}`]
  for (const location of template.locations) {
    const edges = from.get(location) ?? []
    const held = [...movers.held(location)].map(lockName).join(', ')
    const phase = [...(phases.get(location) ?? [])].map((p) => (p === 1 ? 'before commit' : 'after commit')).join(', ')
    lines.push(
      `  L${location.id} ${inside.has(location) ? 'in ' : 'out'}${phase && `  ${phase}`}${held && `  holds ${held}`}`,
    )
    for (const edge of edges) lines.push(`    ${movers.of(edge).padEnd(5)} -> L${edge.target.id}  ${edge.text}`)
  }
  for (const block of blocksOf(template.edges, inside))
    lines.push(
      `  block L${block.begin.id}: ${[...block.through].map((l) => `L${l.id}`).join(' ')} -> ${block.ends.map((l) => `L${l.id}`).join(', ')}`,
    )
  return `${lines.join('\n')}\n`
}

export interface Block {
  readonly begin: Location
  readonly through: ReadonlySet<Location>
  readonly ends: readonly Location[]
}

/** Blocks by where they begin; only those that pass a location inside. */
export const blocksOf = (edges: readonly Edge[], inside: ReadonlySet<Location>): readonly Block[] => {
  const from = outgoing(edges)
  return [...from.keys()]
    .filter((location) => !inside.has(location))
    .flatMap((begin) => {
      const through = new Set<Location>()
      const ends = new Set<Location>()
      const visit = (location: Location): void => {
        for (const { target } of from.get(location) ?? []) {
          if (!inside.has(target)) ends.add(target)
          else if (!through.has(target)) {
            through.add(target)
            visit(target)
          }
        }
      }
      visit(begin)
      return through.size > 0 ? [{ begin, through, ends: [...ends] }] : []
    })
}
