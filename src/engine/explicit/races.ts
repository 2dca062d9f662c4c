// Data races: in every visited state, all enabled next accesses of all threads, sleeping ones included (soundness.md
// 6). A table over pairs of locations says where a race is possible at all, and the addresses that threads have at hand
// whether it is here; only then the whole state is decoded and the definition of the concrete semantics asked.
import { mayRace, raceAt } from '../../property/index.js'
import {
  BeyondBounds,
  type Interpreter,
  interpreterOf,
  type State,
  type Successor,
  usualChoice,
} from '../../semantics/index.js'
import {
  type Access,
  accessesOf,
  type Edge,
  type Expr,
  type Location,
  type Program,
  type Value,
  type Variable,
  variablesOf,
} from '../../xcfa/index.js'
import { written } from '../../xcfa/passes/index.js'
import type { Compiled } from './compile/generator.js'
import type { Layout } from './compile/layout.js'
import { decodeGlobals, decodeLocals, decodeState } from './decode.js'
import type { StateCheck } from './explore.js'

export const raceCheck = (program: Program): ((compiled: Compiled) => StateCheck) => {
  const interpreter = interpreterOf(program)
  const suspicion = suspicionIn(program)
  return ({ layout, runtime }) => {
    const { slots } = layout
    return (state, visited, counters) => {
      const suspects = suspectsIn(counters, (slot, counter) => slots[slot]!.locations[counter], suspicion)
      if (suspects.length === 0) return false
      const [words, base] = [visited.words, state * visited.width]
      const addressOf = addressesIn(layout, interpreter, words, base)
      if (!suspects.some((suspect) => mayMeet(suspect, addressOf))) return false
      const decoded = decodeState(layout, interpreter, words, base)
      return isRace(interpreter, decoded, runtime)
    }
  }
}

/** A race that is seen with some values of a choice is one; that there is none has to be seen with all of them. */
const isRace = (interpreter: Interpreter, state: State, runtime: Compiled['runtime']): boolean => {
  try {
    return raceAt(interpreter, state, interpreter.successors(state)) !== undefined
  } catch (problem) {
    if (!(problem instanceof BeyondBounds)) throw problem
    const { file, line } = problem.position
    const isFound = raceAt(interpreter, state, someSuccessors(interpreter, state)) !== undefined
    return isFound || runtime.partial(false, runtime.reasonNumber({ kind: 'sampled', at: { file, line } }))
  }
}

const someSuccessors = (interpreter: Interpreter, state: State): readonly Successor[] =>
  interpreter
    .movable(state)
    .flatMap((thread) => interpreter.edgesOf(state, thread).map((edge) => ({ thread, edge })))
    .flatMap(({ thread, edge }) => interpreter.execute(state, thread, edge, usualChoice))

/** Two threads that may race by their locations, with the accesses that may meet. */
interface Suspect {
  readonly slots: readonly [number, number]
  readonly locations: readonly [Location, Location]
  readonly pairs: readonly (readonly [Next, Next])[]
}

const suspectsIn = (
  counters: Int32Array,
  locationOf: (slot: number, counter: number) => Location | undefined,
  suspicion: Suspicion,
): readonly Suspect[] => {
  const found: Suspect[] = []
  for (let i = 0; i < counters.length; i++) {
    const a = locationOf(i, counters[i]!)
    if (!a) continue
    for (let j = i + 1; j < counters.length; j++) {
      const b = locationOf(j, counters[j]!)
      const pairs = b ? suspicion(a, b) : NONE
      if (pairs.length > 0) found.push({ slots: [i, j], locations: [a, b!], pairs })
    }
  }
  return found
}

const NONE: readonly (readonly [Next, Next])[] = []

type AddressOf = (slot: number, location: Location, next: Next) => number | undefined

/** The addresses that are known in a state without its memory, which takes long to decode. */
const addressesIn = (layout: Layout, interpreter: Interpreter, words: Int32Array, base: number): AddressOf => {
  let globals: readonly Value[] | undefined
  const threads = new Map<number, ReturnType<typeof decodeLocals>>()
  return (slot, location, { address }) => {
    if (!address || [...variablesOf(address)].some((variable) => layout.unchosen.has(variable))) return undefined
    globals ??= decodeGlobals(layout, interpreter, words, base)
    let thread = threads.get(slot)
    if (!thread) threads.set(slot, (thread = decodeLocals(layout.slots[slot]!, location, interpreter, words, base)))
    const { template, locals } = thread
    return Number(interpreter.layout.evaluator(template, address)({ globals, locals }))
  }
}

/** Whether some pair touches a common byte, or is not known not to. */
const mayMeet = ({ slots, locations, pairs }: Suspect, addressOf: AddressOf): boolean =>
  pairs.some(([first, second]) => {
    const a = addressOf(slots[0], locations[0], first)
    const b = a === undefined ? undefined : addressOf(slots[1], locations[1], second)
    return a === undefined || b === undefined || (a < b + second.size && b < a + first.size)
  })

/** The pairs of accesses by which threads at these locations could race, whatever the state. */
export type Suspicion = (a: Location, b: Location) => readonly (readonly [Next, Next])[]

export const suspicionIn = (program: Program): Suspicion => {
  const nextOf = nextAccesses(program)
  const known = new Map<Location, Map<Location, readonly (readonly [Next, Next])[]>>()
  return (a, b) => {
    let row = known.get(a)
    if (!row) known.set(a, (row = new Map()))
    let pairs = row.get(b)
    if (!pairs) {
      pairs = nextOf(a).flatMap((x) => nextOf(b).flatMap((y) => (mayRace(x.access, y.access) ? [[x, y] as const] : [])))
      row.set(b, pairs)
    }
    return pairs
  }
}

/** An access of a thread's next step. */
interface Next {
  readonly access: Access
  /** Where it is before the step, unless the step itself decides that. */
  readonly address: Expr | undefined
  readonly size: number
}

/** What the edges that leave a location access, to the end of their atomic blocks. */
const nextAccesses = (program: Program): ((location: Location) => readonly Next[]) => {
  const outgoing = new Map<Location, Edge[]>()
  for (const { edges } of program.templates.values())
    for (const edge of edges) outgoing.set(edge.source, [...(outgoing.get(edge.source) ?? []), edge])
  const known = new Map<Location, readonly Next[]>()
  return (location) => {
    let found = known.get(location)
    if (!found) {
      const block = new Set(outgoing.get(location) ?? [])
      for (const edge of block)
        if (edge.target.atomic) for (const following of outgoing.get(edge.target) ?? []) block.add(following)
      const changed = new Set([...block].flatMap(({ labels }) => labels.flatMap((label) => [...written(label)])))
      known.set(location, (found = [...block].flatMap(accessesOf).map((access) => nextOf(access, changed))))
    }
    return found
  }
}

const nextOf = (access: Access, changed: ReadonlySet<Variable>): Next => {
  if (access.kind !== 'memory') return { access, address: undefined, size: 0 }
  const { address, size } = access
  const isFixed = ![...variablesOf(address)].some((variable) => changed.has(variable))
  return { access, address: isFixed ? address : undefined, size }
}
