// An execution graph for people: without the library's own bookkeeping, with the names of the program, and with the
// statements that the violation is about.
import { type ExecutionView, Relation, type TargetView, viewExecution } from '../../memory-model/index.js'
import { addressName, valueText } from '../../semantics/index.js'
import { threadTitle } from '../../verdict/thread-title.js'
import type { Edge, Value } from '../../xcfa/index.js'
import type { Event } from './event.js'
import type { Graph } from './graph.js'
import type { LocationInfo } from './locations.js'
import type { Machine } from './machine.js'
import { notesOf } from './race-notes.js'
import type { Race } from './races.js'
import { executionOf } from './skeleton.js'

export const viewOf = (graph: Graph, machine: Machine, race: Race | undefined): ExecutionView => {
  const locations = machine.locations.all
  const { skeleton, rf, co, nodes } = executionOf(graph)
  const isShown = (event: Event): boolean =>
    event.location >= 0 ? !locations[event.location]!.isLibrary : event.kind === 'fence'
  const kept = skeleton.events.filter(({ id }) => isShown(nodes[id]!))
  const renumbered = new Map(kept.map(({ id }, i) => [id, i]))
  const restricted = (value: Relation): Relation =>
    Relation.of(
      kept.length,
      [...value.pairs()].flatMap(([a, b]) =>
        renumbered.has(a) && renumbered.has(b) ? [[renumbered.get(a)!, renumbered.get(b)!] as const] : [],
      ),
    )
  const none = new Relation(kept.length)
  const view = viewExecution(
    kept.map((event, id) => ({ ...event, id })),
    {
      po: restricted(skeleton.po),
      rf: restricted(rf),
      co: restricted(co),
      rmw: restricted(skeleton.rmw),
      addr: none,
      data: none,
      ctrl: none,
    },
    ({ id }) => {
      const event = nodes[kept[id]!.id]!
      const location = locations[event.location]
      return {
        ...(location && { access: `${nameOf(location, machine)}=${valueWords(event.value, location, machine)}` }),
        ...(event.edge && { text: event.edge.text, line: event.edge.position.line }),
      }
    },
  )
  const notes = race ? notesOf(race, graph) : []
  return {
    ...view,
    threads: threadsOf(graph, machine),
    targets: race ? racingTargets(race) : failingTargets(graph, machine),
    ...(notes.length > 0 && { notes }),
  }
}

/** Pointers by what they point to; `…` for what nobody has set. */
const valueWords = (value: Value | undefined, { type }: LocationInfo, { layout }: Machine): string =>
  value === undefined ? '…' : valueText(layout, type, value)

/** A cell of an array or of a struct as C writes it. */
const nameOf = ({ kind, name, address }: LocationInfo, { layout }: Machine): string =>
  kind === 'cell' ? addressName(layout, address) : name

const threadsOf = (graph: Graph, { threads }: Machine): NonNullable<ExecutionView['threads']> =>
  [...threads.of(graph)].map((number) => ({
    number,
    name: threadTitle(number, graph.threads[number]!.point.template.procedure.name),
  }))

const targetOf = (thread: number, { position: { file, line, column }, text }: Edge): TargetView => ({
  ...{ thread, file, line, column, text },
})

const racingTargets = ({ first, second }: Race): readonly TargetView[] =>
  [first, second].flatMap(({ thread, edge }) => (edge ? [targetOf(thread, edge)] : []))

/** The steps into error locations. */
const failingTargets = (graph: Graph, machine: Machine): readonly TargetView[] =>
  [...machine.threads.of(graph)].flatMap((thread) => {
    const action = machine.action(graph.threads[thread]!.point)
    const edge = action.kind === 'error' ? action.at.path?.edge : undefined
    return edge ? [targetOf(thread, edge)] : []
  })
