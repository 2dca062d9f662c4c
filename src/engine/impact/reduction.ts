// Which threads to unwind at a node: all of them, one whose next step is its own business (sPOR), or those that keep
// the path monotonic (Definition 4.3, SKIP of Algorithm 2; on top of sPOR: local steps belong to the action before
// them). Departures, by soundness.md 2 to 4: what an action touches counts whether it is enabled or not; an atomic
// block is one action, from its first edge to its last; the end of a thread conflicts with the joins that wait for it;
// a local step goes first only if it is never stuck.
import {
  addFootprint,
  conflict,
  coversAll,
  type Footprint,
  Footprints,
  type LocationFootprints,
  locationFootprints,
  mayStop,
} from '../../reduction/index.js'
import type { ControlFlow, ThreadControl } from '../../semantics/control.js'
import type { Edge, Location, Program } from '../../xcfa/index.js'
import { incoming } from '../../xcfa/passes/index.js'
import type { Node } from './tree.js'

export type PartialOrder = 'none' | 'spor' | 'dpor'

export class Reduction {
  readonly counts = { skipped: 0 }
  private readonly footprints: Footprints
  private readonly locations: ReadonlyMap<Location, LocationFootprints>
  private readonly finals = new Map<Location, string>()
  private readonly steps = new Map<Edge, Footprint>()
  private readonly incoming: ReadonlyMap<Location, readonly Edge[]>
  private readonly locals = new Map<Location, boolean>()
  private readonly pending = new WeakMap<Node, readonly number[]>()

  constructor(
    program: Program,
    private readonly flow: ControlFlow,
    private readonly por: PartialOrder,
    /** Conditional dependence: whether the path shows that the last step and the thread's next one commute. */
    private readonly commuteHere: (v: Node, thread: ThreadControl) => boolean,
    /** For deadlocks: the end of the program is everybody's business. */
    private readonly endMatters = false,
  ) {
    this.footprints = new Footprints(program)
    this.locations = locationFootprints(program)
    this.incoming = incoming([...program.templates.values()].flatMap(({ edges }) => edges))
    for (const template of program.templates.values()) this.finals.set(template.final, template.name)
  }

  /** The threads whose actions EXPAND unwinds at v. */
  threadsAt(v: Node): readonly number[] {
    const candidates = this.candidates(v)
    if (this.por === 'none') return candidates.map((t) => t.number)
    const alone = candidates.find((t) => this.isLocal(t.location))
    return alone ? [alone.number] : this.pendingAt(v)
  }

  /** The threads that may go on after the last action that others can notice, and the local steps after it. */
  pendingAt(v: Node): readonly number[] {
    const known = this.pending.get(v)
    if (known) return known
    const candidates = this.candidates(v)
    const kept = this.por === 'dpor' ? candidates.filter((t) => !this.skip(v, t)) : candidates
    const threads = kept.map((t) => t.number)
    this.pending.set(v, threads)
    return threads
  }

  /**
   * Whether v may be covered by w as far as the reduction goes. Where a local step comes next, nothing else can be
   * unwound at w for the sake of v: what may follow that step must be allowed after w already.
   */
  mayCover(w: Node, v: Node): boolean {
    // soundness 9, where the coverer's next step is a local one
    if (this.por !== 'dpor' || !this.hasLocalStep(v)) return true
    const allowed = this.pendingAt(w)
    return this.pendingAt(v).every((thread) => allowed.includes(thread))
  }

  private candidates(v: Node): readonly ThreadControl[] {
    const inside = v.control.threads.find((t) => t.location.atomic)
    return (inside ? [inside] : v.control.threads).filter((t) => this.flow.edgesFrom(t.location).length > 0)
  }

  private hasLocalStep(v: Node): boolean {
    return this.candidates(v).some((t) => this.isLocal(t.location))
  }

  /** SKIP(v, T): T comes before the thread of the last step that others can notice, and both steps commute. */
  private skip(v: Node, thread: ThreadControl): boolean {
    const last = this.lastVisible(v)
    if (!last.step || thread.number >= last.step.action.thread) return false
    if (loop(last)) return false
    // What the thread may do next counts, enabled or not, to the end of its atomic block: soundness 2.
    const next = this.locations.get(thread.location)!
    if (next.mayNotReturn) return false
    const independent = !conflict(this.lastAction(last), next.step) || this.commuteHere(last, thread)
    if (independent) this.counts.skipped++
    return independent
  }

  /** Where the last step led that was not a local one, unwound alone; the root if there is none. */
  private lastVisible(v: Node): Node {
    let node = v
    while (node.step && this.isLocal(node.step.action.edge.source)) node = node.parent!
    return node
  }

  /** What the last action touched: of an atomic block all ways to its end, as covers inside it join them. soundness 2 */
  private lastAction(v: Node): Footprint {
    const { edge } = v.step!.action
    if (!edge.source.atomic) return this.stepFootprint(edge)
    const block = new Set([edge])
    for (const { source } of block)
      if (source.atomic) for (const before of this.incoming.get(source) ?? []) block.add(before)
    const whole = this.footprints.empty()
    for (const each of block) addFootprint(whole, this.stepFootprint(each))
    return whole
  }

  private stepFootprint(edge: Edge): Footprint {
    let footprint = this.steps.get(edge)
    if (footprint) return footprint
    footprint = this.footprints.empty()
    addFootprint(footprint, this.footprints.of(edge))
    // A join waits for it: soundness 2.
    const ended = this.finals.get(edge.target)
    if (ended !== undefined) this.footprints.addEnd(footprint, ended)
    this.steps.set(edge, footprint)
    return footprint
  }

  /** Nothing that another thread could see or disturb, no loop, and never stuck: then it may as well come first. */
  private isLocal(location: Location): boolean {
    let local = this.locals.get(location)
    if (local === undefined) this.locals.set(location, (local = this.computeLocal(location)))
    return local
  }

  private computeLocal(location: Location): boolean {
    const { mayNotReturn, step } = this.locations.get(location)!
    const edges = this.flow.edgesFrom(location)
    if (mayNotReturn || location.atomic || edges.length === 0 || !isEmpty(step)) return false
    // A loop would put the others off for ever (soundness 3), a step that is never possible, too (soundness 4).
    if (edges.some((edge) => edge.back || edge.target.atomic || edge.labels.some(mayStop))) return false
    // A deadlock leaves spurious wake-ups enabled.
    if (this.endMatters && edges.some(({ target, sync }) => target.kind === 'halt' || sync?.spurious)) return false
    return coversAll(edges.map(({ labels }) => labels))
  }
}

/** LOOP(u, T'): the step into v closes a loop of its thread's control flow. */
const loop = (v: Node): boolean => v.step!.action.edge.back === true

const isEmpty = ({ reads, writes }: Footprint): boolean => reads.every((b) => b === 0) && writes.every((b) => b === 0)
