// Races and deadlocks for engines that see location vectors and formulas (cegar, impact): at a vector, which pairs of
// next accesses could race, or whether everybody could be waiting; and under which condition on the state they do.
// The conditions are those of the concrete semantics (semantics/violation.ts) or weaker, and what they find is
// replayed: without a state that satisfies one, there is no race and no deadlock at the vector. All actions that the
// vector admits count, whatever a reduction explores (soundness.md 6).
import {
  add,
  and,
  bvAdd,
  bvConst,
  bvUlt,
  conjuncts,
  eq,
  freeVariables,
  intConst,
  lt,
  not,
  type Term,
  TRUE,
  widthOf,
} from '../logic/index.js'
import { coversAll } from '../reduction/index.js'
import type { Action, Control, ControlFlow } from '../semantics/control.js'
import { type Access, accessesOf, type Edge, type Label, type Location, type Sync } from '../xcfa/index.js'
import type { Property } from './names.js'

/** A way in which the states at a vector may violate the property. */
export type Suspicion =
  | { readonly kind: 'race'; readonly first: NextAccess; readonly second: NextAccess }
  /** Nobody can take any of these. */
  | { readonly kind: 'deadlock'; readonly actions: readonly Action[] }

interface NextAccess extends PendingAccess {
  readonly thread: number
}

interface PendingAccess {
  readonly edge: Edge
  readonly access: Access
  /** It is the edge's memory access of this number; otherwise its address is not told. */
  readonly use: number | undefined
  /** Whether the edge may not be possible although its thread is here. */
  readonly guarded: boolean
}

/** An action as terms over the state before it and over what it chooses. */
interface ActionFormula {
  readonly guard: readonly Term[]
  /** Addresses of its loads and stores, in order. */
  readonly addresses: readonly Term[]
  /** Each with the fact that it is a value of its type. */
  readonly choices: readonly { readonly term: Term; readonly fact: Term }[]
}

/** What to suspect at a vector; nothing for properties that are about error locations. */
export const suspicionsOf = (flow: ControlFlow, property: Property): ((control: Control) => readonly Suspicion[]) => {
  switch (property) {
    case 'no-data-race':
      return racesAt(flow)
    case 'no-deadlock':
      return (control) => deadlocksAt(flow, control)
    default:
      return () => []
  }
}

type FormulaOf = (action: Action) => ActionFormula

/** The states in which it is true, or more: what depends on a choice is left out. */
export const conditionOf = (suspicion: Suspicion, formulaOf: FormulaOf): Term => {
  if (suspicion.kind === 'deadlock')
    return and(
      suspicion.actions.map((action) => {
        const { told, open } = withoutChoices(formulaOf(action))
        return open ? TRUE : not(and(told))
      }),
    )
  const { first, second } = suspicion
  const enabled = [first, second].filter(({ guarded }) => guarded).flatMap((a) => withoutChoices(formulaOf(a)).told)
  return and(enabled, overlap(first, second, formulaOf))
}

/** The parts of a guard that no choice decides; `open`: there are others, beyond that a choice has its type. */
const withoutChoices = ({ guard, choices }: ActionFormula) => {
  const facts = new Set(choices.flatMap(({ fact }) => conjuncts(fact)))
  const rest = guard.flatMap(conjuncts).filter((each) => !facts.has(each))
  const told = rest.filter((each) => !mentions(each, choices))
  return { told, open: told.length < rest.length }
}

const mentions = (formula: Term, choices: ActionFormula['choices']): boolean => {
  const variables = freeVariables(formula)
  return choices.some(({ term }) => variables.includes(term))
}

// ---- races

const racesAt = (flow: ControlFlow): ((control: Control) => readonly Suspicion[]) => {
  const known = new Map<Location, readonly PendingAccess[]>()
  const pendingAt = (location: Location): readonly PendingAccess[] => {
    let pending = known.get(location)
    if (!pending) known.set(location, (pending = pendingAccesses(flow, location)))
    return pending
  }
  return ({ threads }) => {
    if (threads.some(({ location }) => location.atomic)) return []
    const found: Suspicion[] = []
    threads.forEach((one, i) => {
      for (const other of threads.slice(i + 1))
        for (const a of pendingAt(one.location))
          for (const b of pendingAt(other.location))
            if (mayRace(a.access, b.access)) {
              const [first, second] = [
                { ...a, thread: one.number },
                { ...b, thread: other.number },
              ]
              found.push({ kind: 'race', first, second })
            }
    })
    return found
  }
}

/** What a thread here touches next, to the end of an atomic block; each access once, whatever follows it. */
const pendingAccesses = (flow: ControlFlow, location: Location): readonly PendingAccess[] => {
  const edges = flow.edgesFrom(location)
  const guarded = !isAlwaysPossible(edges)
  const found: PendingAccess[] = []
  for (const edge of edges) {
    let use = 0
    for (const access of accessesOf(edge))
      found.push({ edge, access, guarded, use: access.kind === 'memory' ? use++ : undefined })
    for (const later of blockAfter(flow, edge))
      for (const access of accessesOf(later)) found.push({ edge, access, guarded, use: undefined })
  }
  const shared = found.filter(({ access }) => access.kind !== 'memory' || access.region.scope === 'global')
  return guarded ? shared : shared.filter((each, i) => !shared.slice(0, i).some((earlier) => sameAccess(earlier, each)))
}

const blockAfter = (flow: ControlFlow, { target }: Edge): ReadonlySet<Edge> => {
  const block = new Set(target.atomic ? flow.edgesFrom(target) : [])
  for (const edge of block)
    if (edge.target.atomic) for (const following of flow.edgesFrom(edge.target)) block.add(following)
  return block
}

/** Edges of large blocks share the labels that they begin with. */
const sameAccess = (a: PendingAccess, b: PendingAccess): boolean => {
  const [x, y] = [a.access, b.access]
  if (x.write !== y.write || x.atomic !== y.atomic) return false
  if (x.kind === 'variable') return y.kind === 'variable' && x.variable === y.variable
  if (x.kind !== 'memory' || y.kind !== 'memory' || x.region !== y.region || x.size !== y.size) return false
  if (x.address.kind === 'const' && y.address.kind === 'const') return x.address.value === y.address.value
  return a.use !== undefined && a.use === b.use && samePrefix(a.edge, b.edge, a.use)
}

/** Whether both edges have the same labels up to their memory access of this number. */
const samePrefix = (a: Edge, b: Edge, use: number): boolean => {
  let left = use
  for (const [i, label] of a.labels.entries()) {
    if (b.labels[i] !== label) return false
    if ((label.kind === 'load' || label.kind === 'store') && left-- === 0) return true
  }
  return false
}

/** Whether two accesses race in some state, as far as their shape tells. */
export const mayRace = (a: Access, b: Access): boolean => {
  if (!(a.write || b.write) || (a.atomic && b.atomic)) return false
  if (a.kind === 'variable') return b.kind === 'variable' && a.variable === b.variable
  if (a.kind !== 'memory' || b.kind !== 'memory' || a.region !== b.region || a.region.scope === 'local') return false
  if (a.address.kind !== 'const' || b.address.kind !== 'const') return true
  const [x, y] = [Number(a.address.value), Number(b.address.value)]
  return x < y + b.size && y < x + a.size
}

/** Both touch a common byte; TRUE where an address is not known. */
const overlap = (first: NextAccess, second: NextAccess, formulaOf: FormulaOf): Term => {
  if (first.access.kind !== 'memory' || second.access.kind !== 'memory') return TRUE
  const [a, b] = [addressOf(first, formulaOf), addressOf(second, formulaOf)]
  if (!a || !b) return TRUE
  if (first.access.region.element !== 'bytes') return eq(a, b)
  return and(below(a, b, second.access.size), below(b, a, first.access.size))
}

const addressOf = (access: NextAccess, formulaOf: FormulaOf): Term | undefined => {
  const formula = formulaOf(access)
  const address = access.use === undefined ? undefined : formula.addresses[access.use]
  return address && !mentions(address, formula.choices) ? address : undefined
}

/** a < b + size */
const below = (a: Term, b: Term, size: number): Term =>
  a.sort.kind === 'bv' ? bvUlt(a, bvAdd(b, bvConst(size, widthOf(b)))) : lt(a, add(b, intConst(size)))

// ---- deadlocks

const deadlocksAt = (flow: ControlFlow, control: Control): readonly Suspicion[] => {
  const { threads } = control
  // Once a thread has stopped, the program has ended.
  if (threads.some(({ location }) => location.kind === 'halt' || location.kind === 'error')) return []
  if (threads.every(({ location }) => location.kind === 'final')) return []
  const actions = flow.actions(control).filter(({ edge }) => !edge.sync?.spurious)
  const movable = new Set(actions.map(({ thread }) => thread))
  for (const number of movable)
    if (isAlwaysPossible(actions.filter(({ thread }) => thread === number).map(({ edge }) => edge))) return []
  return [{ kind: 'deadlock', actions }]
}

/** Their models never wait: a signal that nobody waits for is lost, a trylock tells that it failed. */
const NEVER_WAITS: ReadonlySet<string | undefined> = new Set<Sync['kind']>([
  'signal',
  'broadcast',
  'unlock',
  'read-unlock',
  'post',
  'trylock',
  'start',
])

/** Whether a thread before these edges can take one of them in every state. */
const isAlwaysPossible = (edges: readonly Edge[]): boolean => {
  if (edges.length === 0) return false
  if (edges.every(({ sync }) => NEVER_WAITS.has(sync?.kind))) return true
  return !edges.some(({ labels }) => labels.some(mayBlock)) && coversAll(edges.map(({ labels }) => labels))
}

const mayBlock = (label: Label): boolean =>
  label.kind === 'join' || label.kind === 'primitive' || (label.kind === 'havoc' && mayBeEmpty(label.range))

const mayBeEmpty = (range: Extract<Label, { kind: 'havoc' }>['range']): boolean =>
  range !== undefined &&
  !(range.low.kind === 'const' && range.high.kind === 'const' && range.low.value <= range.high.value)
