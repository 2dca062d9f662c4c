// Heap objects whose size does not matter to a proof. What is reserved for an allocation of unknown size is an address
// range; where such an object has a region of its own, is allocated once, and no address of the program is ever looked at
// except to access memory, two cells of it are the same cell exactly if their offsets are equal, however large it is. A
// proof over an unbounded array (accesses outside what is reserved go on) then needs no bound on the size.
import { children, type Expr } from '../expr.js'
import type { Edge, Label, Load, MemoryObject, Procedure, Program, Region, Store } from '../model.js'
import { byteSize } from '../types.js'
import { expressionsOf } from './labels.js'

/** Of the program as engines see it (after `prepare`). */
export const unsizedObjects = (program: Program): ReadonlySet<MemoryObject> => {
  const labels = [...program.templates.values()].flatMap(({ edges }) => edges.flatMap((edge) => edge.labels))
  if (labels.some(looksAtAddresses) || hasInvalidAccess(program)) return new Set()
  return new Set(
    program.objects.filter(
      (object) => object.storage === 'heap' && isAllocatedOnce(object, program) && isOneArray(object, program, labels),
    ),
  )
}

/**
 * Heap objects whose regions are the same however large they are: what passes told apart within what is reserved stays
 * apart behind it. Of two regions with elements, both repeat themselves with one period, of which at least two fit; or
 * the first place that both could have is within what is reserved.
 */
export const dividedAlike = (program: Pick<Program, 'templates' | 'regions'>, object: MemoryObject): boolean => {
  if (hasInvalidAccess(program)) return false
  const slots = program.regions.flatMap((region) =>
    region.slots.filter((slot) => slot.object === object).map((slot) => ({ ...slot, region })),
  )
  const bytes = ({ element }: Region): number => (element === 'bytes' ? 1 : byteSize(element))
  if (slots.some(({ offset, region }) => offset < 0 || offset + bytes(region) > object.size)) return false
  return slots.every((a) =>
    slots.every((b) => {
      if (a.region === b.region || a.count === 1 || b.count === 1) return true
      const period = a.step === b.step ? 2 * a.step : a.step * b.step
      return Math.max(a.offset, b.offset) + period <= object.size
    }),
  )
}

/** An access that passes took for one outside its object, by what is reserved for it. */
const hasInvalidAccess = ({ templates }: Pick<Program, 'templates'>): boolean =>
  [...templates.values()].some(({ edges }) => edges.some(({ target }) => target.reason?.isAccess === true))

const isAccess = (label: Label): label is Load | Store => label.kind === 'load' || label.kind === 'store'

/** Addresses are compared with others, become numbers, or are read and written as something else. */
const looksAtAddresses = (label: Label): boolean => {
  if (isAccess(label)) {
    const { element } = label.region
    if (element === 'bytes' ? label.type.kind === 'pointer' : isPointer(element) !== isPointer(label.type)) return true
  }
  return expressionsOf(label).some(comparesOrConverts)
}

const isPointer = ({ kind }: { readonly kind: string }): boolean => kind === 'pointer'

const comparesOrConverts = (e: Expr): boolean => {
  const isNull = (side: Expr): boolean => side.kind === 'const' && side.value === 0
  if (e.kind === 'compare' && isPointer(e.left.type) && !isNull(e.left) && !isNull(e.right)) return true
  if ((e.kind === 'cast' || e.kind === 'bitcast') && isPointer(e.arg.type) !== isPointer(e.type) && !isNull(e.arg))
    return true
  return children(e).some(comparesOrConverts)
}

/** A pointer and what is added to it: factors of expressions, and a constant. */
export interface IndexedAddress {
  readonly base: Expr
  readonly indices: readonly { readonly index: Expr; readonly factor: bigint }[]
  readonly constant: bigint
}

/** The parts of an address, where all that is added has the width of addresses, so that sums may wrap anywhere. */
export const indexedAddress = (address: Expr): IndexedAddress | undefined => {
  if (!isPointer(address.type)) return undefined
  if (address.kind !== 'binary') return { base: address, indices: [], constant: 0n }
  const left = address.op === 'add' ? indexedAddress(address.left) : undefined
  const { right } = address
  if (!left || right.type.kind !== 'int' || right.type.width !== widthOf(address)) return undefined
  if (right.kind === 'const') return { ...left, constant: left.constant + BigInt(right.value) }
  const isScaled = right.kind === 'binary' && right.op === 'mul' && right.right.kind === 'const'
  const added = isScaled
    ? { index: right.left, factor: BigInt((right.right as { value: bigint | number }).value) }
    : { index: right, factor: 1n }
  return { ...left, indices: [...left.indices, added] }
}

const widthOf = ({ type }: Expr): number | undefined => (type.kind === 'pointer' ? type.width : undefined)

/**
 * Regions of such objects of which a proof needs to show only that offsets of elements are no less than 0 and fit into an
 * address: pointers are computed nowhere but in accesses, so that all others are where objects begin, and two offsets that
 * fit lead to one cell exactly if they are equal, even if a signed product of index and size wraps.
 */
export const indexedRegions = (program: Program): ReadonlySet<Region> => {
  const unsized = unsizedObjects(program)
  const labels = [...program.templates.values()].flatMap(({ edges }) => edges.flatMap((edge) => edge.labels))
  if (labels.some(computesPointers)) return new Set()
  return new Set(program.regions.filter(({ slots }) => slots.length === 1 && unsized.has(slots[0]!.object)))
}

const computesPointers = (label: Label): boolean => {
  if (!isAccess(label)) return expressionsOf(label).some(computesPointer)
  const address = indexedAddress(label.address)
  if (!address) return computesPointer(label.address)
  if (address.indices.length === 0 && address.constant < 0n) return true
  const parts = [address.base, ...address.indices.map(({ index }) => index)]
  return parts.some(computesPointer) || (label.kind === 'store' && computesPointer(label.value))
}

const computesPointer = (e: Expr): boolean =>
  (e.kind !== 'var' && e.kind !== 'const' && isPointer(e.type) && e.kind !== 'cast') ||
  children(e).some(computesPointer)

const allocates = (edge: Edge, object: MemoryObject): boolean =>
  edge.labels.some((label) => label.kind === 'allocate' && label.object === object)

/** By one label of main that is on no cycle. */
const isAllocatedOnce = (object: MemoryObject, { templates, main }: Program): boolean => {
  const others = [...templates.values()].filter((template) => template !== main)
  if (others.some(({ edges }) => edges.some((edge) => allocates(edge, object)))) return false
  const sites = main.edges.filter((edge) => allocates(edge, object))
  const isSingle = (edge: Edge): boolean =>
    edge.labels.filter((label) => label.kind === 'allocate' && label.object === object).length === 1
  // Several edges may stand for one allocation with what follows it: an execution takes one of them at most.
  return sites.every((edge) => isSingle(edge) && sites.every((other) => !reaches(main, edge.target, other)))
}

const reaches = ({ edges }: Procedure, from: Edge['source'], to: Edge): boolean => {
  const reached = new Set([from])
  for (let before = -1; before !== reached.size; ) {
    before = reached.size
    for (const { source, target } of edges) if (reached.has(source)) reached.add(target)
  }
  return reached.has(to.source)
}

/** All of the object, and nothing else, is one region of cells of one size. */
const isOneArray = (object: MemoryObject, { regions }: Program, labels: readonly Label[]): boolean => {
  const homes = regions.filter(({ slots }) => slots.some((slot) => slot.object === object))
  const [home] = homes
  if (homes.length !== 1 || !home || home.element === 'bytes' || home.slots.length !== 1) return false
  const [slot] = home.slots
  const size = byteSize(home.element)
  const isWhole = slot!.offset === 0 && slot!.step === size && slot!.count === Math.ceil(object.size / size)
  return isWhole && labels.every((label) => !isAccess(label) || label.region !== home || accessesCell(label, home))
}

const accessesCell = ({ type }: Load | Store, { element }: Region): boolean =>
  element !== 'bytes' && byteSize(type) === byteSize(element)
