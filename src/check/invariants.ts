// Invariants for correctness witnesses. The labels of a proof hold along the interleavings that its reduction follows,
// not along all of them; a witness must speak of all. So the reachable states are explored once more, without
// reduction, and what they have in common is told: ranges of shared variables, and what holds of them whenever a lock is
// free. With inputs, or too many states, nothing is claimed.
import { oracle, type State } from '../semantics/index.js'
import type { Edge, Position, Program, Variable } from '../xcfa/index.js'
import { written } from '../xcfa/passes/labels.js'

/** C expressions over global variables (and ghosts) that hold in every state. */
export interface Invariants {
  readonly expressions: readonly string[]
  readonly ghosts: readonly Ghost[]
  /** The first statement of each thread function and of the entry: where they may be asserted. */
  readonly places: readonly Position[]
}

/** A variable of the witness that is 1 while somebody holds the mutex. */
export interface Ghost {
  readonly name: string
  readonly updates: readonly { readonly place: Position; readonly value: 0 | 1 }[]
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
  const shared = program.globals
    .filter(({ type, name, source }) => type.kind === 'int' && isName(name) && name === source)
    .sort((a, b) => (a.source! < b.source! ? -1 : 1))
  const slots = new Map(program.globals.map((variable, slot) => [variable, slot]))
  const valuesIn = (state: State) => (variable: Variable) => state.globals[slots.get(variable)!]!
  const locks = locksOf(program, edges)
  const [always, unlocked] = [new Common(shared), new Map(locks.map((lock) => [lock, new Common(shared)]))]
  const visit = (state: State): void => {
    const value = valuesIn(state)
    always.add(value)
    for (const [lock, common] of unlocked) if (value(lock.variable) === 0) common.add(value)
  }
  const { reason } = oracle(program, 'assert', { complete: true, maxStates: 50_000, ...options, visit })
  if (reason !== undefined) return undefined
  const known = always.expressions()
  const conditional = [...unlocked].map(([lock, common]) => ({
    lock,
    expressions: common.expressions().filter((e) => !known.includes(e)),
  }))
  const useful = conditional.filter(({ expressions }) => expressions.length > 0)
  return {
    expressions: [...known, ...useful.map(({ lock, expressions }) => `${lock.ghost} || (${expressions.join(' && ')})`)],
    ghosts: useful.map(({ lock: { ghost, updates } }) => ({ name: ghost, updates })),
    places: [...program.templates.values()].flatMap(
      (template) => template.edges.find(({ source }) => source === template.initial)?.position ?? [],
    ),
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
      for (const b of shared.slice(i + 1, MOST_PAIRED)) this.sums.push({ pair: [a, b], sum: undefined })
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

/** Pairs of so many variables are looked at. */
const MOST_PAIRED = 12

// ---- locks

interface Lock {
  readonly variable: Variable
  readonly ghost: string
  readonly updates: Ghost['updates']
}

/** Mutexes that are variables of their own, taken and released by nothing but `pthread_mutex_lock` and `unlock`. */
const locksOf = (program: Program, edges: readonly Edge[]): readonly Lock[] => {
  const names = new Set(program.globals.map(({ source }) => source))
  return program.globals.flatMap((variable): readonly Lock[] => {
    const mutex = variable.name.split('.')[0]
    const ghost = `${mutex}_locked`
    const own = edges.filter(({ labels }) => labels.flatMap(written).includes(variable))
    const isPlain = own.length > 0 && own.every(({ sync }) => sync?.kind === 'lock' || sync?.kind === 'unlock')
    if (!isPlain || !isName(mutex) || names.has(ghost)) return []
    const updates = new Map(
      own.map(({ position, sync }) => [
        `${position.file}:${position.line}:${position.column}`,
        { place: position, value: sync!.kind === 'lock' ? (1 as const) : (0 as const) },
      ]),
    )
    return [{ variable, ghost, updates: [...updates.values()] }]
  })
}
