// Random walks of the interpreter: a search for violations that shares nothing with engines but what a program means. No
// pass, no reduction, no selection of inputs: threads go on by chance, and inputs are limits, the program's constants and
// what is next to them. The numbers are seeded: walks of the same length are the same twice. What they meet on the way
// besides violations is undefined behaviour: no proof speaks of what follows it.
import {
  children,
  type Edge,
  type Expr,
  intType,
  type Position,
  type Program,
  rangeOf,
  type Sync,
  type Type,
  Unsupported,
  type Value,
  wrap,
} from '../../xcfa/index.js'
import { expressionsOf } from '../../xcfa/passes/labels.js'
import { type Interpreter, interpreterOf, type Successor } from '../interpreter.js'
import { BeyondBounds } from '../layout.js'
import { blockAt, forgetBytes, placeOf, withBlock } from '../memory.js'
import { cellValue } from '../replay/describe.js'
import { haltOf, type State } from '../state.js'
import type { Chooser } from '../step/choices.js'
import type { Step, Trace } from '../trace.js'
import { STATE_PROPERTIES, type StateProperty, violationAt } from '../violation.js'

export interface Walked {
  readonly walks: number
  readonly steps: number
  /** An execution that violates the property. */
  readonly trace?: Trace
  /** Undefined behaviour that was met: the gravest, and of those the first. */
  readonly met?: Met
}

export interface Met {
  readonly text: string
  readonly position: Position
  /** Real programs go on after it in a way that cannot be foreseen, and no property of its own forbids it. */
  readonly goesOn: boolean
  /** It is an access of memory that is not there. */
  readonly isAccess?: boolean
}

/** Longer walks are given up: the program may not end. */
const MAX_LENGTH = 2000
/** So many steps are taken even if time is up: a few walks of a small program. */
const MIN_STEPS = 400
/** How many steps are taken between two looks at the clock. */
const STEPS_A_LOOK = 16
const MAX_CONSTANTS = 256

/** Walks until one violates the property or `stopped` says so. */
export const randomWalks = (program: Program, property: string, stopped: () => boolean): Walked => {
  // Being blocked for ever is one way not to end; the other is not looked for.
  const asked = property === 'termination' ? 'no-deadlock' : property
  if (!STATE_PROPERTIES.some((p) => p === asked)) return { walks: 0, steps: 0 }
  const walker = new Walker(interpreterOf(program), asked as StateProperty, stopped)
  return walker.walk()
}

class Walker {
  private steps = 0
  private met: Met | undefined
  private readonly random = seeded(1)
  private readonly constants: readonly bigint[]
  private readonly choose: Chooser = (what, { target, range }, point) => {
    // Also where the value that is chosen does not let the thread go on.
    if (what === 'indeterminate') this.meet(uninitialised(point.edge))
    if (point.edge.labels[point.next - 1]?.kind === 'primitive')
      throw new Unsupported('a cooperative scheduler', point.edge.position)
    return [this.value(target.type, range)]
  }

  constructor(
    private readonly interpreter: Interpreter,
    private readonly property: StateProperty,
    private readonly stopped: () => boolean,
  ) {
    this.constants = constantsOf(interpreter.layout.program)
  }

  walk(): Walked {
    let walks = 0
    for (; !this.isOver(); walks++) {
      const trace = this.once()
      if (trace) return { walks: walks + 1, steps: this.steps, trace }
    }
    return { walks, steps: this.steps, ...(this.met && { met: this.met }) }
  }

  private isOver(): boolean {
    return this.steps >= MIN_STEPS && this.steps % STEPS_A_LOOK === 0 && this.stopped()
  }

  /** The gravest counts, and of those the first. */
  private meet(met: Met | undefined): void {
    if (met && (!this.met || (met.goesOn && !this.met.goesOn))) this.met = met
  }

  /** One walk from the beginning. */
  private once(): Trace | undefined {
    this.steps++
    const { globals } = this.interpreter.layout
    const free = [...globals.keys()].filter((variable) => variable.initial === 'any')
    const initial = new Map(free.map((variable) => [variable, this.value(variable.type)]))
    const path: Step[] = []
    const order = new Order(this.random)
    const joined = new Set<number>()
    try {
      let state = this.interpreter.initialWith(initial)
      for (let length = 0; length < MAX_LENGTH; length++) {
        this.steps++
        if (this.isOver()) return undefined
        const next = this.next(state, order)
        if (next.isViolated) return { steps: path, ...(initial.size > 0 ? { initial } : {}) }
        if (!next.taken) return undefined
        this.meet(
          undefinedBehaviour(next.taken) ?? this.joinedAgain(next.taken, joined) ?? this.endedInUse(state, next.taken),
        )
        path.push(next.taken.step)
        state = this.withoutDestroyed(state, next.taken)
      }
    } catch (problem) {
      // More threads, instances or memory than there is room for: this walk shows nothing.
      if (!(problem instanceof BeyondBounds || problem instanceof Unsupported)) throw problem
    }
    return undefined
  }

  /** A thread that is joined a second time does not exist any more (POSIX, pthread_join). */
  private joinedAgain({ step: { thread, edge }, state }: Successor, joined: Set<number>): Met | undefined {
    const label = edge.labels.find((each) => each.kind === 'join')
    if (label?.kind !== 'join') return undefined
    const number = Number(this.valueOf(label.thread, state, thread))
    if (!joined.has(number)) {
      joined.add(number)
      return undefined
    }
    return { text: 'join of a thread that was joined before', position: edge.position, goesOn: true }
  }

  /** What is held or waited for is initialised or destroyed (POSIX, pthread_mutex_init, pthread_mutex_destroy, ...). */
  private endedInUse(before: State, { step: { thread, edge } }: Successor): Met | undefined {
    const { life, object } = edge.sync ?? {}
    if (!object || !life || life === 'ends with any value') return undefined
    const holder = this.holderOf(object, before, thread)
    // Thread pools lock their mutex before they destroy it: the call fails with EBUSY, and the mutex stays as it is.
    if (holder === 0 || (life === 'ends if free' && holder === thread + 1)) return undefined
    const text = `what is locked or waited for is ${life === 'begins' ? 'initialised' : 'destroyed'}`
    return { text, position: edge.position, goesOn: true }
  }

  private holderOf(object: Expr, before: State, thread: number): number {
    const address = this.valueOf(object, before, thread)
    return Number(cellValue(this.interpreter.layout, before, address, intType(32, false)) ?? 0)
  }

  /** What was destroyed holds nothing until it is initialised again: whoever uses it uses what is not initialised. */
  private withoutDestroyed(before: State, { step: { thread, edge }, state }: Successor): State {
    const { life, object } = edge.sync ?? {}
    if (!object || !life || life === 'begins') return state
    if (life === 'ends if free' && this.holderOf(object, before, thread) !== 0) return state
    const place = placeOf(this.interpreter.layout, this.valueOf(object, before, thread))
    const block = place && blockAt(state.memory, place, WORD, state.threads.length)
    if (!place || !block) return state
    return { ...state, memory: withBlock(state.memory, place, forgetBytes(block, place.offset, WORD)) }
  }

  private valueOf(e: Expr, { threads, globals }: State, thread: number): Value {
    const { template, locals } = threads.at(thread)!
    return this.interpreter.layout.evaluator(template, e)({ globals, locals })
  }

  /** A step of the first thread, in this order, that can take one; errors need no more than the state itself. */
  private next(state: State, order: Order): { readonly isViolated: boolean; readonly taken?: Successor } {
    const { interpreter, property } = this
    const all: Successor[] = []
    let taken: Successor | undefined
    const looksAhead = LOOKS_AHEAD.has(property)
    if (!looksAhead && violationAt(interpreter, property, state, [])) return { isViolated: true }
    for (const thread of order.of(interpreter.movable(state))) {
      if (taken && !looksAhead) break
      const edges = interpreter.edgesOf(state, thread)
      const own = edges.flatMap((edge) => interpreter.execute(state, thread, edge, this.choose))
      all.push(...own)
      taken ??= own[this.random(own.length)]
    }
    // Another value than the chosen one may go on where this one is stuck.
    const seemsViolated = looksAhead && violationAt(interpreter, property, state, all) !== undefined
    if (seemsViolated && violationAt(interpreter, property, state, interpreter.successors(state)))
      return { isViolated: true }
    return taken ? { isViolated: false, taken } : { isViolated: false }
  }

  private value(type: Type, range?: { readonly low: bigint; readonly high: bigint }): Value {
    if (type.kind === 'float') return this.random(3) - 1
    const { low, high } = range ?? rangeOf(type)
    if (low > high) return wrap(type, low)
    const kind = this.random(4)
    if (kind === 0) return wrap(type, this.random(2) === 0 ? low : high)
    const near = this.constants[this.random(this.constants.length)]! + BigInt(this.random(3) - 1)
    if (kind < 3 && near >= low && near <= high) return wrap(type, near)
    const wide =
      (BigInt(this.random(2 ** 30)) << 40n) + (BigInt(this.random(2 ** 30)) << 20n) + BigInt(this.random(2 ** 20))
    return wrap(type, low + (wide % (high - low + 1n)))
  }
}

const undefinedBehaviour = ({ step: { thread, edge }, state }: Successor): Met | undefined => {
  const reason = haltOf(state.threads.at(thread)!)
  if (reason?.kind !== 'undefined') return undefined
  return {
    ...{ text: reason.text, position: edge.position, goesOn: !(reason.traps || reason.violates) },
    ...(reason.violates === 'deref' && { isAccess: true }),
  }
}

const uninitialised = ({ sync, position }: Edge): Met | undefined => {
  const object = sync ? OBJECTS[sync.kind] : undefined
  return object === undefined
    ? undefined
    : { text: `use of a ${object} that is not initialised`, position, goesOn: true }
}

/** Bytes of what says whether a lock is held and a condition variable waited for. */
const WORD = 4

/** What has to be initialised before it is used. */
const OBJECTS: Partial<Record<Sync['kind'], string>> = {
  lock: 'lock',
  trylock: 'lock',
  unlock: 'lock',
  'read-lock': 'lock',
  'read-unlock': 'lock',
  wait: 'condition variable',
  signal: 'condition variable',
  broadcast: 'condition variable',
  barrier: 'barrier',
  post: 'semaphore',
  acquire: 'semaphore',
}

/** Of these, the violation is in what threads do next. */
const LOOKS_AHEAD: ReadonlySet<StateProperty> = new Set(['no-data-race', 'no-deadlock', 'valid-memsafety'])

type Random = (below: number) => number

/**
 * Who goes first. In some walks chance decides each time; in others the thread with the highest priority, and now and
 * then it loses it, so that one thread runs far ahead of the others.
 */
class Order {
  private readonly priorities: number[] = []
  private readonly changeEvery: number

  constructor(private readonly random: Random) {
    this.changeEvery = [1, 2, 8, 40][random(4)]!
  }

  of(threads: readonly number[]): readonly number[] {
    for (const thread of threads) this.priorities[thread] ??= this.random(2 ** 20)
    const byPriority = [...threads].sort((a, b) => this.priorities[b]! - this.priorities[a]!)
    if (byPriority.length > 1 && this.random(this.changeEvery) === 0)
      this.priorities[byPriority[0]!] = this.random(2 ** 20)
    return byPriority
  }
}

/** Integers that the program's expressions mention. */
const constantsOf = ({ templates }: Program): readonly bigint[] => {
  const found = new Set<bigint>([0n, 1n])
  const collect = (e: Expr): void => {
    if (e.kind === 'const' && e.type.kind === 'int') found.add(BigInt(e.value))
    for (const child of children(e)) collect(child)
  }
  for (const { edges } of templates.values())
    for (const { labels } of edges) for (const label of labels) expressionsOf(label).forEach(collect)
  return [...found].slice(0, MAX_CONSTANTS)
}

/** A linear congruential generator (the constants of Numerical Recipes), high bits first. */
const seeded = (seed: number): Random => {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return below <= 1 ? 0 : Math.floor((state / 2 ** 32) * below)
  }
}
