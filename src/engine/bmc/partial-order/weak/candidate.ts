// A solver's model as an execution graph: the events that take place, what each read reads from, the order of writes.
// Every node and edge knows the literals that make it so, for the clauses that explanations become.
import { type Model as Assignment, eq, evaluate, FALSE, not, type Term, TRUE } from '../../../../logic/index.js'
import { type BaseEdge, INITIAL, Relation, type Skeleton } from '../../../../memory-model/index.js'
import type { WeakEncoding } from './encode.js'
import { type GraphNode, graphNodes, holdsIn, initialNodes, locationOf } from './nodes.js'
import { coherenceBefore, type Site, type WriteSite } from './sites.js'

/** An execution that the solver proposes; the memory model decides whether it is one. */
export class Candidate {
  readonly nodes: readonly GraphNode[]
  readonly skeleton: Skeleton
  readonly rf: Relation
  readonly co: Relation
  private readonly locations: ReadonlyMap<string, number>
  private readonly ids = new Map<Site, number>()
  private readonly sourceLiterals = new Map<number, Term>()

  constructor(
    readonly encoding: WeakEncoding,
    readonly model: Assignment,
  ) {
    const moving = graphNodes(encoding, model)
    const touched = new Set(moving.flatMap(({ location }) => (location === undefined ? [] : [location])))
    this.locations = new Map([...touched].map((location, i) => [location, i]))
    this.nodes = [...moving, ...initialNodes(touched)]
    for (const [id, { site }] of this.nodes.entries()) if (site) this.ids.set(site, id)
    this.rf = this.readsFrom(moving.length)
    this.co = this.relation((a, b) => this.isCoherenceBefore(a, b))
    this.skeleton = this.skeletonOf()
  }

  /** The node of a site, if it takes place. */
  nodeOf(site: Site): number | undefined {
    return this.ids.get(site)
  }

  /** The literals behind base edges: together they say that these edges are there. */
  literals(reasons: readonly BaseEdge[]): readonly Term[] {
    const involved = new Set(reasons.flatMap(({ from, to }) => [from, to]))
    const all = [...involved].map((id) => this.nodes[id]!)
    const present = all.map(({ literal }) => literal).filter((literal) => literal !== TRUE)
    return [...new Set([...reasons.flatMap((reason) => this.literalOf(reason)), ...present, ...this.sameCells(all)])]
  }

  private literalOf({ relation, from, to }: BaseEdge): readonly Term[] {
    const [a, b] = [this.nodes[from]!, this.nodes[to]!]
    if (relation === 'rf') return [this.sourceLiterals.get(to)!]
    if (relation === 'co') return a.site && b.site ? [coherenceBefore(a.site as WriteSite, b.site as WriteSite)] : []
    if (relation === 'join' && b.role?.kind === 'join')
      return [eq(b.role.thread, this.encoding.threadNumber(a.role!, b.role.thread))]
    return []
  }

  /** Which of the cells that are involved are the same, and which are not, is a part of the reasons. */
  private sameCells(nodes: readonly GraphNode[]): readonly Term[] {
    return nodes.flatMap(({ site: a }, i) =>
      nodes.slice(i + 1).flatMap(({ site: b }) => {
        if (!a?.address || !b?.address || a.place !== b.place) return []
        const same = eq(a.address, b.address)
        if (same === TRUE || same === FALSE) return []
        return [holdsIn(same, this.model) ? same : not(same)]
      }),
    )
  }

  /** Initial writes are the last nodes, in the order of the locations. */
  private readsFrom(firstInitial: number): Relation {
    const rf = new Relation(this.nodes.length)
    for (const { read, initially, candidates } of this.encoding.sources) {
      const to = this.ids.get(read)
      if (to === undefined) continue
      const chosen = candidates.find(({ source, write }) => holdsIn(source, this.model) && this.ids.has(write))
      const initial = firstInitial + this.locations.get(locationOf(read, this.model))!
      rf.add(chosen ? this.ids.get(chosen.write)! : initial, to)
      this.sourceLiterals.set(to, chosen ? chosen.source : initially)
    }
    return rf
  }

  private skeletonOf(): Skeleton {
    const none = new Relation(this.nodes.length)
    const po = this.relation((a, b) => this.isProgramBefore(a, b))
    // What a compiler leaves of a program's dependencies is not known: at the most, all that follows a read depends on it.
    const dependent = (kinds: string): Relation =>
      this.encoding.hasDependencies
        ? Relation.of(
            this.nodes.length,
            [...po.pairs()].filter(([a, b]) => this.nodes[a]!.kind === 'R' && kinds.includes(this.nodes[b]!.kind)),
          )
        : none
    return {
      events: this.nodes.map(({ thread, kind, tags, location }, id) => ({
        ...{ id, thread, kind, tags },
        ...(location !== undefined && { location: this.locations.get(location)! }),
      })),
      po,
      si: this.relation((a, b) => a === b),
      rmw: this.relation(isReadModifyWrite),
      ...{ addr: dependent('RW'), data: dependent('W'), ctrl: dependent('RWF'), amo: none, rcuSections: none },
      more: {
        casdep: dependent('R'),
        start: this.relation(isStart),
        join: this.relation((a, b) => this.isJoin(a, b)),
      },
    }
  }

  private relation(test: (a: GraphNode, b: GraphNode) => boolean): Relation {
    const result = new Relation(this.nodes.length)
    this.nodes.forEach((a, i) => {
      this.nodes.forEach((b, j) => {
        if (i !== j && test(a, b)) result.add(i, j)
      })
    })
    return result
  }

  private isProgramBefore(a: GraphNode, b: GraphNode): boolean {
    if (a.thread !== b.thread || a.thread === INITIAL) return false
    if (a.role?.kind === 'begin') return b.role?.kind !== 'begin'
    if (b.role?.kind === 'begin') return false
    return a.event === b.event ? a.phase < b.phase : this.encoding.program.precedes(a.event!, b.event!)
  }

  private isCoherenceBefore(a: GraphNode, b: GraphNode): boolean {
    if (a.kind !== 'W' || b.kind !== 'W' || a.location !== b.location || !b.site) return false
    return !a.site || this.rankOf(a.site) < this.rankOf(b.site)
  }

  private rankOf(site: Site): bigint {
    return BigInt(evaluate((site as WriteSite).rank, this.model) as bigint | number)
  }

  private isJoin({ role: end }: GraphNode, { role: join }: GraphNode): boolean {
    if (end?.kind !== 'end' || join?.kind !== 'join') return false
    return Number(evaluate(join.thread, this.model)) === end.instance.number
  }
}

const isReadModifyWrite = (a: GraphNode, b: GraphNode): boolean =>
  a.kind === 'R' &&
  b.kind === 'W' &&
  a.event !== undefined &&
  a.event === b.event &&
  a.location === b.location &&
  a.tags.includes('A')

const isStart = ({ role: start }: GraphNode, { role: begin }: GraphNode): boolean =>
  start?.kind === 'start' && begin?.kind === 'begin' && start.started.includes(begin.instance)
