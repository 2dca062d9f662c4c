// The unrolled program under a memory model: control, reads-from and the order of writes are in the formula, the model
// is not. It is evaluated on the execution that the solver proposes; what it violates becomes a clause over the base
// edges that are to blame (solve, evaluate, explain: Haas, Meyer, Ponce de León: CAAT, OOPSLA 2022). Coherence for
// accesses of one thread and atomicity are told beforehand, as every model that is admitted here demands them.
import {
  type Model as Assignment,
  and,
  eq,
  evaluate,
  FALSE,
  implies,
  not,
  or,
  type Term,
  TRUE,
  variable,
} from '../../../../logic/index.js'
import { Evaluator, type ExecutionView, explainViolation, type Model } from '../../../../memory-model/index.js'
import type { Property } from '../../../../property/index.js'
import type { Encoding } from '../../../../xcfa/terms/index.js'
import { type Encoded, joined, waits } from '../encode.js'
import { type Event, type Execution, executeThreads } from '../events.js'
import { type Order, type OrderEncoding, orderOf } from '../order.js'
import { type ProgramOrder, programOrder } from '../program-order.js'
import type { Ranges } from '../ranges.js'
import type { Instance, UnrolledEdge, Unrolling } from '../unroll.js'
import { Candidate } from './candidate.js'
import { libraryOrder } from './library-order.js'
import { orderedRaces, racePairs } from './races.js'
import {
  coherenceBefore,
  type ReadSite,
  readWhole,
  type Site,
  type Sites,
  type Source,
  sameLocation,
  sitesOf,
} from './sites.js'
import { hasDependencies } from './suitable.js'
import { describeRace, raceTargets, viewCandidate } from './view.js'
import { finalValues, waitingThreads } from './waiting.js'

export interface WeakEncoding {
  readonly unrolling: Unrolling
  readonly execution: Execution
  readonly program: ProgramOrder
  readonly sites: Sites
  readonly sources: readonly Source[]
  /** The model speaks of them. */
  readonly hasDependencies: boolean
  /** The number of the thread that ended, as the join's term has it. */
  threadNumber(end: { readonly kind: string; readonly instance?: Instance }, like: Term): Term
}

export interface WeakEncoded extends Encoded {
  /** Two accesses that race: executed, in one place, one writes, not both atomic, and neither happens before the other. */
  readonly raceGoal: Term
  /** The execution of an assignment that violates nothing. */
  view(assignment: Assignment): ExecutionView
}

export const encodeUnder = (
  model: Model,
  unrolling: Unrolling,
  encoding: Encoding,
  ranges: Ranges,
  orderEncoding: OrderEncoding,
  property: Property,
): WeakEncoded => {
  const observers = property === 'no-deadlock'
  const execution = executeThreads(unrolling, encoding, ranges, observers, true)
  const { events, eventOf, taken } = execution
  const program = programOrder(unrolling, events, eventOf)
  // An order of all events exists because po and rf have no cycle: reads and joins come after what they wait for.
  const order = orderOf(events, program, orderEncoding)
  const executed = (event: Event): Term => or(event.node.outgoing.map((e) => taken.get(e)!))
  const sites = sitesOf(execution, encoding)
  const sources = sites.reads.map((read, i) => sourceOf(read, i, sites, order, program))
  const constraints: Term[] = [...execution.constraints, ...execution.initialMemory.constraints()]
  for (const source of sources) constraints.push(...sourceConstraints(source, order))
  constraints.push(...readWhole(sources), ...coherence(sites, sources, program), ...libraryOrder(sites, sources, order))
  const joinTerms = new Map<Term, Term>()
  for (const event of events)
    for (const { taken: here, thread } of event.joins) {
      const ended = joined(thread, event, unrolling, encoding, execution, order)
      constraints.push(implies(here, ended))
      joinTerms.set(here, and(joinTerms.get(here) ?? TRUE, ended))
    }
  const observed = (event: Event): Term =>
    observers && waits(event) ? variable(`observed${event.id}`, TRUE.sort) : TRUE
  const isActive = (event: Event): Term =>
    observed(event) === TRUE ? executed(event) : or(executed(event), observed(event))
  for (const event of events) {
    const looked = observed(event)
    if (looked === TRUE) continue
    constraints.push(...finalValues(event, looked, sites))
    for (const other of events)
      if (other.node.instance !== event.node.instance)
        constraints.push(or(not(looked), not(executed(other)), order.before(other, event)))
  }
  const races = property === 'no-data-race' ? racePairs(sites, program) : []
  for (const { literal, a, b } of races)
    constraints.push(implies(literal, and(a.condition, b.condition, sameLocation(a, b))))
  constraints.push(...order.axioms())
  const weak: WeakEncoding = {
    ...{ unrolling, execution, program, sites, sources, hasDependencies: hasDependencies(model) },
    threadNumber: (end, like) => {
      const constant = encoding.constant(end.instance!.template.self.type, end.instance!.number)
      if (constant.sort !== like.sort) throw new Error('thread numbers have different sorts')
      return constant
    },
  }
  const happening = (assignment: Assignment): readonly Event[] =>
    events.filter((e) => evaluate(isActive(e), assignment) === true)
  const repair = (assignment: Assignment): readonly Term[] => {
    const cycles = order.repair(assignment, happening(assignment))
    if (cycles.length > 0) return cycles
    const candidate = new Candidate(weak, assignment)
    const evaluator = new Evaluator(model, candidate.skeleton)
    evaluator.setRf(candidate.rf)
    evaluator.setCo(candidate.co)
    const clauses = violations(model, evaluator, candidate, weak, assignment)
    return clauses.length > 0 ? clauses : orderedRaces(model, evaluator, candidate, races, assignment)
  }
  return {
    ...{ execution, order, constraints, executed, observed, repair },
    inOrder: (assignment) => order.sorted(assignment, happening(assignment)),
    joins: (unrolled: UnrolledEdge) => joinTerms.get(taken.get(unrolled)!) ?? TRUE,
    raceGoal: or(races.map(({ literal }) => literal)),
    view: (assignment) => {
      const candidate = new Candidate(weak, assignment)
      const race = races.find(({ literal }) => evaluate(literal, assignment) === true)
      const notes = race
        ? describeRace(candidate, race.a, race.b)
        : observers
          ? waitingThreads(unrolling, execution, assignment)
          : []
      return {
        ...viewCandidate(candidate),
        ...(notes.length > 0 && { notes }),
        ...(race && { targets: raceTargets(candidate, race.a, race.b) }),
      }
    },
  }
}

const sourceOf = (read: ReadSite, index: number, { writes }: Sites, order: Order, program: ProgramOrder): Source => {
  const candidates = writes
    .filter((w) => w.event !== read.event && sameLocation(w, read) !== FALSE)
    .filter((w) => !program.exclude(w.event, read.event) && order.before(w.event, read.event) !== FALSE)
    .map((write, i) => ({ write, source: variable(`from:${index}:${i}`, TRUE.sort) }))
  return { read, initially: variable(`from:${index}:initially`, TRUE.sort), candidates }
}

/** A read that takes place has exactly one source, whose value it has and which comes before it. */
const sourceConstraints = ({ read, initially, candidates }: Source, order: Order): readonly Term[] => {
  const all = [initially, ...candidates.map(({ source }) => source)]
  return [
    implies(read.condition, or(all)),
    ...all.flatMap((a, i) => all.slice(i + 1).map((b) => or(not(a), not(b)))),
    implies(initially, eq(read.value, read.initial)),
    ...candidates.flatMap(({ source, write }) =>
      [
        write.condition,
        sameLocation(write, read),
        eq(read.value, write.value),
        order.before(write.event, read.event),
      ].map((fact) => implies(source, fact)),
    ),
  ]
}

/** Writes to a location are in an order that agrees with their threads and with what is read; nothing splits an rmw. */
const coherence = ({ writes }: Sites, sources: readonly Source[], program: ProgramOrder): readonly Term[] => {
  const result: Term[] = []
  const before = (a: Site, b: Site): boolean =>
    program.precedes(a.event, b.event) && a.event.node.instance === b.event.node.instance
  writes.forEach((a, i) => {
    for (const b of writes.slice(i + 1)) {
      const same = sameLocation(a, b)
      if (same === FALSE || a.event === b.event || program.exclude(a.event, b.event)) continue
      const both = and(a.condition, b.condition, same)
      if (before(a, b)) result.push(implies(both, coherenceBefore(a, b)))
      else if (before(b, a)) result.push(implies(both, coherenceBefore(b, a)))
      else result.push(implies(both, or(coherenceBefore(a, b), coherenceBefore(b, a))))
    }
  })
  for (const { read, initially, candidates } of sources)
    for (const w of writes) {
      const same = sameLocation(w, read)
      if (same === FALSE) continue
      const here = and(w.condition, read.condition, same)
      if (w.event === read.event) {
        // The write of a read-modify-write comes right after the one that is read; if it reads the initial value, first.
        for (const other of writes) {
          const collides = sameLocation(other, w)
          if (collides === FALSE || other.event === w.event) continue
          result.push(implies(and(here, initially, other.condition, collides), coherenceBefore(w, other)))
          for (const { source, write } of candidates)
            if (write !== other)
              result.push(
                implies(
                  and(here, source, other.condition, collides, coherenceBefore(write, other)),
                  coherenceBefore(w, other),
                ),
              )
        }
        for (const { source, write } of candidates) result.push(implies(and(here, source), coherenceBefore(write, w)))
        continue
      }
      if (before(w, read)) {
        result.push(or(not(here), not(initially)))
        for (const { source, write } of candidates)
          if (write !== w) result.push(implies(and(here, source), coherenceBefore(w, write)))
      }
      if (before(read, w))
        for (const { source, write } of candidates)
          if (write !== w) result.push(implies(and(here, source), coherenceBefore(write, w)))
    }
  return result
}

/** One clause for each axiom that the execution violates. */
const violations = (
  model: Model,
  evaluator: Evaluator,
  candidate: Candidate,
  weak: WeakEncoding,
  assignment: Assignment,
): readonly Term[] =>
  model.axioms
    .filter((axiom) => !evaluator.holds(axiom))
    .map((axiom) => {
      const { reasons, complete } = explainViolation(evaluator, axiom)
      return not(and(complete ? candidate.literals(reasons) : everything(weak, assignment)))
    })

/** Where what is missing matters, only the execution as a whole can be excluded. */
const everything = ({ execution, sources, sites }: WeakEncoding, assignment: Assignment): readonly Term[] => {
  const asIs = (term: Term): Term => (evaluate(term, assignment) === true ? term : not(term))
  const ranks = sites.writes.flatMap((a, i) =>
    sites.writes
      .slice(i + 1)
      .flatMap((b) =>
        a.place === b.place && a.event !== b.event ? [asIs(coherenceBefore(a, b)), asIs(sameLocation(a, b))] : [],
      ),
  )
  return [...execution.taken.values(), ...sources.flatMap((s) => [s.initially, ...s.candidates.map((c) => c.source)])]
    .map(asIs)
    .concat(ranks)
}
