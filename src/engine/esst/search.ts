// Building one forest (esst.txt, 4.7, steps 1 to 4): breadth first, nodes expanded by E1, and by E2 with the reduction
// that was asked for (rules E2' and E2''), until it is complete or an error node is there.

import type { SchedulerState } from '../../semantics/cooperative/schedulers/index.js'
import type { Reason } from '../../verdict/reason.js'
import type { Env } from '../engine.js'
import { Undetermined } from './arguments.js'
import type { Forest } from './forest.js'
import type { Lazy } from './lazy.js'
import { type ForestNode, failing, isRunning } from './node.js'
import type { Blocks } from './reduction/blocks.js'
import { type Cycle, closesBlock, type IsSpurious, ignoringCycle } from './reduction/cycles.js'
import { persistentSet } from './reduction/persistent.js'
import { common, missing, type Reduced, sleepSets } from './reduction/sleep.js'

type PartialOrder = 'none' | 'persistent' | 'sleep' | 'both'

export interface SearchOptions {
  readonly por: PartialOrder
  /** Connectors, and steps, on a path at most (7.3). */
  readonly switches: number
  readonly depth: number
  /** Cycles that no execution follows need no expansion. */
  readonly isSpurious?: IsSpurious
}

export type Found =
  | { readonly kind: 'error'; readonly node: ForestNode }
  /** `isCut`: some node was not expanded because of the bound. */
  | { readonly kind: 'complete'; readonly isCut: boolean }
  /** An argument of a primitive there has too many values. */
  | { readonly kind: 'undetermined'; readonly place: Undetermined }
  | { readonly kind: 'stopped'; readonly reason: Reason }

export class Search {
  readonly counts = { chosen: 0, choices: 0, coverExpansions: 0, cycleExpansions: 0, spuriousCycles: 0 }
  private readonly accepted: Cycle[] = []
  private blocksLoop = false
  private readonly queue: ForestNode[]
  private at = 0
  private isCut = false

  constructor(
    private readonly forest: Forest,
    private readonly blocks: Blocks,
    private readonly options: SearchOptions,
    private readonly lazy?: Lazy,
  ) {
    this.queue = [forest.root]
  }

  /** Goes on after labels grew: these nodes are not covered any more. */
  uncovered(nodes: readonly ForestNode[]): void {
    this.queue.push(...nodes)
  }

  run(env: Env): Found {
    try {
      return this.grow(env)
    } catch (problem) {
      if (problem instanceof Undetermined) return { kind: 'undetermined', place: problem }
      throw problem
    }
  }

  private grow(env: Env): Found {
    for (; this.at < this.queue.length; this.at++) {
      const node = this.queue[this.at]!
      if (node.isDead || node.isExpanded || node.coveredBy) continue
      if (failing(node)) return { kind: 'error', node }
      // An attempt to cover it may have shown that nobody comes here.
      if (this.isCovered(node) || node.isDead) continue
      if (node.depth >= this.options.depth) this.isCut = true
      else if (isRunning(node)) this.queue.push(...this.forest.unwind(node))
      else this.choose(node)
      if (this.at % 16 > 0) continue
      const reason = env.stopped()
      if (reason) return { kind: 'stopped', reason }
      env.progress('forest', { nodes: this.forest.counts.nodes, covers: this.forest.counts.covers })
    }
    return { kind: 'complete', isCut: this.isCut }
  }

  // ---- E2

  private get usesPersistent(): boolean {
    return this.options.por === 'persistent' || this.options.por === 'both'
  }

  private get usesSleep(): boolean {
    return this.options.por === 'sleep' || this.options.por === 'both'
  }

  private choose(node: ForestNode): void {
    const { scheduler } = this.forest.ground
    this.forest.register(node)
    if (node.switches >= this.options.switches) {
      this.isCut ||= scheduler.schedule(node.scheduler).length > 0
      return
    }
    const choices = byThread(scheduler.schedule(node.scheduler))
    const all = [...choices.keys()]
    this.counts.choices += all.length
    for (const choice of this.reduced(node, choices)) this.connect(node, choice, choices.get(choice.thread)!)
    node.isFull = node.chosen.size === all.length
  }

  private reduced(node: ForestNode, choices: ReadonlyMap<number, readonly SchedulerState[]>): readonly Reduced[] {
    const { scheduler } = this.forest.ground
    const all = [...choices.keys()]
    // soundness 17: it chooses more than who runs, or remembers the order: then every choice depends on every other.
    const isPlain = [...choices.values()].every((states) => states.length === 1)
    if (this.options.por === 'none' || !isPlain || scheduler.remembersOrder(node.scheduler))
      return all.map((thread) => ({ thread, sleep: new Set() }))
    const persistent = this.usesPersistent && all.length > 1 ? persistentSet(node, all, this.blocks, scheduler) : all
    if (this.usesSleep) return sleepSets(node, persistent, node.sleep, this.blocks)
    return persistent.map((thread) => ({ thread, sleep: new Set() }))
  }

  /** What sleeps and does not depend on the thread goes on sleeping. */
  private kept(node: ForestNode, thread: number): ReadonlySet<number> {
    if (node.sleep.size === 0) return node.sleep
    const [only] = sleepSets(node, [thread], node.sleep, this.blocks)
    return only?.sleep ?? new Set()
  }

  private connect(node: ForestNode, { thread, sleep }: Reduced, states: readonly SchedulerState[]): void {
    node.chosen.add(thread)
    this.counts.chosen++
    for (const state of states) this.queue.push(this.forest.connect(node, state, sleep))
  }

  // ---- coverage

  private isCovered(node: ForestNode): boolean {
    const by = this.covererOf(node)
    if (!by) return false
    this.awake(by, node)
    this.forest.cover(node, by)
    // soundness 3: sleeping threads may be ignored on a cycle just as those outside persistent sets.
    if (this.usesPersistent) this.avoidIgnoring(node)
    return true
  }

  private covererOf(node: ForestNode): ForestNode | undefined {
    const found = this.awakeCoverer(node)
    if (found || !this.lazy) return found
    const forced = this.lazy.forceCover(node)
    if (forced) this.uncovered(forced.lost)
    return forced && this.awakeCoverer(node)
  }

  /** soundness 5: one whose sleep set is contained in that of the covered node, or can be made so. */
  private awakeCoverer(node: ForestNode): ForestNode | undefined {
    const coverers = this.forest.coverers(node)
    return (
      coverers.find((other) => missing(other.sleep, node.sleep).length === 0) ??
      coverers.find((other) => !isRunning(other))
    )
  }

  private avoidIgnoring(covered: ForestNode): void {
    const isSpurious = this.blocksLoop ? undefined : this.options.isSpurious
    const next = (): ForestNode | undefined => ignoringCycle(covered, isSpurious && ((cycle) => this.accept(cycle)))
    for (let ignored = next(); ignored; ignored = next()) this.expandFully(ignored)
    if (!isSpurious || !isRunning(covered) || !closesBlock(covered)) return
    // A block that loops may go round before it goes on: the cycles that were followed are not all there are.
    this.blocksLoop = true
    for (const cycle of this.accepted) for (const node of cycle) if (!isRunning(node)) this.expandFully(node)
  }

  private accept(cycle: Cycle): boolean {
    if (!this.options.isSpurious!(cycle)) return false
    this.counts.spuriousCycles++
    this.accepted.push(cycle)
    return true
  }

  /** What only the covered node would explore is explored at the coverer. Nobody sleeps because of another there. */
  private awake(by: ForestNode, node: ForestNode): void {
    const threads = missing(by.sleep, node.sleep)
    if (threads.length === 0) return
    by.sleep = common(by.sleep, node.sleep)
    for (const thread of threads) {
      this.counts.coverExpansions++
      this.add(by, thread, this.kept(by, thread))
    }
  }

  /** Algorithm 2: all that the scheduler offers, sleeping or not. */
  private expandFully(node: ForestNode): void {
    const { scheduler } = this.forest.ground
    this.counts.cycleExpansions++
    for (const thread of byThread(scheduler.schedule(node.scheduler)).keys()) this.add(node, thread, new Set())
    node.isFull = true
  }

  private add(node: ForestNode, thread: number, sleep: ReadonlySet<number>): void {
    const states = byThread(this.forest.ground.scheduler.schedule(node.scheduler)).get(thread)
    if (states && !node.chosen.has(thread)) this.connect(node, { thread, sleep }, states)
  }
}

const byThread = (states: readonly SchedulerState[]): Map<number, SchedulerState[]> => {
  const groups = new Map<number, SchedulerState[]>()
  for (const state of states) {
    const group = groups.get(state.running!)
    if (group) group.push(state)
    else groups.set(state.running!, [state])
  }
  return groups
}
