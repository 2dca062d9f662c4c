// Reducible blocks (redcomp.txt section V-B): phases by HC2, and which locations are inside a block. A block is a sequence
// of right movers, at most one non-mover, and left movers; nobody else needs to be considered inside it.
//
// Where we depart (soundness.md 14): In requires that every phase in which a location is reached qualifies. After the
// commit a block must end: a location there is Out if its thread may stop or wait at it, or if it lies on a cycle inside
// blocks. A new block begins in the pre-commit phase at every location that is Out; the paper's clauses let the phase
// before it run on, which is the same or worse.
import type { Edge, Label, Location, Procedure } from '../xcfa/index.js'
import { backEdges, complementary, outgoing } from '../xcfa/passes/index.js'
import type { Mover } from './movers.js'

export interface Blocks {
  /** In_i; all other locations are Out_i. */
  readonly inside: ReadonlySet<Location>
  /** In which phases a location is reached: 1 before the commit, 0 after it. */
  readonly phases: ReadonlyMap<Location, ReadonlySet<0 | 1>>
}

export interface BlockOptions {
  /** Edges after which a block ends in any case. */
  readonly ends?: (edge: Edge) => boolean
  /** Edges before which a block ends, so that they begin one. */
  readonly begins?: (edge: Edge) => boolean
  /** Nobody waits inside a block, before its commit either: for deadlocks, which blocks would hide otherwise. */
  readonly neverWaiting?: boolean
}

export const reducibleBlocks = (
  template: Procedure,
  moverOf: (edge: Edge) => Mover,
  options: BlockOptions = {},
): Blocks => {
  const from = outgoing(template.edges)
  const heads = new Set([...backEdges(template.initial, template.edges)].map((edge) => edge.target))
  const outside = new Set<Location>([template.initial])
  // soundness 14: where a thread ends it is outside.
  for (const location of template.locations) if (isEnd(location, from)) outside.add(location)
  for (const edge of template.edges) if (endsBlock(edge) || options.ends?.(edge)) outside.add(edge.target)
  for (const edge of template.edges) if (options.begins?.(edge)) outside.add(edge.source)
  // The thread's own atomic blocks are blocks whatever their movers. An error, or another end, inside one stays outside:
  // it is where the block leads to.
  for (const location of template.locations) if (location.atomic && !isEnd(location, from)) outside.delete(location)
  // Loop heads first: the rest of the loop then is inside a block more often.
  const order = [...template.locations].sort((a, b) => Number(heads.has(b)) - Number(heads.has(a)))
  for (;;) {
    const phases = phasesOf(template, from, moverOf, outside)
    const cyclic = cyclicInside(template, from, outside)
    const wrong = order.find(
      (l) =>
        !outside.has(l) &&
        !l.atomic &&
        phases.has(l) &&
        !(
          qualifies(stepFrom(l, from), phases.get(l)!, moverOf, cyclic) &&
          (!options.neverWaiting || stepFrom(l, from).every(({ edges }) => neverWaits(edges.map((e) => e.labels))))
        ),
    )
    if (!wrong) return { inside: new Set(template.locations.filter((l) => !outside.has(l) && phases.has(l))), phases }
    outside.add(wrong)
  }
}

const isEnd = (location: Location, from: ReadonlyMap<Location, readonly Edge[]>): boolean =>
  location.kind !== 'plain' || (from.get(location) ?? []).length === 0

/** soundness 15: waiting for a condition ends a block, and begins another. */
const endsBlock = (edge: Edge): boolean => edge.sync?.kind === 'wait'

/** HC2, as data flow over program counter and phase only. */
const phasesOf = (
  template: Procedure,
  from: ReadonlyMap<Location, readonly Edge[]>,
  moverOf: (edge: Edge) => Mover,
  outside: ReadonlySet<Location>,
): Map<Location, Set<0 | 1>> => {
  const phases = new Map<Location, Set<0 | 1>>([[template.initial, new Set([1])]])
  const work: Location[] = [template.initial]
  for (let location = work.pop(); location; location = work.pop())
    for (const edge of from.get(location) ?? []) {
      const before: Iterable<0 | 1> = outside.has(location) ? [1] : phases.get(location)!
      let known = phases.get(edge.target)
      if (!known) phases.set(edge.target, (known = new Set()))
      const size = known.size
      for (const phase of before) known.add(phaseAfter(moverOf(edge), phase, location.atomic))
      if (known.size > size) work.push(edge.target)
    }
  return phases
}

/** Inside an atomic block nothing begins anew: what moves right after the commit leaves it committed. */
const phaseAfter = (mover: Mover, phase: 0 | 1, isAtomic: boolean): 0 | 1 => {
  switch (mover) {
    case 'right':
      return isAtomic ? phase : 1
    case 'left':
    case 'non':
      return 0
    case 'both':
      return phase
  }
}

interface Stop {
  readonly location: Location
  readonly edges: readonly Edge[]
}

/** Where the thread passes on its next step: the location, and those of an atomic block that begins there. */
const stepFrom = (start: Location, from: ReadonlyMap<Location, readonly Edge[]>): readonly Stop[] => {
  const passed = new Set([start])
  for (const location of passed)
    for (const { target } of from.get(location) ?? []) if (target.atomic && !isEnd(target, from)) passed.add(target)
  return [...passed].map((location) => ({ location, edges: from.get(location) ?? [] }))
}

const qualifies = (
  step: readonly Stop[],
  phases: ReadonlySet<0 | 1>,
  moverOf: (edge: Edge) => Mover,
  cyclic: ReadonlySet<Location>,
): boolean => {
  // soundness 14: every phase in which it is reached qualifies.
  if (!phases.has(0)) return true
  // soundness 14: after the commit everything moves left, and nobody waits, stops or goes round.
  return step.every(
    ({ location, edges }) =>
      edges.every((edge) => moverOf(edge) === 'left' || moverOf(edge) === 'both') &&
      !cyclic.has(location) &&
      neverWaits(edges.map((edge) => edge.labels)),
  )
}

/** Locations on a cycle that stays inside blocks. */
const cyclicInside = (
  template: Procedure,
  from: ReadonlyMap<Location, readonly Edge[]>,
  outside: ReadonlySet<Location>,
): ReadonlySet<Location> => {
  const reachedFrom = (start: Location): ReadonlySet<Location> => {
    const seen = new Set<Location>()
    const work = [start]
    for (let location = work.pop(); location; location = work.pop())
      for (const { target } of from.get(location) ?? [])
        if (!outside.has(target) && !seen.has(target)) {
          seen.add(target)
          work.push(target)
        }
    return seen
  }
  return new Set(template.locations.filter((l) => !outside.has(l) && reachedFrom(l).has(l)))
}

const isGuard = (label: Label): boolean =>
  label.kind === 'assume' ||
  label.kind === 'join' ||
  (label.kind === 'havoc' && label.range !== undefined) ||
  // An access outside its region stops the thread.
  ((label.kind === 'load' || label.kind === 'store') && label.address.kind !== 'const')

/** Whether one of these label sequences can always be executed, as far as their shape tells. */
const neverWaits = (sequences: readonly (readonly Label[])[]): boolean => {
  if (sequences.some((labels) => !labels.some(isGuard))) return true
  const [first] = sequences
  if (!first) return false
  const at = first.findIndex(isGuard)
  const guard = first[at]!
  if (guard.kind !== 'assume') return false
  const rest = (complement: boolean): readonly (readonly Label[])[] =>
    sequences.flatMap((labels) => {
      const own = labels[at]
      if (own?.kind !== 'assume' || !labels.slice(0, at).every((l, i) => sameLabel(l, first[i]!))) return []
      const fits = complement ? complementary(own.condition, guard.condition) : sameText(own.condition, guard.condition)
      return fits ? [labels.slice(at + 1)] : []
    })
  const negative = rest(true)
  return negative.length > 0 && neverWaits(rest(false)) && neverWaits(negative)
}

const identity = new WeakMap<object, string>()
/** Structure by value, variables and regions by identity. */
const textOf = (value: object): string => {
  let text = identity.get(value)
  if (text === undefined) {
    text = JSON.stringify(value, (key, part: unknown) =>
      key === 'variable' || key === 'target' || key === 'region' || key === 'object'
        ? `#${(part as { id: number }).id}`
        : typeof part === 'bigint'
          ? `${part}n`
          : part,
    )
    identity.set(value, text)
  }
  return text
}
const sameText = (a: object, b: object): boolean => a === b || textOf(a) === textOf(b)
const sameLabel = (a: Label, b: Label): boolean => sameText(a, b)
