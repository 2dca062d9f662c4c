// Building one forest (esst.txt, 4.7, steps 1 to 4): breadth first, nodes expanded by E1, and by E2 with the reduction
// that was asked for (rules E2' and E2''), until it is complete or an error node is there.
import type { Env } from '../engine.js'
import type { Forest } from './forest.js'
import { type ForestNode, failing, isRunning } from './node.js'
import type { Blocks } from './reduction/blocks.js'
import { ignoringCycle } from './reduction/cycles.js'
import { persistentSet } from './reduction/persistent.js'
import { common, missing, type Reduced, sleepSets } from './reduction/sleep.js'
import type { SchedulerState } from './schedulers/index.js'

export type PartialOrder = 'none' | 'persistent' | 'sleep' | 'both'

export interface SearchOptions {
  readonly por: PartialOrder
  /** Connectors on a path at most (7.3). */
  readonly switches: number
}

export type Found =
  | { readonly kind: 'error'; readonly node: ForestNode }
  /** `isCut`: some node was not expanded because of the bound. */
  | { readonly kind: 'complete'; readonly isCut: boolean }
  | { readonly kind: 'stopped'; readonly reason: string }

export class Search {
  readonly counts = { chosen: 0, choices: 0, coverExpansions: 0, cycleExpansions: 0 }
  private readonly queue: ForestNode[]
  private isCut = false

  constructor(
    private readonly forest: Forest,
    private readonly blocks: Blocks,
    private readonly options: SearchOptions,
  ) {
    this.queue = [forest.root]
  }

  run(env: Env): Found {
    for (let i = 0; i < this.queue.length; i++) {
      const node = this.queue[i]!
      if (failing(node)) return { kind: 'error', node }
      if (this.isCovered(node)) continue
      if (isRunning(node)) this.queue.push(...this.forest.unwind(node))
      else this.choose(node)
      if (i % 16 > 0) continue
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
    // The scheduler chooses more than who runs, or remembers the order: then every choice depends on every other.
    const isPlain = [...choices.values()].every((states) => states.length === 1)
    if (this.options.por === 'none' || !isPlain || scheduler.remembersOrder(node.scheduler))
      return all.map((thread) => ({ thread, sleep: new Set() }))
    const persistent = this.usesPersistent && all.length > 1 ? persistentSet(node, all, this.blocks, scheduler) : all
    if (this.usesSleep) return sleepSets(node, persistent, node.sleep, this.blocks, scheduler)
    return persistent.map((thread) => ({ thread, sleep: new Set() }))
  }

  /** What sleeps and does not depend on the thread goes on sleeping. */
  private kept(node: ForestNode, thread: number): ReadonlySet<number> {
    if (node.sleep.size === 0) return node.sleep
    const { scheduler } = this.forest.ground
    const [only] = sleepSets(node, [thread], node.sleep, this.blocks, scheduler)
    return only?.sleep ?? new Set()
  }

  private connect(node: ForestNode, { thread, sleep }: Reduced, states: readonly SchedulerState[]): void {
    node.chosen.add(thread)
    this.counts.chosen++
    for (const state of states) this.queue.push(this.forest.connect(node, state, sleep))
  }

  // ---- coverage

  private isCovered(node: ForestNode): boolean {
    const coverers = this.forest.coverers(node)
    const by =
      coverers.find((other) => missing(other.sleep, node.sleep).length === 0) ??
      coverers.find((other) => !isRunning(other))
    if (!by) return false
    this.awake(by, node)
    this.forest.cover(node, by)
    if (this.usesPersistent)
      for (let ignored = ignoringCycle(node); ignored; ignored = ignoringCycle(node)) this.expandFully(ignored)
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
    for (const thread of byThread(scheduler.schedule(node.scheduler)).keys())
      if (!node.chosen.has(thread)) this.add(node, thread, new Set())
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
