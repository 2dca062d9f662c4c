// An allocation may get the address of a block that was freed before, and allocators do that at once (the ABA problem).
// Where a program compares such addresses, a freed block waits in one of a few global variables of its site; an
// allocation that it is large enough for is either fresh, or takes a block that waits, by choice. Its contents are then
// arbitrary. A pointer to a freed block leads to memory that is still there, as it does on machines.
//   Most programs compare such pointers only while their blocks live (`head == tail` of a queue), where reuse cannot show.
// An engine that sees the lives of blocks need not choose then: it watches the comparisons instead (`watched`).
import { add, and, constant, eq, le, lt, ne, not, or, varExpr } from '../../build.js'
import type { Expr } from '../../expr.js'
import type { Edge, Label, Location, MemoryObject, Position, Procedure, Program, Variable } from '../../model.js'
import { byteSize, intType, POINTER } from '../../types.js'
import { Unsupported } from '../../unsupported.js'
import { withTemplates } from '../edit.js'
import { freshNumbers, type Part, partsOf, uniqueParts } from './free-writes.js'
import { candidates, hasLabel, type Observation, observations, type Site } from './observed-addresses.js'
import { type PointsTo, pointsTo } from './points-to.js'

/** Blocks of a site that wait at a time. More of them is a limit that no proof may come to. */
const MAX_WAITING = 3
/** Scalars of a block that are cleared when it is taken again, each by a store of its own. */
const MAX_CLEARED_SCALARS = 512

export interface Reused {
  readonly program: Program
  /** Set where addresses may be reused in a way that is not modelled: then nothing holds of all executions. */
  readonly unmodelled?: Unsupported
  /** Nothing holds of all executions if a pointer to a freed block is compared with another one, here or elsewhere. */
  readonly watched?: Position
}

interface Context {
  readonly program: Program
  readonly pointers: PointsTo
  readonly pools: ReadonlyMap<MemoryObject, readonly Variable[]>
  readonly compared: Compared
  readonly parts: ReadonlyMap<MemoryObject, readonly Part[]>
  readonly fresh: () => number
}

/** Objects whose freed blocks are told apart by comparisons, and the heap objects that they are compared with. */
type Compared = ReadonlyMap<MemoryObject, ReadonlySet<MemoryObject>>

/**
 * Edges of condition variables compare a condition with those that threads wait for. A condition that somebody waits for
 * is never freed (POSIX pthread_cond_destroy), so that an address that is reused makes no difference to them.
 */
export const isWaitersComparison = ({ sync }: Pick<Edge, 'sync'>): boolean =>
  sync !== undefined && ['wait', 'wake', 'signal', 'broadcast'].includes(sync.kind)

/**
 * `isModelled`: the property does not ask for the lives of blocks themselves. `watches`: whoever executes the program
 * will notice comparisons of pointers to freed blocks.
 */
export const reuseAddresses = (program: Program, isModelled: boolean, watches = false): Reused => {
  if (!hasLabel(program, 'free')) return { program }
  const sites = candidates(program, ({ op }) => op === 'eq' || op === 'ne').filter(
    ({ edge }) => !isWaitersComparison(edge),
  )
  if (sites.length === 0) return { program }
  const pointers = pointsTo(program)
  const isLookup = lookupsOfBlocks(program, pointers)
  const freed = freedObjects(program, pointers)
  const isHeap = ({ storage }: MemoryObject): boolean => storage === 'heap'
  const compared = new Map<MemoryObject, Set<MemoryObject>>()
  let place: Position | undefined
  let arePointers = true
  const note = (side: ReadonlySet<MemoryObject>, others: readonly MemoryObject[], { edge, compare }: Observation) => {
    for (const object of side)
      if (freed.has(object) && others.length > 0) {
        place ??= edge.position
        // A number made from an address does not tell which block it is about.
        arePointers &&= compare.left.type.kind === 'pointer' && compare.right.type.kind === 'pointer'
        compared.set(object, new Set([...(compared.get(object) ?? []), ...others]))
      }
  }
  const ofProgram = sites.filter((site) => !isLookup(site))
  for (const observation of observations(ofProgram, pointers)) {
    const { left, right } = observation
    note(left, [...right].filter(isHeap), observation)
    note(right, [...left].filter(isHeap), observation)
  }
  if (!place) return { program }
  if (watches && arePointers) return { program, watched: place }
  if (hasMovedBlocks(program))
    return { program, unmodelled: new Unsupported('a comparison with the address of a block before realloc', place) }
  if (!isModelled || [...compared.keys()].some((object) => !hasKnownSize(object, program)))
    return { program, unmodelled: new Unsupported('a comparison with the address of a freed block', place) }
  const everything = closed(compared)
  if (clearsTooMuch(program, everything, partsOf(program, pointers)))
    return { program, unmodelled: new Unsupported('a large cleared block at the address of a freed one', place) }
  return { program: withPools(program, pointers, everything) }
}

const isBlockList = ({ role }: Variable | MemoryObject): boolean => role === 'reallocated-blocks'

/** `realloc` may leave a block where it is; here it always moves. */
const hasMovedBlocks = ({ globals, objects }: Program): boolean => [...globals, ...objects].some(isBlockList)

/**
 * Comparisons by which `realloc` finds its block in the list of blocks. An address that has come back stands before the
 * older entries there, so that they tell the program nothing.
 */
const lookupsOfBlocks = ({ globals, main }: Program, pointers: PointsTo): ((site: Site) => boolean) => {
  const lists = globals.filter(isBlockList)
  if (lists.length === 0) return () => false
  const entries = new Set(lists.flatMap((list) => pointers.targets(varExpr(list), main).map(({ object }) => object)))
  return ({ edge, procedure, compare }) =>
    edge.labels.some(
      (label) =>
        label.kind === 'load' &&
        [compare.left, compare.right].some((side) => side.kind === 'var' && side.variable === label.target) &&
        pointers.targets(label.address, procedure).every(({ object }) => entries.has(object)),
    )
}

const clearsTooMuch = (program: Program, compared: Compared, parts: Context['parts']): boolean => {
  const cleared = [...program.templates.values()]
    .flatMap(({ edges }) => edges.flatMap(({ labels }) => labels))
    .flatMap((label) => (label.kind === 'allocate' && label.object.contents !== 'any' ? [label.object] : []))
  return [...compared].some(([block, others]) =>
    cleared.some(
      (object) => others.has(object) && initialParts(block, object, compared, parts).length > MAX_CLEARED_SCALARS,
    ),
  )
}

/**
 * Compared with each other by way of others: an address may go from one site to a second one, which is compared with
 * both the first and a third.
 */
const closed = (compared: Compared): Compared => {
  const reach = (from: MemoryObject): ReadonlySet<MemoryObject> => {
    const reached = new Set(compared.get(from))
    for (const object of reached) for (const next of compared.get(object) ?? []) reached.add(next)
    return reached
  }
  return new Map([...compared.keys()].map((object) => [object, reach(object)]))
}

/** Sites whose blocks are freed somewhere. */
export const freedObjects = (program: Program, pointers: PointsTo): ReadonlySet<MemoryObject> => {
  const freed = new Set<MemoryObject>()
  for (const procedure of program.templates.values())
    for (const label of procedure.edges.flatMap(({ labels }) => labels))
      if (label.kind === 'free')
        for (const { object } of pointers.targets(label.address, procedure))
          if (object.storage === 'heap' && !object.automatic) freed.add(object)
  return freed
}

const hasKnownSize = (object: MemoryObject, program: Program): boolean =>
  [...program.templates.values()].every(({ edges }) =>
    edges.every(({ labels }) =>
      labels.every((label) => label.kind !== 'allocate' || label.object !== object || label.size.kind === 'const'),
    ),
  )

const withPools = (program: Program, pointers: PointsTo, compared: Compared): Program => {
  const fresh = freshNumbers(program)
  const type = POINTER[program.dataModel === 'lp64' ? 64 : 32]
  const pool = ({ name }: MemoryObject): readonly Variable[] =>
    Array.from({ length: MAX_WAITING }, (_, i) => ({
      ...{ id: fresh(), name: `freed.${name}.${i}`, type, scope: 'global' as const, initial: 0, atomic: true },
    }))
  const pools = new Map([...compared.keys()].map((object) => [object, pool(object)]))
  const context: Context = { program, pointers, pools, compared, parts: partsOf(program, pointers), fresh }
  const changed = withTemplates(program, (procedure) => rewrite(procedure, context))
  return { ...changed, globals: [...changed.globals, ...[...pools.values()].flat()] }
}

const rewrite = (procedure: Procedure, context: Context): Procedure => {
  const locals: Variable[] = []
  const locations: Location[] = []
  const edges = procedure.edges.flatMap((edge) => {
    const at = edge.labels.findIndex(({ kind }) => kind === 'free' || kind === 'allocate')
    const label = edge.labels[at]
    if (label?.kind === 'free') return freeing(edge, at, label.address, procedure, context, locations)
    return label?.kind === 'allocate' && !label.object.automatic
      ? [edge, ...allocating(edge, at, label, context, locals), ...growing(edge, at, label, context, locations)]
      : [edge]
  })
  return {
    ...procedure,
    edges,
    locals: [...procedure.locals, ...locals],
    locations: [...procedure.locations, ...locations],
  }
}

const assume = (condition: Expr): Label => ({ kind: 'assume', condition })
const assign = (target: Variable, value: Expr): Label => ({ kind: 'assign', target, value })
const isFree = (slot: Variable): Expr => eq(varExpr(slot), constant(slot.type, 0))

/** The block waits in the first variable of its site that is free. What is no block of such a site is freed as ever. */
const freeing = (
  edge: Edge,
  at: number,
  address: Expr,
  procedure: Procedure,
  { pointers, pools, compared, fresh }: Context,
  locations: Location[],
): readonly Edge[] => {
  const targets = pointers.targets(address, procedure).map(({ object }) => object)
  // A block of one of the targets' sites may itself have taken a block that waited.
  const mine = [...pools].filter(([object]) => targets.some((t) => t === object || compared.get(object)!.has(t)))
  if (mine.length === 0) return [edge]
  const isIn = ({ base, stride, instances = 1 }: MemoryObject): Expr =>
    and(le(constant(address.type, base), address), lt(address, constant(address.type, base + stride * instances)))
  const replaced = (condition: Expr, labels: readonly Label[]): Edge => ({
    ...edge,
    id: fresh(),
    labels: [...edge.labels.slice(0, at), assume(condition), ...labels, ...edge.labels.slice(at + 1)],
  })
  const others = replaced(not(or(...mine.map(([object]) => isIn(object)))), [edge.labels[at]!])
  const waiting = mine.flatMap(([object, slots]) =>
    slots.map((slot, i) => {
      const earlier = slots.slice(0, i).map((other) => not(isFree(other)))
      return replaced(and(isIn(object), ...earlier, isFree(slot)), [assign(slot, address)])
    }),
  )
  const full = mine.map(([object, slots]): Edge => {
    const text = `more than ${MAX_WAITING} freed blocks of ${object.name} whose addresses are compared`
    const limit = limitAt(edge, text, fresh)
    locations.push(limit)
    const isFull = and(isIn(object), ...slots.map((slot) => not(isFree(slot))))
    return { ...replaced(isFull, []), target: limit }
  })
  return [others, ...waiting, ...full]
}

/**
 * The same allocation by a block that waits. Only blocks of sites whose pointers are compared with those of this one
 * count: nobody can tell otherwise whether the address is new.
 */
const allocating = (
  edge: Edge,
  at: number,
  { target, size, object }: Extract<Label, { kind: 'allocate' }>,
  { program, pools, compared, parts, fresh }: Context,
  locals: Variable[],
): readonly Edge[] =>
  [...pools].flatMap(([block, slots]) => {
    if (!compared.get(block)!.has(object)) return []
    const fits = le(size, constant(size.type, block.size))
    if (fits.kind === 'const' && fits.value === 0) return []
    return slots.map((slot): Edge => {
      const contents = initialParts(block, object, compared, parts).flatMap(({ offset, type }): readonly Label[] => {
        const value: Variable = { id: fresh(), name: 'reused', type, scope: 'local', initial: 0 }
        locals.push(value)
        return contentsOf({ offset, type }, value, target, object.contents, program)
      })
      const labels: Label[] = [
        assume(and(fits, ne(varExpr(slot), constant(slot.type, 0)))),
        assign(target, varExpr(slot)),
        assign(slot, constant(slot.type, 0)),
        ...contents,
      ]
      return { ...edge, id: fresh(), labels: [...edge.labels.slice(0, at), ...labels, ...edge.labels.slice(at + 1)] }
    })
  })

/**
 * A larger block may begin where a freed one did, too: what lay behind that one may be free. No block here grows, so
 * that this is a limit that no proof may come to.
 */
const growing = (
  edge: Edge,
  at: number,
  { size, object }: Extract<Label, { kind: 'allocate' }>,
  { pools, compared, fresh }: Context,
  locations: Location[],
): readonly Edge[] =>
  [...pools].flatMap(([block, slots]) => {
    const isLarger = lt(constant(size.type, block.size), size)
    if (!compared.get(block)!.has(object) || (isLarger.kind === 'const' && isLarger.value === 0)) return []
    const limit = limitAt(edge, `a block that is larger than a freed one of ${block.name} at its address`, fresh)
    locations.push(limit)
    const isOneWaiting = or(...slots.map((slot) => not(isFree(slot))))
    const labels = [...edge.labels.slice(0, at), assume(and(isLarger, isOneWaiting))]
    return [{ ...edge, id: fresh(), target: limit, labels }]
  })

const limitAt = ({ position }: Edge, text: string, fresh: () => number): Location => ({
  ...{ id: fresh(), kind: 'error', atomic: false, position },
  violation: { kind: 'limit', text },
})

interface Scalar {
  readonly offset: number
  readonly type: Part['type']
}

/**
 * The scalars of a block that get contents when it is taken again. What a block holds that is not cleared is arbitrary anyway:
 * there it is enough to forget what its own pointers wrote. One that is cleared is so wherever anybody looks,
 * also by the pointers that it now has, and in every element of an array.
 */
const initialParts = (
  block: MemoryObject,
  { contents }: MemoryObject,
  compared: Compared,
  parts: Context['parts'],
): readonly Scalar[] => {
  if (contents === 'any')
    return uniqueParts(parts.get(block) ?? [])
      .filter(({ slot }) => slot.step === 0 && slot.offset >= 0)
      .map(({ slot, type }) => ({ offset: slot.offset, type }))
  return uniqueParts([block, ...compared.get(block)!].flatMap((one) => parts.get(one) ?? [])).flatMap((part) =>
    offsetsIn(part, block.size).map((offset) => ({ offset, type: part.type })),
  )
}

/** Where the part's scalars lie in a block of this size. */
const offsetsIn = ({ slot: { offset, step }, type }: Part, size: number): readonly number[] => {
  const last = size - byteSize(type)
  if (offset < 0 || offset > last) return []
  if (step === 0) return [offset]
  return Array.from({ length: Math.floor((last - offset) / Math.abs(step)) + 1 }, (_, k) => offset + k * Math.abs(step))
}

const contentsOf = (
  { offset: at, type }: Scalar,
  value: Variable,
  block: Variable,
  contents: MemoryObject['contents'],
  program: Program,
): readonly Label[] => {
  const first: Label = contents === 'any' ? { kind: 'havoc', target: value } : assign(value, constant(type, 0))
  const [region] = program.regions
  const offset = constant(intType(block.type.kind === 'pointer' ? block.type.width : 64, true), at)
  const address = add(varExpr(block), offset)
  return [first, { kind: 'store', region: region!, address, type, value: varExpr(value) }]
}
