// Which threads to unwind at a node: all of them, one whose next step is its own business (sPOR), or those that keep
// the path monotonic (Definition 4.3, SKIP of Algorithm 2). Departures, by soundness.md 2 and 3: what an action
// touches counts whether it is enabled or not; an atomic block is one action, from its first edge to its last; the
// end of a thread conflicts with the joins that wait for it.
import {
  addFootprint,
  conflict,
  type Footprint,
  Footprints,
  type LocationFootprints,
  locationFootprints,
} from '../../reduction/index.js'
import type { ControlFlow, ThreadControl } from '../../semantics/control.js'
import type { Edge, Location, Program } from '../../xcfa/index.js'
import type { Node } from './tree.js'

export type PartialOrder = 'none' | 'spor' | 'dpor'

export class Reduction {
  readonly counts = { skipped: 0 }
  private readonly footprints: Footprints
  private readonly locations: ReadonlyMap<Location, LocationFootprints>
  private readonly finals = new Map<Location, string>()
  private readonly steps = new Map<Edge, Footprint>()

  constructor(
    program: Program,
    private readonly flow: ControlFlow,
    private readonly por: PartialOrder,
    /** Conditional dependence: whether the path shows that the last step and the thread's next one commute. */
    private readonly commuteHere: (v: Node, thread: ThreadControl) => boolean,
  ) {
    this.footprints = new Footprints(program)
    this.locations = locationFootprints(program)
    for (const template of program.templates.values()) this.finals.set(template.final, template.name)
  }

  /** The threads whose actions EXPAND unwinds at v. */
  threadsAt(v: Node): readonly number[] {
    const inside = v.control.threads.find((t) => t.location.atomic)
    const candidates = (inside ? [inside] : v.control.threads).filter((t) => this.flow.edgesFrom(t.location).length > 0)
    switch (this.por) {
      case 'none':
        return candidates.map((t) => t.number)
      case 'spor': {
        const alone = candidates.find((t) => this.isLocal(t.location))
        return alone ? [alone.number] : candidates.map((t) => t.number)
      }
      case 'dpor':
        return candidates.filter((t) => !this.skip(v, t)).map((t) => t.number)
    }
  }

  /** SKIP(v, T): T comes before the thread of the last step, and both steps commute. */
  private skip(v: Node, thread: ThreadControl): boolean {
    if (!v.step || thread.number >= v.step.action.thread) return false
    if (loop(v)) return false
    const next = this.locations.get(thread.location)!
    if (next.mayNotReturn) return false
    const independent = !conflict(this.lastAction(v), next.step) || this.commuteHere(v, thread)
    if (independent) this.counts.skipped++
    return independent
  }

  /** What the last action touched: a whole atomic block if v is at the end of one. */
  private lastAction(v: Node): Footprint {
    const last = this.stepFootprint(v.step!.action.edge)
    if (!endsBlock(v)) return last
    const whole = this.footprints.empty()
    for (let node = v; ; node = node.parent!) {
      addFootprint(whole, this.stepFootprint(node.step!.action.edge))
      if (!node.step!.action.edge.source.atomic) return whole
    }
  }

  private stepFootprint(edge: Edge): Footprint {
    let footprint = this.steps.get(edge)
    if (footprint) return footprint
    footprint = this.footprints.empty()
    addFootprint(footprint, this.footprints.of(edge))
    const ended = this.finals.get(edge.target)
    if (ended !== undefined) this.footprints.addEnd(footprint, ended)
    this.steps.set(edge, footprint)
    return footprint
  }

  /** Nothing that another thread could see or disturb, and no loop: then it may as well come first. */
  private isLocal(location: Location): boolean {
    const next = this.locations.get(location)!
    if (next.mayNotReturn || location.atomic) return false
    const edges = this.flow.edgesFrom(location)
    return edges.every((edge) => !edge.back && !edge.target.atomic && isEmpty(next.step))
  }
}

/** v is reached by the last edge of an atomic block of several edges. */
const endsBlock = (v: Node): boolean => v.step!.action.edge.source.atomic

/** LOOP(u, T'): the step into v closes a loop of its thread's control flow. */
const loop = (v: Node): boolean => v.step!.action.edge.back === true

const isEmpty = ({ reads, writes }: Footprint): boolean => reads.every((b) => b === 0) && writes.every((b) => b === 0)
