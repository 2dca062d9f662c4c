// Invariants for correctness witnesses and for readers of a proof. The labels of a proof hold along the interleavings
// that its reduction follows, not along all of them; a witness must speak of all. So the reachable states are explored
// once more, without reduction, and what they have in common is told: ranges of shared variables, what holds of them
// whenever a lock is free, and what holds while a thread is at a line. With inputs, or too many states, nothing is
// claimed.
import { type Edge, isLibrary, type Location, type Position, type Program, type Variable } from '../../xcfa/index.js'
import { written } from '../../xcfa/passes/labels.js'
import type { State } from '../state.js'
import { oracle } from './oracle.js'

export interface Invariants {
  /** C expressions over global variables that hold in every state. */
  readonly expressions: readonly string[]
  readonly ghosts: readonly Ghost[]
  /** The first statement of each thread function and of the entry: where they may be asserted. */
  readonly places: readonly Position[]
  /** What holds while some thread is before a step of this line, beyond what holds in every state. */
  readonly lines: readonly LineInvariant[]
}

interface LineInvariant {
  readonly file: string
  readonly line: number
  readonly expressions: readonly string[]
}

/** A variable of the witness that is 1 while somebody holds a mutex, and what holds while it is 0. */
interface Ghost {
  readonly name: string
  readonly updates: readonly { readonly place: Position; readonly value: 0 | 1 }[]
  readonly whileFree: readonly string[]
}

export interface InvariantOptions {
  readonly maxStates?: number
  readonly stopped?: () => string | undefined
}

/** Of a program after `prepare`, without slicing and large blocks; undefined if not all its states could be explored. */
export const sharedInvariants = (program: Program, options: InvariantOptions = {}): Invariants | undefined => {
  const edges = [...program.templates.values()].flatMap((template) => template.edges)
  if (edges.some(({ labels }) => labels.some(({ kind }) => kind === 'havoc' || kind === 'primitive'))) return undefined
  if (program.globals.some(({ initial }) => initial === 'any')) return undefined
  // States inside an atomic block are no states of the exploration, but places of the program.
  if (edges.some(({ sync }) => sync?.kind === 'atomic')) return undefined
  const shared = program.globals
    .filter(({ type, name, source }) => type.kind === 'int' && isName(name) && name === source)
    .sort((a, b) => (a.source! < b.source! ? -1 : 1))
  const slots = new Map(program.globals.map((variable, slot) => [variable, slot]))
  const valuesIn = (state: State) => (variable: Variable) => state.globals[slots.get(variable)!]!
  const locks = locksOf(program, edges)
  const [always, unlocked] = [new Common(shared), new Map(locks.map((lock) => [lock, new Common(shared)]))]
  const lines = new Lines(program, () => new Common(shared))
  const visit = (state: State): void => {
    const value = valuesIn(state)
    always.add(value)
    for (const [lock, common] of unlocked) if (value(lock.variable) === 0) common.add(value)
    for (const common of lines.of(state)) common.add(value)
  }
  const { reason } = oracle(program, 'assert', { complete: true, maxStates: 50_000, ...options, visit })
  if (reason !== undefined) return undefined
  const expressions = always.expressions()
  const ghosts = [...unlocked].map(([{ name, updates }, common]) => ({
    ...{ name, updates },
    whileFree: common.expressions().filter((e) => !expressions.includes(e)),
  }))
  return {
    expressions,
    ghosts: ghosts.filter(({ whileFree }) => whileFree.length > 0),
    places: [...program.templates.values()].flatMap(
      (template) => template.edges.find(({ source }) => source === template.initial)?.position ?? [],
    ),
    lines: lines.beyond(expressions),
  }
}

const isName = (text: string | undefined): text is string => text !== undefined && /^[A-Za-z_]\w*$/.test(text)

// ---- what states have in common

class Common {
  private readonly ranges: { readonly variable: Variable; least: number; most: number }[]
  private readonly sums: { readonly pair: readonly [Variable, Variable]; sum: number | undefined }[] = []
  private states = 0

  constructor(shared: readonly Variable[]) {
    this.ranges = shared.map((variable) => ({ variable, least: 0, most: 0 }))
    for (const [i, a] of shared.entries())
      for (const b of shared.slice(i + 1, MAX_PAIRED)) this.sums.push({ pair: [a, b], sum: undefined })
  }

  add(value: (variable: Variable) => number | bigint): void {
    const of = (variable: Variable): number => Number(value(variable))
    const isFirst = this.states++ === 0
    for (const range of this.ranges) {
      const now = of(range.variable)
      if (isFirst || now < range.least) range.least = now
      if (isFirst || now > range.most) range.most = now
    }
    for (const entry of this.sums) {
      const now = of(entry.pair[0]) + of(entry.pair[1])
      if (isFirst) entry.sum = now
      else if (entry.sum !== now) entry.sum = undefined
    }
  }

  expressions(): readonly string[] {
    if (this.states === 0) return []
    const isExact = (...values: readonly number[]): boolean => values.every(Number.isSafeInteger)
    const isFixed = (v: Variable): boolean => this.ranges.some((r) => r.variable === v && r.least === r.most)
    return [
      ...this.ranges
        .filter(({ least, most }) => isExact(least, most))
        .map(({ variable: { source }, least, most }) =>
          least === most ? `${source} == ${least}` : `${source} >= ${least} && ${source} <= ${most}`,
        ),
      ...this.sums
        .filter(({ pair, sum }) => sum !== undefined && isExact(sum) && !pair.some(isFixed))
        .map(({ pair: [a, b], sum }) => `(long long)${a.source} + ${b.source} == ${sum}`),
    ]
  }
}

/** What the states have in common in which some thread is at a line of the program. */
class Lines {
  private readonly at = new Map<Location, { readonly position: Position; readonly common: Common }>()

  constructor({ templates }: Program, create: () => Common) {
    const byLine = new Map<string, Common>()
    const begins = [...templates.values()].map(({ initial }) => initial.position)
    for (const { source, position } of [...templates.values()].flatMap(({ edges }) => edges)) {
      // Models of the library are no lines of the program, and the end of a thread has the place of its function's head.
      const isStatement = !isLibrary(position) && !begins.some((place) => place && isSamePlace(place, position))
      if (this.at.has(source) || !isStatement) continue
      const line = `${position.file}:${position.line}`
      const common = byLine.get(line) ?? create()
      byLine.set(line, common)
      this.at.set(source, { position, common })
    }
  }

  of({ threads }: State): ReadonlySet<Common> {
    const found = new Set<Common>()
    for (const { location } of threads) {
      const entry = this.at.get(location)
      if (entry) found.add(entry.common)
    }
    return found
  }

  beyond(known: readonly string[]): readonly LineInvariant[] {
    const seen = new Set<Common>()
    return [...this.at.values()].flatMap(({ position: { file, line }, common }): readonly LineInvariant[] => {
      if (seen.has(common)) return []
      seen.add(common)
      const expressions = common.expressions().filter((expression) => !known.includes(expression))
      return expressions.length > 0 ? [{ file, line, expressions }] : []
    })
  }
}

/** Pairs of so many variables are looked at. */
const MAX_PAIRED = 12

// ---- locks

interface Lock extends Pick<Ghost, 'name' | 'updates'> {
  readonly variable: Variable
}

/**
 * Mutexes that are variables of their own, taken and released by nothing but `pthread_mutex_lock` and `unlock`, each at
 * places where nothing else is: not by a function for several mutexes, and not one that may be taken twice.
 */
const locksOf = (program: Program, edges: readonly Edge[]): readonly Lock[] => {
  const names = new Set(program.globals.map(({ source }) => source))
  return program.globals.flatMap((variable): readonly Lock[] => {
    const mutex = variable.name.split('.')[0]
    const name = `${mutex}_locked`
    const own = edges.filter(({ labels }) => labels.flatMap(written).includes(variable))
    const isAlone = (edge: Edge): boolean =>
      edges
        .filter((other) => other.sync && isSamePlace(other.position, edge.position))
        .every((other) => other.sync!.kind === edge.sync!.kind && (own.includes(other) || other.target.kind === 'halt'))
    const isPlain = own.length > 0 && own.every((edge) => isLockOrRelease(edge, variable) && isAlone(edge))
    if (!isPlain || !isName(mutex) || names.has(name)) return []
    const places = own.filter(({ position }, i) => own.findIndex((e) => isSamePlace(e.position, position)) === i)
    const updates = places.map(({ position: place, sync }) => ({
      place,
      value: sync!.kind === 'lock' ? (1 as const) : (0 as const),
    }))
    return [{ variable, name, updates }]
  })
}

const isLockOrRelease = ({ sync, labels }: Edge, variable: Variable): boolean =>
  sync?.kind === 'lock' ||
  (sync?.kind === 'unlock' &&
    labels.some((l) => l.kind === 'assign' && l.target === variable && l.value.kind === 'const' && l.value.value === 0))

const isSamePlace = (a: Position, b: Position): boolean =>
  a.file === b.file && a.line === b.line && a.column === b.column
