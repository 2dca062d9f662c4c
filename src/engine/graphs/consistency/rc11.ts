// RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017; src/memory-model/models/rc11.cat): coherence by clocks of
// happens-before, atomicity, and acyclic(psc). That (po | rf) is acyclic holds by construction.
import { type Event, isBefore } from '../event.js'
import type { Graph } from '../graph.js'
import { type Consistency, isCoherent } from './consistency.js'

export const rc11: Consistency = {
  name: 'rc11',
  isConsistent: (graph, events) =>
    events.every((event) => isCoherent(graph, event, isHbBefore)) && isScOrderAcyclic(graph),
}

const isHbBefore = (a: Event, b: Event): boolean => a !== b && a.kind !== 'initial' && isBefore(a, b.views!.hb)

const isSc = ({ kind, isAtomic, order }: Event): boolean =>
  isAtomic && order === 'seq_cst' && (kind === 'read' || kind === 'write' || kind === 'fence')

/** Neither choices nor waits are events of the model. */
const isOfModel = ({ kind }: Event): boolean => kind !== 'choice' && kind !== 'wait'

const isScOrderAcyclic = (graph: Graph): boolean => {
  const all = [...graph.events()].filter(isOfModel)
  const sc = all.filter(isSc)
  if (sc.length < 2 || sc.every(({ thread }) => thread === sc[0]!.thread)) return true
  const order = new PartialScOrder(graph, all)
  const successors = sc.map((a) => sc.flatMap((b, j) => (a !== b && order.has(a, b) ? [j] : [])))
  return isAcyclic(successors)
}

const isAcyclic = (successors: readonly (readonly number[])[]): boolean => {
  const state = new Uint8Array(successors.length)
  const visit = (i: number): boolean => {
    state[i] = 1
    for (const next of successors[i]!) if (state[next] === 1 || (state[next] === 0 && !visit(next))) return false
    state[i] = 2
    return true
  }
  return successors.every((_, i) => state[i] !== 0 || visit(i))
}

class PartialScOrder {
  constructor(
    private readonly graph: Graph,
    private readonly all: readonly Event[],
  ) {}

  /** psc-base | psc-fence. */
  has(a: Event, b: Event): boolean {
    const froms = a.kind === 'fence' ? [a, ...this.all.filter((x) => isHbBefore(a, x))] : [a]
    const tos = b.kind === 'fence' ? [b, ...this.all.filter((x) => isHbBefore(x, b))] : [b]
    if (froms.some((x) => tos.some((y) => this.scb(x, y)))) return true
    if (a.kind !== 'fence' || b.kind !== 'fence') return false
    return isHbBefore(a, b) || froms.some((x) => x !== a && tos.some((y) => y !== b && this.eco(x, y)))
  }

  /** scb = po | (po-other ; hb ; po-other) | (hb & loc) | co | fr. */
  private scb(a: Event, b: Event): boolean {
    if (a === b) return false
    if (a.thread === b.thread) {
      if (a.index < b.index) return true
    } else if (this.throughOthers(a, b)) return true
    if (a.location < 0 || a.location !== b.location || !isAccess(a) || !isAccess(b)) return false
    if (isHbBefore(a, b)) return true
    return b.kind === 'write' && this.place(a) < this.place(b)
  }

  private throughOthers(a: Event, b: Event): boolean {
    if (!isHbBefore(a, b)) return false
    for (let d = b.prev; d; d = d.prev) {
      if (!isOfModel(d) || isSameLocation(d, b)) continue
      for (let c: Event | undefined = this.graph.threads[a.thread]; c && c.index > a.index; c = c.prev)
        if (isOfModel(c) && !isSameLocation(a, c) && isHbBefore(c, d)) return true
    }
    return false
  }

  /** eco = (rf | co | fr)+, by places in the coherence order: a read lies right after what it reads. */
  private eco(a: Event, b: Event): boolean {
    return a.location >= 0 && a.location === b.location && isAccess(a) && isAccess(b) && this.place(a) < this.place(b)
  }

  private place(event: Event): number {
    const { writes } = this.graph.accessesOf(event.location)
    return event.kind === 'read' ? 2 * writes.indexOf(event.source!) + 1 : 2 * writes.indexOf(event)
  }
}

const isAccess = ({ kind }: Event): boolean => kind === 'read' || kind === 'write'

const isSameLocation = (a: Event, b: Event): boolean => isAccess(a) && isAccess(b) && a.location === b.location
