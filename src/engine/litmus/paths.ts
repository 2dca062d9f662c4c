// The executions of one thread on its own: every path through its instructions, with what reads return left open.
// A path is the thread's part of an execution graph: events, dependencies, and conditions on the values read.
import type { Expression, Instruction, LitmusTest, Thread } from '../../frontend/litmus/test.js'
import type { Layout } from './layout.js'
import { type Liveness, livenessOf } from './liveness.js'
import { constantOf, operationOf, type ReadEvent, readOf, type SymbolicValue, sameSymbol } from './symbolic.js'

/** How often a path may come by one instruction: loops beyond that are cut, and the answer says so. */
const MAX_VISITS = 4

/** More paths than this, over all threads' own choices, are not enumerated. */
const MAX_PATHS = 20_000

export interface PathEvent extends ReadEvent {
  readonly kind: 'R' | 'W' | 'F'
  readonly thread: number
  /** The address of the cell; fences may have one. */
  readonly cell?: bigint
  readonly tags: readonly string[]
  /** What a write writes. */
  readonly value?: SymbolicValue
  /** Events of one instruction's access have the same number. */
  readonly access: number
  readonly text: string
  readonly line: number
}

export type Edge = readonly [PathEvent, PathEvent]

export interface Path {
  readonly events: readonly PathEvent[]
  readonly addr: readonly Edge[]
  readonly data: readonly Edge[]
  readonly ctrl: readonly Edge[]
  readonly rmw: readonly Edge[]
  readonly amo: readonly Edge[]
  readonly casdep: readonly Edge[]
  readonly pickAddr: readonly Edge[]
  readonly pickData: readonly Edge[]
  readonly pickCtrl: readonly Edge[]
  readonly rcuSections: readonly Edge[]
  /** Each must be other than zero. */
  readonly conditions: readonly SymbolicValue[]
  readonly registers: ReadonlyMap<string, SymbolicValue>
}

/**
 * A loop that was left after so many iterations, each of which only read the cell, and went on because it found another
 * value than the one before: a compare-exchange that is tried again.
 */
export interface Retry {
  readonly cell: bigint
  readonly iterations: number
}

export type ThreadPaths =
  | {
      readonly kind: 'paths'
      readonly paths: readonly Path[]
      /** Loops were left before their end, of which nothing is known but what `retries` say. */
      readonly cut: boolean
      readonly retries: readonly Retry[]
    }
  | { readonly kind: 'too-many' }

interface Held {
  readonly value: SymbolicValue
  /** The reads that it is computed from, by syntax. */
  readonly from: ReadonlySet<PathEvent>
  /** The reads that decided that it is this value (AArch64's pick dependencies). */
  readonly picked: ReadonlySet<PathEvent>
}

type EdgeKind = 'addr' | 'data' | 'ctrl' | 'rmw' | 'amo' | 'casdep' | 'pickAddr' | 'pickData' | 'pickCtrl'

interface State {
  readonly pc: number
  readonly registers: ReadonlyMap<string, Held>
  readonly events: readonly PathEvent[]
  readonly edges: Readonly<Record<EdgeKind, readonly Edge[]>>
  readonly conditions: readonly SymbolicValue[]
  readonly control: readonly (Pick<Held, 'from' | 'picked'> & { readonly until: number })[]
  /** The events of the last load that a store may pair with. */
  readonly reserved: readonly PathEvent[]
  readonly lastStore: readonly PathEvent[]
  readonly visits: ReadonlyMap<number, number>
  /** What was there at each arrival at a loop's start. */
  readonly arrivals: ReadonlyMap<number, readonly Arrival[]>
}

interface Arrival {
  readonly registers: ReadonlyMap<string, Held>
  readonly events: number
  readonly conditions: number
}

const NOTHING: ReadonlySet<PathEvent> = new Set()

const heldConstant = (value: bigint): Held => ({ value: constantOf(value), from: NOTHING, picked: NOTHING })

const union = (sets: readonly ReadonlySet<PathEvent>[]): ReadonlySet<PathEvent> =>
  sets.every((set) => set.size === 0) ? NOTHING : new Set(sets.flatMap((set) => [...set]))

const edgesFrom = (sources: ReadonlySet<PathEvent>, events: readonly PathEvent[]): Edge[] =>
  [...sources].flatMap((source) => events.map((event): Edge => [source, event]))

export const threadPaths = (
  test: LitmusTest,
  index: number,
  layout: Layout,
  maxVisits: number = MAX_VISITS,
): ThreadPaths => new Walk(test.threads[index]!, index, layout, maxVisits).run()

class Walk {
  private readonly thread: Thread
  private readonly index: number
  private readonly layout: Layout
  private readonly done: Path[] = []
  private readonly maxVisits: number
  private readonly retries: Retry[] = []
  private cut = false
  private accesses = 0
  private readonly liveness: Liveness
  private readonly loopStarts: ReadonlySet<number>

  constructor(thread: Thread, index: number, layout: Layout, maxVisits: number) {
    this.maxVisits = maxVisits
    this.liveness = livenessOf(thread)
    this.loopStarts = new Set(
      thread.instructions.flatMap(({ instruction }, pc) =>
        (instruction.kind === 'jump' || instruction.kind === 'branch') && instruction.target <= pc
          ? [instruction.target]
          : [],
      ),
    )
    this.thread = thread
    this.index = index
    this.layout = layout
  }

  run(): ThreadPaths {
    const registers = new Map<string, Held>()
    for (const [name, value] of this.thread.registers) registers.set(name, heldConstant(value))
    const open: State[] = [
      {
        pc: 0,
        registers,
        events: [],
        edges: {
          ...{ addr: [], data: [], ctrl: [], rmw: [], amo: [], casdep: [] },
          ...{ pickAddr: [], pickData: [], pickCtrl: [] },
        },
        conditions: [],
        control: [],
        reserved: [],
        lastStore: [],
        visits: new Map(),
        arrivals: new Map(),
      },
    ]
    for (let state = open.pop(); state; state = open.pop()) {
      const placed = this.thread.instructions[state.pc]
      if (!placed) {
        this.done.push(finished(state))
        if (this.done.length > MAX_PATHS) return { kind: 'too-many' }
        continue
      }
      const visits = (state.visits.get(state.pc) ?? 0) + 1
      if (this.loopStarts.has(state.pc) && this.spins(state)) continue
      if (visits > this.maxVisits) {
        const retry = this.retry(state)
        if (retry) this.retries.push(retry)
        else this.cut = true
        continue
      }
      const { pc } = state
      const here: State = {
        ...state,
        ...(this.loopStarts.has(pc) && {
          arrivals: new Map(state.arrivals).set(pc, [...(state.arrivals.get(pc) ?? []), arrivalAt(state)]),
        }),
        visits: new Map(state.visits).set(pc, visits),
        control: state.control.filter(({ until }) => pc < until),
      }
      // Pushed in reverse, so that paths come in the order of their choices.
      open.push(...this.step(here, placed.instruction).reverse())
    }
    return { kind: 'paths', paths: this.done, cut: this.cut, retries: this.retries }
  }

  /**
   * Whether the last iteration of a loop only read, and nothing that it left behind is used: without it the execution
   * has the same final state, and every order that was kept is still kept, so that waiting longer adds nothing.
   */
  private spins(state: State): boolean {
    const before = state.arrivals.get(state.pc)?.at(-1)
    if (!before || !isQuiet(state.events.slice(before.events))) return false
    const conditions = state.conditions.slice(before.conditions)
    return this.agree(
      state,
      before,
      (held, old) =>
        (old.value === held.value && old.from === held.from) || areEqual(old.value, held.value, conditions),
    )
  }

  /** Whether the registers that matter at a loop's start are as they were at an earlier arrival. */
  private agree(
    { pc, registers }: Pick<State, 'pc' | 'registers'>,
    before: Arrival,
    isSame: (held: Held, old: Held) => boolean,
  ): boolean {
    return [...registers].every(([name, held]) => {
      const old = before.registers.get(name)
      return (old !== undefined && isSame(held, old)) || !this.liveness.isLive(pc, name)
    })
  }

  /**
   * Whether the loop that is left here tries a compare-exchange again and again: every iteration but the first found
   * another value than the one before, and differs from it only in what was read of the cell, so that what follows is
   * the same code.
   */
  private retry(state: State): Retry | undefined {
    const arrivals = [...(state.arrivals.get(state.pc) ?? []), arrivalAt(state)]
    let cell: bigint | undefined
    for (let i = 2; i < arrivals.length; i++) {
      const [first, second, third] = [arrivals[i - 2]!, arrivals[i - 1]!, arrivals[i]!]
      const [earlier, later] = [
        state.events.slice(first.events, second.events),
        state.events.slice(second.events, third.events),
      ]
      if (!isQuiet(earlier) || !isQuiet(later)) return undefined
      const found = state.conditions
        .slice(second.conditions, third.conditions)
        .map((condition) => foundAnother(condition, earlier, later))
        .find((pair) => pair !== undefined)
      if (!found || (cell !== undefined && found.later.cell !== cell)) return undefined
      cell = found.later.cell
      const carries = (held: Held, old: Held): boolean =>
        old.value === held.value || (readIn(old.value)?.cell === cell && readIn(held.value)?.cell === cell)
      if (!this.agree({ pc: state.pc, registers: third.registers }, second, carries)) return undefined
    }
    return cell === undefined ? undefined : { cell, iterations: arrivals.length - 1 }
  }

  private evaluate(expression: Expression, state: State): Held {
    switch (expression.kind) {
      case 'constant':
        return heldConstant(expression.value)
      case 'register':
        return state.registers.get(expression.name) ?? heldConstant(0n)
      case 'operation': {
        const operands = expression.operands.map((operand) => this.evaluate(operand, state))
        return {
          value: operationOf(
            expression.operator,
            operands.map((o) => o.value),
            expression.width,
          ),
          from: union(operands.map((o) => o.from)),
          picked: union(operands.map((o) => o.picked)),
        }
      }
    }
  }

  /** The reads that decide a choice which is made by the value of the expression. */
  private deciding(expression: Expression | undefined, state: State): ReadonlySet<PathEvent> {
    if (!expression) return NOTHING
    const { from, picked } = this.evaluate(expression, state)
    return union([from, picked])
  }

  private step(state: State, instruction: Instruction): State[] {
    const next = { ...state, pc: state.pc + 1 }
    switch (instruction.kind) {
      case 'assign': {
        const { value, from, picked } = this.evaluate(instruction.value, state)
        const held: Held = {
          value,
          from: instruction.fromStore ? new Set([...from, ...state.lastStore]) : from,
          picked: union([picked, this.deciding(instruction.picks, state)]),
        }
        return [{ ...next, registers: new Map(state.registers).set(instruction.register, held) }]
      }
      case 'jump':
        return [{ ...next, pc: instruction.target }]
      case 'choose':
        return instruction.targets.map((target) => ({ ...next, pc: target }))
      case 'assume': {
        const { value, from } = this.evaluate(instruction.condition, state)
        const compared = [...from].filter((event) => !state.reserved.includes(event))
        const casdep = compared.flatMap((event) => state.reserved.map((read): Edge => [event, read]))
        return constrained(withEdges(next, { casdep }), value)
      }
      case 'branch': {
        const { value, from, picked } = this.evaluate(instruction.condition, state)
        const control =
          from.size + picked.size === 0
            ? state.control
            : [...state.control, { from, picked, until: instruction.until ?? Number.POSITIVE_INFINITY }]
        const after = { ...next, control }
        // Where both ways lead to one place, only the dependency matters.
        if (instruction.target === state.pc + 1) return [after]
        return [
          ...constrained({ ...after, pc: instruction.target }, value),
          ...constrained(after, operationOf('==', [value, constantOf(0n)], 64)),
        ]
      }
      case 'fence':
        return this.fence(next, instruction)
      case 'load':
        return this.located(next, instruction.address, instruction.size).map(([at, address, held]) =>
          this.load(at, address, held, instruction),
        )
      case 'store':
        return this.located(next, instruction.address, instruction.size).flatMap(([at, address, held]) =>
          this.store(at, address, held, instruction),
        )
    }
  }

  /** The states in which the address is one of the cells: one if it is known, all otherwise. */
  private located(state: State, expression: Expression, size: number): (readonly [State, bigint, Held])[] {
    const held = this.evaluate(expression, state)
    const { value } = held
    if (value.kind === 'constant') {
      this.layout.accessed(value.value, size)
      return [[state, value.value, held]]
    }
    this.layout.accessedSomewhere(size)
    return this.layout
      .addresses(size)
      .flatMap((address) =>
        constrained(state, operationOf('==', [value, constantOf(address)], 64)).map((s) => [s, address, held] as const),
      )
  }

  private event(state: State, event: Omit<PathEvent, 'thread' | 'text' | 'line' | 'access'>): PathEvent {
    const { text, line } = this.thread.instructions[state.pc - 1]!
    return { ...event, thread: this.index, text, line, access: this.accesses }
  }

  private added(state: State, events: readonly PathEvent[]): State {
    const ctrl = state.control.flatMap(({ from }) => edgesFrom(from, events))
    const pickCtrl = state.control.flatMap(({ picked }) => edgesFrom(picked, events))
    return withEdges({ ...state, events: [...state.events, ...events] }, { ctrl, pickCtrl })
  }

  private fence(state: State, instruction: Extract<Instruction, { kind: 'fence' }>): State[] {
    this.accesses++
    const address = instruction.address && this.evaluate(instruction.address, state)
    const uses = instruction.uses && this.evaluate(instruction.uses, state)
    const cell = address?.value.kind === 'constant' ? address.value.value : undefined
    const event = this.event(state, { kind: 'F', size: 8, tags: instruction.tags, ...(cell !== undefined && { cell }) })
    const data = [...(uses?.from ?? [])].map((from): Edge => [from, event])
    const result = withEdges(this.added(state, [event]), { data })
    if (!instruction.result) return [result]
    const held: Held = { ...heldConstant(0n), from: new Set([event]) }
    return [{ ...result, registers: new Map(state.registers).set(instruction.result, held) }]
  }

  private load(
    state: State,
    address: bigint,
    { from, picked }: Held,
    instruction: Extract<Instruction, { kind: 'load' }>,
  ): State {
    this.accesses++
    const cells = this.layout.cells(address, instruction.size)
    const events = cells.map(({ cell, size }) => this.event(state, { kind: 'R', cell, size, tags: instruction.tags }))
    const parts = events.map((event, i) => operationOf('<<', [readOf(event), constantOf(BigInt(cells[i]!.shift))], 64))
    let value = parts.reduce((all, part) => operationOf('|', [all, part], 64))
    if (instruction.signed && instruction.size < 8) value = operationOf('sext', [value], instruction.size * 8)
    const result = withEdges(this.added(state, events), {
      addr: edgesFrom(from, events),
      pickAddr: edgesFrom(picked, events),
    })
    return {
      ...result,
      registers: new Map(state.registers).set(instruction.register, {
        ...{ value, from: new Set(events), picked: NOTHING },
      }),
      ...(instruction.pairs && { reserved: events }),
    }
  }

  private store(
    state: State,
    address: bigint,
    { from, picked }: Held,
    instruction: Extract<Instruction, { kind: 'store' }>,
  ): State[] {
    this.accesses++
    const written = this.evaluate(instruction.value, state)
    const events = this.layout.cells(address, instruction.size).map(({ cell, size, shift }) => {
      const moved = operationOf('>>>', [written.value, constantOf(BigInt(shift))], 64)
      return this.event(state, {
        kind: 'W',
        cell,
        size,
        tags: instruction.tags,
        value: operationOf('zext', [moved], size * 8),
      })
    })
    let result: State = withEdges(this.added(state, events), {
      addr: edgesFrom(from, events),
      data: edgesFrom(written.from, events),
      pickAddr: edgesFrom(picked, events),
      pickData: edgesFrom(union([written.picked, this.deciding(instruction.picks, state)]), events),
    })
    if (instruction.rmw) {
      // Without a reservation of the same cells a store-conditional cannot succeed.
      const pairs = events.map((event) =>
        state.reserved.find((read) => read.cell === event.cell && read.size === event.size),
      )
      if (pairs.some((read) => !read) || pairs.length !== state.reserved.length) return []
      const rmw = events.map((event, i): Edge => [pairs[i]!, event])
      result = withEdges(result, { rmw, amo: instruction.rmw === 'amo' ? rmw : [] })
    }
    return [{ ...result, lastStore: events, ...(instruction.rmw && { reserved: [] }) }]
  }
}

const arrivalAt = ({ registers, events, conditions }: State): Arrival => ({
  registers,
  events: events.length,
  conditions: conditions.length,
})

const isQuiet = (events: readonly PathEvent[]): boolean =>
  events.every((event) => event.kind !== 'W' && !event.tags.some((tag) => /rcu/i.test(tag)))

const areEqual = (a: SymbolicValue, b: SymbolicValue, conditions: readonly SymbolicValue[]): boolean =>
  conditions.some(
    (condition) =>
      condition.kind === 'operation' &&
      condition.operator === '==' &&
      condition.operands.some((operand) => sameSymbol(operand, a)) &&
      condition.operands.some((operand) => sameSymbol(operand, b)),
  )

/** The read whose value this is, as it is or extended. */
const readIn = (symbol: SymbolicValue | undefined): PathEvent | undefined => {
  if (symbol?.kind === 'operation' && (symbol.operator === 'sext' || symbol.operator === 'zext'))
    return readIn(symbol.operands[0])
  return symbol?.kind === 'read' ? (symbol.read as PathEvent) : undefined
}

/** If the condition says that a read of the later iteration returned another value than one of the earlier iteration. */
const foundAnother = (
  condition: SymbolicValue,
  earlier: readonly PathEvent[],
  later: readonly PathEvent[],
): { readonly earlier: PathEvent; readonly later: PathEvent } | undefined => {
  if (condition.kind !== 'operation' || condition.operator !== '!=') return undefined
  const reads = condition.operands.map(readIn)
  const before = reads.find((read) => read && earlier.includes(read))
  const after = reads.find((read) => read && later.includes(read))
  return before && after && before.cell === after.cell ? { earlier: before, later: after } : undefined
}

const withEdges = (state: State, more: Partial<State['edges']>): State => {
  const edges = { ...state.edges }
  for (const [name, added] of Object.entries(more) as [keyof State['edges'], readonly Edge[]][])
    if (added.length > 0) edges[name] = [...edges[name], ...added]
  return { ...state, edges }
}

const constrained = (state: State, condition: SymbolicValue): State[] => {
  if (condition.kind === 'constant') return condition.value === 0n ? [] : [state]
  if (isContradicted(condition, state.conditions)) return []
  return [{ ...state, conditions: [...state.conditions, condition] }]
}

const finished = (state: State): Path => ({
  events: state.events,
  ...state.edges,
  rcuSections: sectionsOf(state.events),
  conditions: state.conditions,
  registers: new Map([...state.registers].map(([name, { value }]) => [name, value])),
})

/** Whether the condition denies an equality that holds already, of the values as they are or extended. */
const isContradicted = (condition: SymbolicValue, conditions: readonly SymbolicValue[]): boolean => {
  if (condition.kind !== 'operation' || condition.operator !== '!=') return false
  const [a, b] = condition.operands as readonly [SymbolicValue, SymbolicValue]
  const extended = (symbol: SymbolicValue): SymbolicValue => operationOf('sext', [symbol], 32)
  return conditions.some((known) => {
    if (known.kind !== 'operation' || known.operator !== '==' || known.width < condition.width) return false
    const [c, d] = known.operands as readonly [SymbolicValue, SymbolicValue]
    const denies = (x: SymbolicValue, y: SymbolicValue): boolean =>
      (sameSymbol(a, x) && sameSymbol(b, y)) || (sameSymbol(a, y) && sameSymbol(b, x))
    return denies(c, d) || denies(extended(c), extended(d))
  })
}

/** Matches nested rcu_read_lock and rcu_read_unlock like brackets. */
const sectionsOf = (events: readonly PathEvent[]): Edge[] => {
  const open: PathEvent[] = []
  const result: Edge[] = []
  for (const event of events) {
    if (event.tags.includes('Rcu-lock')) open.push(event)
    if (event.tags.includes('Rcu-unlock')) {
      const lock = open.pop()
      if (lock) result.push([lock, event])
    }
  }
  return result
}
