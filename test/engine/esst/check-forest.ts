// Whether a forest is a proof (esst.txt, Definition 4.3, completeness and safety of 4.3, Theorem 4.7), with a solver of its
// own. The program is executed again edge by edge, and so is the scheduler; of the certificate only the shape of the
// forest, its labels, sleep sets and covers are believed, and each is checked. Where choices of the scheduler are left
// out, persistent sets, sleep sets and the cycle condition (soundness 3 and 5) must justify it.

import { type Arguments, combinations } from '../../../src/engine/esst/arguments.js'
import type { CertificateNode, ForestCertificate } from '../../../src/engine/esst/certificate.js'
import { executionsOf, threadsAfter } from '../../../src/engine/esst/execute.js'
import { type Executed, Ground } from '../../../src/engine/esst/ground.js'
import { knownValue } from '../../../src/engine/esst/handles.js'
import { type Configured, failing, isRunning, keyOf } from '../../../src/engine/esst/node.js'
import { Operations } from '../../../src/engine/esst/operations.js'
import { threadedProgram } from '../../../src/engine/esst/program.js'
import { Blocks } from '../../../src/engine/esst/reduction/blocks.js'
import { persistentSet } from '../../../src/engine/esst/reduction/persistent.js'
import { Regions, substitute, TOP } from '../../../src/engine/esst/regions.js'
import type { Term } from '../../../src/logic/index.js'
import * as logic from '../../../src/logic/index.js'
import type { Property } from '../../../src/property/index.js'
import { Refused, SCHEDULERS, type SchedulerName } from '../../../src/semantics/cooperative/schedulers/index.js'
import type { Smt } from '../../../src/smt/index.js'
import { type Edge, type Expr, type Program, Unsupported } from '../../../src/xcfa/index.js'
import { createEncoding, type Obligation, openObligation, regionTerm } from '../../../src/xcfa/terms/index.js'

/** A node as it was rebuilt, with its label over the program's variables. */
interface Rebuilt extends Configured {
  readonly node: CertificateNode
  readonly key: string
  readonly label: readonly Term[]
  readonly children: Rebuilt[]
  /** How it was reached from its parent, if by an edge. */
  readonly executed?: Executed
}

export interface CheckOptions {
  /** The verdict says so: overflow is not looked at. */
  readonly overflowOpen?: boolean
  readonly stopped?: () => string | undefined
}

/** What is wrong with the proof; undefined: nothing. It ends with `undecided` if only the checker is to blame. */
export const checkForest = (
  raw: Program,
  property: Property,
  certificate: ForestCertificate,
  smt: Smt,
  { overflowOpen = false, stopped = () => undefined }: CheckOptions = {},
): string | undefined => {
  const entry = SCHEDULERS[certificate.scheduler as SchedulerName]
  if (!entry) return `there is no scheduler ${certificate.scheduler}`
  if (certificate.spuriousCycles > 0) return 'cycles that were found to be spurious: undecided'
  const program = threadedProgram(raw, property)
  const pointerWidth = raw.dataModel === 'lp64' ? 64 : 32
  const operations = new Operations(program, createEncoding(certificate.arithmetic, { pointerWidth }))
  const regions = new Regions(smt, operations, { rlimit: 20_000_000 })
  const ground = new Ground(program, entry.create(certificate.order), operations, regions)
  const blocks = new Blocks(ground, raw, certificate.guarded)
  try {
    return new Checker(ground, blocks, certificate, overflowOpen, stopped).problem()
  } catch (problem) {
    if (problem instanceof Wrong) return problem.message
    if (problem instanceof Unsupported || problem instanceof Refused) return `${problem.message}: undecided`
    throw problem
  } finally {
    regions.dispose()
  }
}

class Wrong extends Error {}

class Checker {
  private readonly rebuilt = new Map<number, Rebuilt>()

  constructor(
    private readonly ground: Ground,
    private readonly blocks: Blocks,
    private readonly certificate: ForestCertificate,
    private readonly overflowOpen: boolean,
    private readonly stopped: () => string | undefined,
  ) {}

  problem(): string | undefined {
    for (const node of this.certificate.nodes) this.rebuild(node)
    for (const each of this.rebuilt.values()) {
      const reason = this.stopped()
      if (reason) return `${reason}: undecided`
      // Nobody is where the label contradicts what is known of a handle.
      if (this.facts(each).includes(logic.FALSE)) continue
      if (failing(each)) return `node ${each.node.id} is at an error`
      if (each.node.coveredBy !== undefined) this.checkCover(each)
      else if (isRunning(each)) this.checkRunning(each)
      else this.checkChoices(each)
    }
    return this.certificate.persistent ? this.ignoringProblem() : undefined
  }

  private wrong(node: CertificateNode, text: string): Wrong {
    return new Wrong(`node ${node.id}: ${text}`)
  }

  private fail(node: CertificateNode, text: string): never {
    throw this.wrong(node, text)
  }

  // ---- from the certificate to configurations

  private rebuild(node: CertificateNode): void {
    const parent = node.parent === undefined ? undefined : this.rebuilt.get(node.parent)
    if (this.rebuilt.has(node.id) || (!parent && this.rebuilt.size > 0)) this.fail(node, 'out of order')
    const { configured, executed } = parent
      ? this.reached(node, parent)
      : { configured: this.root(), executed: undefined }
    const label = node.label.map((text) => logic.parseTerm(text, (name) => this.termOf(name, configured)))
    const rebuilt: Rebuilt = {
      // Guarded independence asks for the region.
      ...{ ...configured, global: new Map(label.map((fact) => [fact, true])) },
      ...{ node, label, key: keyOf(configured), children: [] },
      ...(executed && { executed }),
    }
    this.rebuilt.set(node.id, rebuilt)
    if (parent) parent.children.push(rebuilt)
    else this.checkRoot(rebuilt)
  }

  private root(): Configured {
    const { main } = this.ground.program
    const threads = [{ template: main, location: main.initial, data: TOP }]
    return { threads, global: TOP, scheduler: this.ground.scheduler.initial(), handles: new Map() }
  }

  private reached(node: CertificateNode, parent: Rebuilt) {
    if (node.edge === undefined) {
      const scheduler = isRunning(parent) ? undefined : this.choices(parent)[node.choice ?? -1]
      if (!scheduler) return this.fail(node, 'the scheduler has no such choice')
      if ((node.label as unknown) && !subset(node.label, parent.node.label))
        this.fail(node, 'more than before a choice')
      return { configured: { ...parent, scheduler }, executed: undefined }
    }
    const edge = this.edgesOf(parent).find(({ id }) => id === node.edge)
    if (!edge) return this.fail(node, 'an edge that the running thread does not have')
    const [executed] = executionsOf(this.ground, parent, edge, (args) => this.argumentsOf(parent, args, node.args))
    if (!executed) return this.fail(node, 'values of arguments are missing')
    const { scheduler, handles } = executed
    return { configured: { threads: threadsAfter(parent, edge, executed), global: TOP, scheduler, handles }, executed }
  }

  private edgesOf(at: Configured): readonly Edge[] {
    const thread = at.scheduler.running
    return thread === null ? [] : this.ground.edgesFrom(at.threads[thread]!.location)
  }

  private choices({ scheduler }: Configured) {
    return this.ground.scheduler.schedule(scheduler)
  }

  private argumentsOf(at: Configured, args: readonly Expr[], given: readonly number[] = []): readonly Arguments[] {
    const thread = at.scheduler.running!
    const values = args.map((arg, i) => {
      const known = knownValue(arg, (v) => this.ground.valueOf(at.handles, v, thread))
      if (known !== undefined) return { found: [known], isFree: false }
      return { found: given.slice(i, i + 1), isFree: true }
    })
    return combinations(args, values)
  }

  /** Names by xcfa/terms/path.ts. */
  private termOf(name: string, { threads }: Configured): Term | undefined {
    const [, owner, kind, id] = /^(?:(\d+):)?(memory:)?.*#(-?\d+)$/.exec(name) ?? []
    const { program, operations } = this.ground
    const thread = Number(owner ?? 0)
    if (kind) {
      const region = program.regions.find((each) => each.id === Number(id))
      return region && regionTerm(region, thread, operations.encoding)
    }
    const { template } = threads[thread] ?? { template: undefined }
    const own = template ? [...template.locals, ...template.parameters, template.self] : []
    const v = (owner === undefined ? program.globals : own).find((each) => each.id === Number(id))
    return v && operations.variable(v, thread)
  }

  // ---- the rules

  private facts({ label, handles }: Rebuilt): readonly Term[] {
    return label.map(this.ground.named(handles))
  }

  private checkRoot(root: Rebuilt): void {
    const { operation, memory } = this.ground.operations.initial()
    const first = this.ground.operations.transition(operation, () => undefined)
    for (const fact of root.label)
      if (!this.ground.regions.holds([memory], first, substitute(fact, first.substitution)))
        this.fail(root.node, 'the label does not hold at first')
  }

  /** Definition 4.3; soundness 5. */
  private checkCover(covered: Rebuilt): void {
    const { node } = covered
    const by = this.rebuilt.get(node.coveredBy!)
    if (!by || by.node.coveredBy !== undefined) throw this.wrong(node, 'covered by a node that is covered itself')
    if (by.key !== covered.key) this.fail(node, 'covered by a node at another place')
    if (!this.ground.regions.implies(this.facts(covered), this.facts(by)))
      this.fail(node, `its label does not imply that of ${by.node.id}, which covers it`)
    if (!subset(by.node.sleep ?? [], node.sleep ?? []))
      this.fail(node, 'threads sleep at its coverer that do not sleep here')
    if (covered.children.length > 0) this.fail(node, 'covered, but expanded')
  }

  /** Lemma 4.6 (1), and that no edge is missing. */
  private checkRunning(at: Rebuilt): void {
    const { regions, scheduler } = this.ground
    const facts = this.facts(at)
    const thread = at.scheduler.running!
    for (const edge of this.edgesOf(at)) {
      if (scheduler.isNative?.(at.scheduler)) this.ground.refuseNative(edge)
      const children = at.children.filter(({ node }) => node.edge === edge.id)
      for (const child of children) {
        const transition = this.ground.transition(edge, thread, at.handles, child.executed!)
        this.checkInRange(at, facts, transition.obligations)
        for (const fact of this.facts(child))
          if (!regions.holds(facts, transition, substitute(fact, transition.substitution)))
            this.fail(child.node, 'its label does not hold after the edge')
        if (!subset(child.node.sleep ?? [], at.node.sleep ?? []))
          this.fail(child.node, 'a thread fell asleep in a block')
      }
      this.checkNothingElse(at, edge, children, facts)
    }
  }

  /** Arguments have no other values than those of the children; without a child, nobody takes the edge. */
  private checkNothingElse(at: Rebuilt, edge: Edge, children: readonly Rebuilt[], facts: readonly Term[]): void {
    if (children.some(({ node }) => !node.args)) return
    const { operations, regions } = this.ground
    const thread = at.scheduler.running!
    const known = (v: Parameters<Ground['valueOf']>[1], t: number) => this.ground.valueOf(at.handles, v, t)
    const labels = edge.labels.filter(({ kind }) => kind !== 'primitive' && kind !== 'start')
    const transition = operations.transition([{ thread, labels }], known)
    this.checkInRange(at, facts, transition.obligations)
    const others = children.map(({ executed }) => {
      const taken = this.ground.transition(edge, thread, at.handles, executed!)
      return logic.not(taken.guard)
    })
    if (regions.isFeasible(facts, { ...transition, guard: logic.and(transition.guard, others) }))
      this.fail(at.node, `edge ${edge.id} is missing`)
  }

  private checkInRange(at: Rebuilt, facts: readonly Term[], obligations: readonly Obligation[]): void {
    const always = { guard: logic.TRUE, substitution: new Map(), obligations: [] }
    for (const { kind, holds } of obligations)
      if (!(kind === 'overflow' && this.overflowOpen) && !this.ground.regions.holds(facts, always, holds))
        this.fail(at.node, openObligation(kind))
  }

  /** E2, or E2' and E2'' with what justifies them. */
  private checkChoices(at: Rebuilt): void {
    const { scheduler } = this.ground
    const states = this.choices(at)
    const taken = new Set(at.children.map(({ node }) => node.choice))
    for (const child of at.children)
      if (!this.ground.regions.implies(this.facts(at), this.facts(child)))
        this.fail(child.node, 'its label does not hold before the choice')
    this.checkSleep(at)
    if (states.every((_, i) => taken.has(i))) return
    const all = states.map(({ running }) => running!)
    if (new Set(all).size < all.length || scheduler.remembersOrder(at.scheduler))
      this.fail(at.node, 'a choice is missing that depends on the others')
    const needed = this.certificate.persistent ? persistentSet(at, all, this.blocks, scheduler) : all
    const sleep = at.node.sleep ?? []
    const missing = needed.find((thread) => !sleep.includes(thread) && !taken.has(all.indexOf(thread)))
    if (missing !== undefined) this.fail(at.node, `thread ${missing} is not chosen`)
  }

  /** Whoever sleeps after a choice slept before it, or was chosen beside it, in some order of the choices. */
  private checkSleep(at: Rebuilt): void {
    const after = new Map<number, readonly number[]>()
    for (const { scheduler, node } of at.children)
      after.set(scheduler.running!, [...(after.get(scheduler.running!) ?? []), ...(node.sleep ?? [])])
    const earlier = new Map<number, readonly number[]>()
    for (const [thread, asleep] of after) {
      for (const other of asleep)
        if (this.blocks.areDependentNow(at, thread, other))
          this.fail(at.node, `${other} sleeps, but depends on ${thread}`)
      earlier.set(
        thread,
        asleep.filter((other) => !at.node.sleep?.includes(other)),
      )
      if (earlier.get(thread)!.some((other) => !after.has(other)))
        this.fail(at.node, 'somebody sleeps who was not chosen')
    }
    if (hasCycle(earlier)) this.fail(at.node, 'choices sleep because of each other')
  }

  // ---- soundness 3

  /** Without the fully expanded nodes no cycle has a choice on it. */
  private ignoringProblem(): string | undefined {
    const isFull = (at: Rebuilt): boolean =>
      !isRunning(at) && at.node.coveredBy === undefined && at.children.length === this.choices(at).length
    const next = (at: Rebuilt): readonly Rebuilt[] =>
      [...at.children, ...(at.node.coveredBy === undefined ? [] : [this.rebuilt.get(at.node.coveredBy)!])].filter(
        (each) => !isFull(each),
      )
    for (const component of components(
      [...this.rebuilt.values()].filter((each) => !isFull(each)),
      next,
    ))
      if (component.length > 1 && component.some((each) => !isRunning(each)))
        return `node ${component[0]!.node.id}: a cycle on which nobody is fully expanded`
    return undefined
  }
}

const subset = <T>(a: readonly T[], b: readonly T[]): boolean => a.every((each) => b.includes(each))

const hasCycle = (graph: ReadonlyMap<number, readonly number[]>): boolean =>
  components([...graph.keys()], (thread) => graph.get(thread) ?? []).some(
    (component) => component.length > 1 || graph.get(component[0]!)?.includes(component[0]!),
  )

/** Strongly connected components (Tarjan), without recursion: forests are deep. */
const components = <T>(nodes: readonly T[], next: (node: T) => readonly T[]): readonly (readonly T[])[] => {
  const index = new Map<T, number>()
  const low = new Map<T, number>()
  const stack: T[] = []
  const onStack = new Set<T>()
  const found: T[][] = []
  const enter = (node: T): { readonly node: T; readonly left: T[] } => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    onStack.add(node)
    return { node, left: [...next(node)] }
  }
  for (const root of nodes) {
    if (index.has(root)) continue
    const work = [enter(root)]
    while (work.length > 0) {
      const { node, left } = work.at(-1)!
      const child = left.pop()
      if (child !== undefined) {
        if (!index.has(child)) work.push(enter(child))
        else if (onStack.has(child)) low.set(node, Math.min(low.get(node)!, index.get(child)!))
        continue
      }
      work.pop()
      const parent = work.at(-1)?.node
      if (parent !== undefined) low.set(parent, Math.min(low.get(parent)!, low.get(node)!))
      if (low.get(node) !== index.get(node)) continue
      const component: T[] = []
      for (let each = stack.pop()!; ; each = stack.pop()!) {
        onStack.delete(each)
        component.push(each)
        if (each === node) break
      }
      found.push(component)
    }
  }
  return found
}
