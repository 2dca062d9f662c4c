// RuleSafety for two threads at a time, beyond redcomp.txt: an assertion is about V_G and the locals of two threads, so
// that it can say that two of them never hold the same ticket, or are never inside together. A third thread interferes
// with a pair in states that its pairs with both of them have, too. Every thread but main always has main beside it, and
// main is alone before it starts the first one: nobody is left out. Sound for TRUE, like the view of one thread.
import { and, eq, not, substitute, type Term, TRUE, variable } from '../../../logic/index.js'
import type { Atom, Relation, Rule } from '../../../smt/index.js'
import { type Location, Unsupported } from '../../../xcfa/index.js'
import type { Thread } from '../program/specialise.js'
import type { StateSpace, StateVariable } from '../program/state.js'
import { owedBy, type Step, stepsOf } from '../program/steps.js'
import { type Counts, countsOf, liveWith, NO_COUNTS, ownersOf, type Place, withOwners } from './ghosts.js'
import { isIn } from './rule-safety.js'

export interface PairOptions {
  /** Overflow of signed operations is a goal, too. */
  readonly overflow: boolean
  readonly owners: boolean
  readonly counts: boolean
}

/** Who a copy of a thread's variables belongs to. */
type Role = 'first' | 'second' | 'third'

/** Where one or two threads are: one is main, alone. */
type Places = readonly [Place] | readonly [Place, Place]

interface Node {
  readonly places: Places
  readonly relation: Relation
}

export const rulePairs = (
  space: StateSpace,
  options: PairOptions,
): { readonly rules: readonly Rule[]; readonly steps: readonly Step[] } => {
  const clauses = new Pairs(space, options)
  clauses.generate()
  return { rules: clauses.rules, steps: clauses.steps }
}

class Pairs {
  readonly rules: Rule[] = []
  readonly steps: readonly Step[]
  private readonly stepsFrom = new Map<Location, Step[]>()
  private readonly shared: readonly StateVariable[]
  private readonly counts: Counts
  private readonly nodes = new Map<string, Node>()
  private readonly main: Thread
  private readonly hasOwners: boolean

  constructor(
    private readonly space: StateSpace,
    private readonly options: PairOptions,
  ) {
    this.main = space.threads[0]!
    const plain = space.threads.flatMap((thread) => stepsOf(space, thread))
    const owners = options.owners ? ownersOf(space, plain) : []
    this.hasOwners = owners.length > 0
    this.steps = plain.map((step) => withOwners(space, step, owners))
    for (const step of this.steps) {
      if (isIn(step.edge.target)) throw new Unsupported('blocks with loops, two threads at a time', step.edge.position)
      const from = this.stepsFrom.get(step.edge.source)
      if (from) from.push(step)
      else this.stepsFrom.set(step.edge.source, [step])
    }
    this.shared = [...space.shared, ...owners.map(({ owner }) => owner)]
    this.counts = options.counts ? countsOf(space, (l) => l.kind !== 'error') : NO_COUNTS
  }

  generate(): void {
    this.initially()
    for (const node of this.nodes.values())
      for (const [role, place] of rolesOf(node.places))
        for (const step of this.stepsFrom.get(place.location) ?? []) this.own(node, role, step)
    for (const node of this.nodes.values()) if (node.places[1]) this.interference(node)
  }

  // ---- assertions

  private readonly sharedTerms = (): readonly Term[] => [...this.shared.map(({ term }) => term), ...this.counts.terms]

  private node(places: Places): Node {
    const name = `${places.length === 1 ? 'Alone' : 'Pair'}_${places.map((p) => this.nameOf(p)).join('_')}`
    let node = this.nodes.get(name)
    if (!node) {
      const terms = [...this.sharedTerms(), ...rolesOf(places).flatMap(([, p]) => this.live(p))]
      node = { places, relation: { name, sorts: terms.map((t) => t.sort) } }
      this.nodes.set(name, node)
    }
    return node
  }

  private nameOf({ thread, location }: Place): string {
    return `${thread.index}.${this.space.code(location).value}`
  }

  private live({ thread, location }: Place): readonly Term[] {
    return liveWith(this.space, thread, location, this.hasOwners)
  }

  /** The assertion with the variables of its threads renamed to these roles. */
  private atom({ places, relation }: Node, roles: readonly Role[]): Atom {
    const own = rolesOf(places).flatMap(([, p], i) => this.live(p).map((t) => asRole(roles[i]!, t)))
    return { relation, args: [...this.sharedTerms(), ...own] }
  }

  /** Heads for a pair in canonical order; both orders where the places are the same. */
  private heads(a: Place, b: Place, valueAt: (place: Place, term: Term) => Term, sharedAfter: readonly Term[]): Atom[] {
    const ordered = (x: Place, y: Place): Atom => {
      const { relation } = this.node([x, y])
      const own = [x, y].flatMap((p) => this.live(p).map((t) => valueAt(p, t)))
      return { relation, args: [...sharedAfter, ...own] }
    }
    const order = this.order(a, b)
    if (order < 0) return [ordered(a, b)]
    return order > 0 ? [ordered(b, a)] : [ordered(a, b), ordered(b, a)]
  }

  private order(a: Place, b: Place): number {
    const codeOf = ({ location }: Place): number => Number(this.space.code(location).value)
    return a.thread.index - b.thread.index || codeOf(a) - codeOf(b)
  }

  // ---- clauses

  private initially(): void {
    const values = new Map<Term, Term>(this.counts.initial)
    const ranges: Term[] = []
    for (const { term, initial, range } of [...this.shared, ...this.space.own(this.main)])
      if (initial) values.set(term, initial)
      else ranges.push(range)
    const place = { thread: this.main, location: this.main.template.initial }
    const { relation } = this.node([place])
    const args = [...this.sharedTerms(), ...this.live(place)].map((t) => values.get(t) ?? t)
    this.add({ head: { relation, args }, body: [], constraint: and(ranges), name: 'S1' })
  }

  /** A step of one of the two: it moves on, and what it starts is beside both. */
  private own(node: Node, role: Role, step: Step): void {
    const { places } = node
    const placed = this.placing(role, step.thread, places)
    const body = [this.atom(node, ROLES)]
    const known = and(this.facts(places), this.counts.facts(places))
    const guard = and(placed(step.guard), known)
    if (this.isAsked(step.thread, places)) {
      for (const { kind, holds } of owedBy(step, this.options.overflow))
        this.add({ head: undefined, body, constraint: and(known, not(placed(holds))), name: kind })
      if (step.edge.target.kind === 'error') this.add({ head: undefined, body, constraint: guard, name: 'S7' })
    }
    if (step.edge.target.kind === 'error') return
    const moved: Place = { thread: step.thread, location: step.edge.target }
    const others = rolesOf(places).filter(([r]) => r !== role)
    const sharedAfter = this.sharedAfter(step, placed)
    const constraint = and(
      guard,
      step.started.map((child) => placed(child.guard)),
    )
    const born = step.started.map(({ thread, values }) => {
      const place: Place = { thread, location: thread.template.initial }
      return { place, value: (t: Term): Term => placed(values.get(t) ?? t) }
    })
    const beside = [
      { place: moved, value: (t: Term): Term => placed(step.changes.get(t) ?? t) },
      ...others.map(([r, place]) => ({ place, value: (t: Term): Term => asRole(r, t) })),
      ...born,
    ]
    if (beside.length === 1) {
      const { relation } = this.node([moved])
      const args = [...sharedAfter, ...this.live(moved).map((t) => beside[0]!.value(t))]
      this.add({ head: { relation, args }, body, constraint, name: 'S5' })
    }
    for (const [i, a] of beside.entries())
      for (const b of beside.slice(i + 1)) {
        const values = new Map([
          [a.place, a.value],
          [b.place, b.value],
        ])
        const heads = this.heads(a.place, b.place, (place, t) => values.get(place)!(t), sharedAfter)
        const apart = this.different(a.place.thread, a.value, b.place.thread, b.value)
        for (const head of heads) this.add({ head, body, constraint: and(constraint, apart), name: 'S5' })
      }
  }

  /** A step of a third thread that both see. */
  private interference(node: Node): void {
    const [a, b] = node.places as readonly [Place, Place]
    for (const step of this.steps) {
      const third: Place = { thread: step.thread, location: step.edge.source }
      if (step.thread.number !== undefined && (step.thread === a.thread || step.thread === b.thread)) continue
      if (step.edge.target.kind === 'error') continue
      const [withFirst, withSecond] = [this.existing(a, third), this.existing(b, third)]
      if (!withFirst || !withSecond) continue
      const placed = this.placing('third', step.thread, node.places)
      const sharedAfter = this.sharedAfter(step, placed)
      if (sharedAfter.every((t, i) => t === this.sharedTerms()[i])) continue
      const body = [
        this.atom(node, ROLES),
        this.atom(withFirst.node, withFirst.swapped ? ['third', 'first'] : ['first', 'third']),
        this.atom(withSecond.node, withSecond.swapped ? ['third', 'second'] : ['second', 'third']),
      ]
      const all = [...rolesOf(node.places), ['third', third] as const]
      const apart = all.flatMap(([r, p], i) =>
        all.slice(i + 1).map(([s, q]) => this.different(p.thread, inRole(r), q.thread, inRole(s))),
      )
      const known = this.counts.facts(all.map(([, p]) => p))
      const own = rolesOf(node.places).flatMap(([r, p]) => this.live(p).map((t) => asRole(r, t)))
      this.add({
        head: { relation: node.relation, args: [...sharedAfter, ...own] },
        body,
        constraint: and(placed(step.guard), apart, known),
        name: 'S6',
      })
    }
  }

  private existing(a: Place, b: Place): { readonly node: Node; readonly swapped: boolean } | undefined {
    const swapped = this.order(a, b) > 0
    const [x, y] = swapped ? [b, a] : [a, b]
    const node = this.nodes.get(`Pair_${this.nameOf(x)}_${this.nameOf(y)}`)
    return node && { node, swapped }
  }

  /** An error of a thread shows in each of its pairs: one is asked, with main. Main may have anybody beside it. */
  private isAsked(thread: Thread, places: Places): boolean {
    return thread === this.main || places[0].thread === this.main
  }

  private sharedAfter(step: Step, placed: (term: Term) => Term): readonly Term[] {
    const counted = this.counts.after(
      { thread: step.thread, location: step.edge.source },
      step.edge.target,
      step.started.map(({ thread }) => thread),
    )
    return this.sharedTerms().map((t) => counted.get(t) ?? (step.changes.has(t) ? placed(step.changes.get(t)!) : t))
  }

  /** Renames what the step says of its own thread, and fills in where the threads are. */
  private placing(role: Role, thread: Thread, places: Places): (term: Term) => Term {
    const values = new Map<Term, Term>(this.space.own(thread).map(({ term }) => [term, asRole(role, term)]))
    for (const { thread: other, location } of places)
      if (other.number !== undefined) values.set(this.space.counter(other), this.space.code(location))
    return (term) => substitute(term, values)
  }

  private facts(places: Places): Term {
    const [a, b] = places
    return b ? this.different(a.thread, inRole('first'), b.thread, inRole('second')) : TRUE
  }

  /** Two instances without a fixed number have different ones. */
  private different(a: Thread, first: (t: Term) => Term, b: Thread, second: (t: Term) => Term): Term {
    if (a.number !== undefined || b.number !== undefined) return TRUE
    const numberOf = (t: Thread): Term => this.space.value(t, t.template.self)
    return not(eq(first(numberOf(a)), second(numberOf(b))))
  }

  private add(rule: Rule): void {
    if (rule.constraint.op !== 'const' || rule.constraint === TRUE) this.rules.push(rule)
  }
}

const ROLES = ['first', 'second'] as const

const rolesOf = (places: Places): readonly (readonly [Role, Place])[] =>
  places.map((place, i) => [ROLES[i]!, place] as const)

const asRole = (role: Role, term: Term): Term => variable(`${role} ${term.name}`, term.sort)
const inRole =
  (role: Role) =>
  (term: Term): Term =>
    asRole(role, term)
