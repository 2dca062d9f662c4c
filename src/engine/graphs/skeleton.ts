// An execution graph as the models of src/memory-model see it: to draw it (view.ts), and to ask the evaluator of CAT models, which
// knows nothing of this engine, whether it agrees.
import {
  Evaluator,
  INITIAL,
  type Model,
  type Event as ModelEvent,
  Relation,
  type Skeleton,
} from '../../memory-model/index.js'
import type { MemoryOrder } from '../../xcfa/index.js'
import type { Event } from './event.js'
import type { Graph } from './graph.js'

interface ModelExecution {
  readonly skeleton: Skeleton
  readonly rf: Relation
  readonly co: Relation
  /** By number. */
  readonly nodes: readonly Event[]
}

const isOfModel = ({ kind }: Event): boolean => kind !== 'choice' && kind !== 'wait'

export const executionOf = (graph: Graph): ModelExecution => {
  const nodes: Event[] = [...graph.events()].filter(isOfModel).sort((a, b) => a.thread - b.thread || a.index - b.index)
  for (const accesses of graph.accesses) if (accesses) nodes.push(accesses.writes[0]!)
  const ids = new Map(nodes.map((event, id) => [event, id]))
  const relation = (pairs: Iterable<readonly [Event, Event]>): Relation =>
    Relation.of(
      nodes.length,
      [...pairs].map(([a, b]) => [ids.get(a)!, ids.get(b)!] as const),
    )
  const pairs = (test: (a: Event, b: Event) => boolean): Relation =>
    relation(nodes.flatMap((a) => nodes.flatMap((b) => (test(a, b) ? [[a, b] as const] : []))))
  const isInitial = ({ kind }: Event): boolean => kind === 'initial'
  const none = new Relation(nodes.length)
  const skeleton: Skeleton = {
    events: nodes.map(
      (event, id): ModelEvent => ({
        id,
        thread: isInitial(event) ? INITIAL : event.thread,
        kind: event.kind === 'read' ? 'R' : event.kind === 'write' || isInitial(event) ? 'W' : 'F',
        tags: tagsOf(event),
        ...(event.location >= 0 && { location: event.location }),
      }),
    ),
    po: pairs((a, b) => a.thread === b.thread && !isInitial(a) && a.index < b.index),
    si: pairs((a, b) => a === b),
    rmw: pairs((a, b) => b.isRmwWrite && b.source === a),
    ...{ addr: none, data: none, ctrl: none, amo: none, rcuSections: none },
    more: {
      start: pairs((a, b) => b.kind === 'begin' && b.source === a),
      join: pairs((a, b) => b.kind === 'join' && b.source === a),
    },
  }
  const orders = graph.accesses.flatMap((accesses) => (accesses ? [accesses.writes] : []))
  return {
    skeleton,
    nodes,
    rf: pairs((a, b) => b.kind === 'read' && b.source === a),
    co: relation(orders.flatMap((writes) => writes.flatMap((a, i) => writes.slice(i + 1).map((b) => [a, b] as const)))),
  }
}

/** Whether a CAT model finds the graph consistent. */
export const agrees = (model: Model, graph: Graph): boolean => {
  const { skeleton, rf, co } = executionOf(graph)
  const evaluator = new Evaluator(model, skeleton)
  evaluator.setRf(rf)
  evaluator.setCo(co)
  return evaluator.violated() === undefined
}

const tagsOf = ({ kind, isAtomic, order }: Event): readonly string[] => {
  switch (kind) {
    case 'read':
    case 'write':
      return isAtomic ? ['A', tagOf(order, kind)] : ['NA']
    case 'fence':
      return [
        order === 'acq_rel'
          ? 'ACQ_REL'
          : order === 'acquire'
            ? 'ACQ'
            : order === 'release'
              ? 'REL'
              : order === 'relaxed'
                ? 'RLX'
                : 'SC',
      ]
    default:
      return []
  }
}

const tagOf = (order: MemoryOrder, kind: 'read' | 'write'): string => {
  if (order === 'seq_cst') return 'SC'
  if (kind === 'read') return order === 'acquire' || order === 'acq_rel' ? 'ACQ' : 'RLX'
  return order === 'release' || order === 'acq_rel' ? 'REL' : 'RLX'
}
