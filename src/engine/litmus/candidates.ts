// The candidate executions of a test: a path for each thread, a write for each read (rf), an order of the writes to
// each cell (co). Choices are made in this order, and dropped as soon as a value, the wanted condition or an axiom that
// cannot be mended by further choices speaks against them.
import type { Condition, LitmusTest } from '../../frontend/litmus/test.js'
import { Evaluator, type Event, INITIAL, type Model, Relation, type Skeleton } from '../../memory-model/index.js'
import { evaluateCondition, type Known, termsOf } from './condition.js'
import type { Layout } from './layout.js'
import type { Edge, Path, PathEvent } from './paths.js'
import { constantOf, knownValue, type ReadEvent, readsIn, type SymbolicValue } from './symbolic.js'

/** A complete execution that satisfies what was asked for. */
export interface Candidate {
  readonly events: readonly PathEvent[]
  readonly skeleton: Skeleton
  readonly rf: Relation
  readonly co: Relation
  readonly values: ReadonlyMap<ReadEvent, bigint>
  readonly known: Known
  /** Values that depend on themselves: what they are is not determined. */
  readonly thinAir: boolean
  readonly evaluator: Evaluator
}

export interface Search {
  readonly test: LitmusTest
  readonly layout: Layout
  readonly model: Model
  /** Whether inconsistent candidates are left out; otherwise the visitor sees them, too. */
  readonly consistentOnly: boolean
  /** Must hold of the final state. */
  readonly goals: readonly Condition[]
  /** Asked now and then. */
  readonly expired: () => boolean
}

export type Visit = (candidate: Candidate) => 'go-on' | 'stop'

/** 'stopped' by the visitor, or 'expired'. */
export type Outcome = 'complete' | 'stopped' | 'expired'

class Halt extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super(outcome)
    this.outcome = outcome
  }
}

export const enumerate = (search: Search, paths: readonly (readonly Path[])[], visit: Visit): Outcome => {
  try {
    combine(search, plausible(search, paths), [], visit)
    return 'complete'
  } catch (halt) {
    if (halt instanceof Halt) return halt.outcome
    throw halt
  }
}

const combine = (search: Search, paths: readonly (readonly Path[])[], chosen: readonly Path[], visit: Visit): void => {
  if (chosen.length === paths.length) {
    new Combination(search, chosen, visit).run()
    return
  }
  for (const path of paths[chosen.length]!) combine(search, paths, [...chosen, path], visit)
}

/** Leaves out paths that need a value which no write can write: most guesses of an address are such. */
const plausible = (search: Search, all: readonly (readonly Path[])[]): readonly (readonly Path[])[] => {
  let paths = all
  for (;;) {
    const values = possibleValues(search, paths)
    const next = paths.map((ofThread) => ofThread.filter((path) => path.conditions.every((c) => isPossible(c, values))))
    if (next.every((ofThread, i) => ofThread.length === paths[i]!.length)) return next
    paths = next
  }
}

type Values = ReadonlyMap<bigint, ReadonlySet<bigint> | 'any'>

const possibleValues = (search: Search, paths: readonly (readonly Path[])[]): Values => {
  const values = new Map<bigint, Set<bigint> | 'any'>()
  const events = paths.flat().flatMap((path) => path.events)
  for (const event of events)
    if (event.cell !== undefined && !values.has(event.cell))
      values.set(event.cell, new Set([search.layout.initial(event.cell)]))
  const writes = events.filter((event) => event.kind === 'W')
  for (let changed = true; changed; ) {
    changed = false
    for (const write of writes) {
      const before = values.get(write.cell!)!
      const { value } = write
      if (before === 'any') continue
      const source =
        value!.kind === 'constant'
          ? new Set([value!.value])
          : value!.kind === 'read'
            ? values.get((value!.read as PathEvent).cell!)!
            : 'any'
      if (source === 'any') {
        values.set(write.cell!, 'any')
        changed = true
      } else
        for (const one of source)
          if (!before.has(one)) {
            before.add(one)
            changed = true
          }
    }
  }
  return values
}

const isPossible = (condition: SymbolicValue, values: Values): boolean => {
  if (condition.kind !== 'operation' || condition.operator !== '==') return true
  const [a, b] = condition.operands
  if (a?.kind !== 'read' || b?.kind !== 'constant') return true
  const possible = values.get((a.read as PathEvent).cell!)
  return possible === undefined || possible === 'any' || possible.has(b.value)
}

/** The executions in which each thread takes a given path. */
class Combination {
  private readonly search: Search
  private readonly visit: Visit
  private readonly paths: readonly Path[]
  private readonly events: readonly PathEvent[]
  private readonly id: ReadonlyMap<PathEvent, number>
  private readonly reads: readonly PathEvent[]
  private readonly writesOf = new Map<bigint, PathEvent[]>()
  private readonly conditions: readonly SymbolicValue[]
  private evaluator: Evaluator | undefined
  private steps = 0

  constructor(search: Search, paths: readonly Path[], visit: Visit) {
    this.search = search
    this.visit = visit
    this.paths = paths
    const own = paths.flatMap((path) => path.events)
    const accessed = new Map<bigint, PathEvent>()
    for (const event of own) if (event.cell !== undefined && event.kind !== 'F') accessed.set(event.cell, event)
    const initial = [...accessed].map(
      ([cell, { size }], i): PathEvent => ({
        kind: 'W',
        thread: INITIAL,
        cell,
        size,
        tags: [],
        value: constantOf(search.layout.initial(cell)),
        access: -1 - i,
        text: '',
        line: 0,
      }),
    )
    this.events = [...initial, ...own]
    this.id = new Map(this.events.map((event, i) => [event, i]))
    for (const event of this.events)
      if (event.kind === 'W') this.writesOf.set(event.cell!, [...(this.writesOf.get(event.cell!) ?? []), event])
    this.conditions = paths.flatMap((path) => path.conditions)
    this.reads = this.byCell(own.filter((event) => event.kind === 'R'))
  }

  /**
   * Reads of one cell one after the other, those with few choices first: what a cell forbids is seen early. Among
   * equals, those that decide whether the goals hold come first.
   */
  private byCell(reads: readonly PathEvent[]): readonly PathEvent[] {
    const cells = new Map<bigint, PathEvent[]>()
    for (const read of reads) cells.set(read.cell!, [...(cells.get(read.cell!) ?? []), read])
    const choices = (cell: bigint): number => this.writesOf.get(cell)!.length ** cells.get(cell)!.length
    const distance = this.distances()
    const far = (cell: bigint): number => distance.get(cell) ?? cells.size
    return [...cells].sort(([a], [b]) => choices(a) - choices(b) || far(a) - far(b)).flatMap(([, ofCell]) => ofCell)
  }

  /** How far a cell is from the goals and the threads' branches: a read that these depend on, a write that it reads, … */
  private distances(): ReadonlyMap<bigint, number> {
    const { goals, test, layout } = this.search
    const distance = new Map<bigint, number>()
    let next: bigint[] = []
    const depend = (symbols: readonly SymbolicValue[]): void => {
      for (const { cell } of symbols.flatMap(readsIn) as PathEvent[]) if (cell !== undefined) next.push(cell)
    }
    depend(this.conditions)
    for (const term of goals.flatMap(termsOf)) {
      const symbol = term.kind === 'register' ? this.paths[term.thread]?.registers.get(term.name) : undefined
      if (symbol) depend([symbol])
      if (term.kind !== 'memory') continue
      const object = test.objects.find(({ name }) => name === term.object)!
      const address = object.address + BigInt(term.index * object.elementSize)
      for (const { cell } of layout.cells(address, object.elementSize))
        depend((this.writesOf.get(cell) ?? []).map(({ value }) => value!))
    }
    for (let steps = 0; next.length > 0; steps++) {
      const found = [...new Set(next)].filter((cell) => !distance.has(cell))
      next = []
      for (const cell of found) distance.set(cell, steps)
      for (const cell of found) depend((this.writesOf.get(cell) ?? []).map(({ value }) => value!))
    }
    return distance
  }

  run(): void {
    this.chooseRf(0, new Map(), new Map())
  }

  private pulse(): void {
    if ((++this.steps & 63) === 0 && this.search.expired()) throw new Halt('expired')
  }

  private chooseRf(next: number, rf: ReadonlyMap<PathEvent, PathEvent>, values: ReadonlyMap<ReadEvent, bigint>): void {
    this.pulse()
    const read = this.reads[next]
    if (!read) {
      this.rfChosen(rf, values)
      return
    }
    const choices = (this.writesOf.get(read.cell!) ?? []).flatMap((write) => {
      if (this.search.model.coherent && this.isHidden(write, read)) return []
      const chosen = new Map(rf).set(read, write)
      const known = this.propagate(chosen, values)
      return this.isPossible(known) ? [{ chosen, known }] : []
    })
    // Where there was nothing to choose, what was found before still holds.
    for (const { chosen, known } of choices)
      if (choices.length === 1 || !this.isRefuted(next, chosen)) this.chooseRf(next + 1, chosen, known)
  }

  /** Whether no order of the cell's writes fits; after its last read also whether an axiom is violated already. */
  private isRefuted(index: number, rf: ReadonlyMap<PathEvent, PathEvent>): boolean {
    const read = this.reads[index]!
    if (!this.search.consistentOnly) return false
    if (this.orders(this.writesOf.get(read.cell!)!, rf).next().done) return true
    if (this.reads[index + 1]?.cell === read.cell) return false
    // The last one is checked with the whole of rf anyway.
    return index + 1 < this.reads.length && this.violates(rf)
  }

  private violates(rf: ReadonlyMap<PathEvent, PathEvent>): boolean {
    const evaluator = (this.evaluator ??= new Evaluator(this.search.model, this.skeleton()))
    const size = this.events.length
    evaluator.setRf(
      Relation.of(
        size,
        [...rf].map(([read, write]) => [this.id.get(write)!, this.id.get(read)!] as const),
      ),
    )
    evaluator.setCo(new Relation(size))
    return evaluator.violated('monotone') !== undefined
  }

  /** A read cannot return a later write of its own thread, nor one that its thread has overwritten. */
  private isHidden(write: PathEvent, read: PathEvent): boolean {
    const [w, r] = [this.id.get(write)!, this.id.get(read)!]
    if (write.thread === read.thread && w > r) return true
    return this.writesOf
      .get(read.cell!)!
      .some(
        (other) =>
          other !== write &&
          other.thread === read.thread &&
          this.id.get(other)! < r &&
          (write.thread === INITIAL || (write.thread === read.thread && w < this.id.get(other)!)),
      )
  }

  private propagate(
    rf: ReadonlyMap<PathEvent, PathEvent>,
    before: ReadonlyMap<ReadEvent, bigint>,
  ): ReadonlyMap<ReadEvent, bigint> {
    const values = new Map(before)
    for (let changed = true; changed; ) {
      changed = false
      for (const [read, write] of rf) {
        if (values.has(read)) continue
        const value = knownValue(write.value!, values)
        if (value === undefined) continue
        values.set(read, value)
        changed = true
      }
    }
    return values
  }

  private isPossible(values: ReadonlyMap<ReadEvent, bigint>): boolean {
    if (this.conditions.some((condition) => knownValue(condition, values) === 0n)) return false
    const known = this.known(values, undefined)
    return this.search.goals.every((goal) => evaluateCondition(goal, known) !== false)
  }

  private known(values: ReadonlyMap<ReadEvent, bigint>, last: ReadonlyMap<bigint, PathEvent> | undefined): Known {
    const { layout, test } = this.search
    return {
      register: (thread, name) => {
        const symbol = this.paths[thread]?.registers.get(name)
        return symbol ? knownValue(symbol, values) : 0n
      },
      memory: (name, index) => {
        const object = test.objects.find((o) => o.name === name)!
        const size = object.size === undefined ? layout.sizeOf(object) : object.elementSize
        let result = 0n
        for (const { cell, shift, size: bytes } of layout.cells(
          object.address + BigInt(index * object.elementSize),
          size,
        )) {
          const writes = this.writesOf.get(cell)
          const write = writes && (last?.get(cell) ?? this.certainLast(writes))
          if (writes && !write) return undefined
          const value = write ? knownValue(write.value!, values) : layout.initial(cell)
          if (value === undefined) return undefined
          result |= BigInt.asUintN(bytes * 8, value) << BigInt(shift)
        }
        return BigInt.asUintN(size * 8, result)
      },
    }
  }

  /** The write that is last in every order of a cell's writes: the initial one is first, those of a thread are in order. */
  private certainLast(writes: readonly PathEvent[]): PathEvent | undefined {
    const [final] = writes.slice(-1)
    const own = writes.slice(1)
    const isOrdered =
      own.length < 2 || (this.search.model.coherent && own.every(({ thread }) => thread === final!.thread))
    return isOrdered ? final : undefined
  }

  private rfChosen(rf: ReadonlyMap<PathEvent, PathEvent>, values: ReadonlyMap<ReadEvent, bigint>): void {
    if (this.violates(rf) && this.search.consistentOnly) return
    const last = new Map<bigint, PathEvent>()
    const co = new Relation(this.events.length)
    const contested: (readonly [bigint, readonly PathEvent[]])[] = []
    for (const [cell, writes] of this.writesOf) {
      if (writes.length < 2) continue
      const [order, another] = firstTwo(this.orders(writes, rf))
      if (!order) return
      if (another) contested.push([cell, writes])
      else {
        last.set(cell, order.at(-1)!)
        this.addOrder(co, order)
      }
    }
    this.chooseCo(contested, 0, last, rf, values, co)
  }

  private addOrder(co: Relation, order: readonly PathEvent[]): void {
    order.forEach((from, i) => {
      for (const to of order.slice(i + 1)) co.add(this.id.get(from)!, this.id.get(to)!)
    })
  }

  private chooseCo(
    contested: readonly (readonly [bigint, readonly PathEvent[]])[],
    next: number,
    last: ReadonlyMap<bigint, PathEvent>,
    rf: ReadonlyMap<PathEvent, PathEvent>,
    values: ReadonlyMap<ReadEvent, bigint>,
    co: Relation,
  ): void {
    const location = contested[next]
    if (!location) {
      this.complete(last, rf, values, co)
      return
    }
    const [cell, writes] = location
    for (const order of this.orders(writes, rf)) {
      this.pulse()
      const lasts = new Map(last).set(cell, order.at(-1)!)
      const known = this.known(values, lasts)
      if (this.search.goals.some((goal) => evaluateCondition(goal, known) === false)) continue
      const extended = new Relation(co.size, co.words.slice())
      this.addOrder(extended, order)
      this.evaluator!.setCo(extended)
      if (this.search.consistentOnly && this.evaluator!.violated('monotone')) continue
      this.chooseCo(contested, next + 1, lasts, rf, values, extended)
    }
  }

  /** The orders of a cell's writes with the initial one first; if the model is coherent, only those that agree with po and rf. */
  private *orders(
    writes: readonly PathEvent[],
    rf: ReadonlyMap<PathEvent, PathEvent>,
  ): Generator<readonly PathEvent[]> {
    const before = new Map<PathEvent, Set<PathEvent>>(writes.map((write) => [write, new Set()]))
    const [initial] = writes
    for (const write of writes) if (write !== initial) before.get(write)!.add(initial!)
    if (this.search.model.coherent) this.addCoherence(writes, rf, before)
    const follows = new Map<PathEvent, PathEvent>()
    if (this.search.model.atomic && this.search.model.coherent)
      for (const [read, write] of this.paths.flatMap((path) => path.rmw)) {
        const source = read.cell === initial!.cell ? rf.get(read) : undefined
        if (!source) continue
        // Two read-modify-writes cannot both come right after the write that they read.
        if (follows.has(source)) return
        follows.set(source, write)
      }
    yield* extensions(writes, before, follows, [])
  }

  private addCoherence(
    writes: readonly PathEvent[],
    rf: ReadonlyMap<PathEvent, PathEvent>,
    before: Map<PathEvent, Set<PathEvent>>,
  ): void {
    const accesses = [...writes, ...this.reads.filter((read) => read.cell === writes[0]!.cell && rf.has(read))]
    /** The write that an access stands for: itself, or what it reads. */
    const seen = (event: PathEvent): PathEvent => (event.kind === 'W' ? event : rf.get(event)!)
    for (const first of accesses)
      for (const second of accesses) {
        if (first.thread !== second.thread || first.thread === INITIAL) continue
        if (this.id.get(first)! >= this.id.get(second)! || first.access === second.access) continue
        if (seen(first) !== seen(second)) before.get(seen(second))!.add(seen(first))
      }
  }

  private complete(
    last: ReadonlyMap<bigint, PathEvent>,
    rf: ReadonlyMap<PathEvent, PathEvent>,
    values: ReadonlyMap<ReadEvent, bigint>,
    co: Relation,
  ): void {
    const evaluator = this.evaluator!
    evaluator.setCo(co)
    if (this.search.consistentOnly && evaluator.violated()) return
    const open = this.reads.filter((read) => !values.has(read))
    const solved = open.length === 0 ? values : (this.guessed(open, rf, values, last) ?? values)
    const known = this.known(solved, last)
    // Also where there was nothing to choose.
    if (this.search.goals.some((goal) => evaluateCondition(goal, known) === false)) return
    const thinAir = this.reads.some((read) => !solved.has(read))
    const { events } = this
    const { skeleton } = evaluator
    const candidate: Candidate = { events, skeleton, rf: evaluator.rf, co, values: solved, known, thinAir, evaluator }
    if (this.visit(candidate) === 'stop') throw new Halt('stopped')
  }

  /**
   * Values that depend on themselves may be any that solve their equations: numbers that the goals mention are tried, and
   * one. Whether there are other solutions is not known.
   */
  private guessed(
    open: readonly PathEvent[],
    rf: ReadonlyMap<PathEvent, PathEvent>,
    values: ReadonlyMap<ReadEvent, bigint>,
    last: ReadonlyMap<bigint, PathEvent>,
  ): ReadonlyMap<ReadEvent, bigint> | undefined {
    const { goals } = this.search
    const mentioned = goals.flatMap(termsOf).flatMap((term) => (term.kind === 'value' ? [term.value] : []))
    for (const guess of new Set([...mentioned, 1n])) {
      const solved = this.propagate(rf, new Map(values).set(open[0]!, guess))
      const isSolution =
        open.every((read) => solved.has(read) && knownValue(rf.get(read)!.value!, solved) === solved.get(read)) &&
        !this.conditions.some((condition) => knownValue(condition, solved) === 0n)
      const known = this.known(solved, last)
      if (isSolution && goals.every((goal) => evaluateCondition(goal, known) === true)) return solved
    }
    return undefined
  }

  private skeleton(): Skeleton {
    const { events, id } = this
    const size = events.length
    const edges = (pick: (path: Path) => readonly Edge[]): Relation =>
      Relation.of(
        size,
        this.paths.flatMap(pick).map(([from, to]) => [id.get(from)!, id.get(to)!] as const),
      )
    const po = new Relation(size)
    const si = new Relation(size)
    events.forEach((a, i) => {
      events.forEach((b, j) => {
        if (a.thread !== b.thread || a.thread === INITIAL) {
          if (i === j) si.add(i, j)
          return
        }
        if (a.access === b.access) si.add(i, j)
        else if (i < j) po.add(i, j)
      })
    })
    const cells = new Map<bigint, number>()
    const numbered = (cell: bigint): number => {
      if (!cells.has(cell)) cells.set(cell, cells.size)
      return cells.get(cell)!
    }
    return {
      events: events.map(
        (event, i): Event => ({
          id: i,
          thread: event.thread,
          kind: event.kind,
          tags: event.tags,
          ...(event.cell !== undefined && { location: numbered(event.cell) }),
        }),
      ),
      po,
      si,
      addr: edges((path) => path.addr),
      data: edges((path) => path.data),
      ctrl: edges((path) => path.ctrl),
      rmw: edges((path) => path.rmw),
      amo: edges((path) => path.amo),
      rcuSections: edges((path) => path.rcuSections),
      more: {
        casdep: edges((path) => path.casdep),
        'pick-addr': edges((path) => path.pickAddr),
        'pick-data': edges((path) => path.pickData),
        'pick-ctrl': edges((path) => path.pickCtrl),
      },
    }
  }
}

const firstTwo = <T>(all: Generator<T>): readonly T[] => {
  const result: T[] = []
  for (const one of all) {
    result.push(one)
    if (result.length === 2) break
  }
  return result
}

function* extensions(
  writes: readonly PathEvent[],
  before: ReadonlyMap<PathEvent, ReadonlySet<PathEvent>>,
  /** The write of a read-modify-write comes right after the write that its read returns. */
  follows: ReadonlyMap<PathEvent, PathEvent>,
  placed: readonly PathEvent[],
): Generator<readonly PathEvent[]> {
  if (placed.length === writes.length) {
    yield placed
    return
  }
  const last = placed.at(-1)
  const forced = last && follows.get(last)
  for (const write of writes) {
    if (placed.includes(write) || (forced && forced !== write)) continue
    if ([...before.get(write)!].some((earlier) => !placed.includes(earlier))) continue
    yield* extensions(writes, before, follows, [...placed, write])
  }
}
