// Objects that come to life: initialised, or with arbitrary contents. Nobody else can know such an object yet, so all
// its stores are one step.
import { cast, constant, type Expr, intType, type Label, type MemoryObject, mul, varExpr } from '../../../xcfa/index.js'
import { UNINITIALISED, UNINITIALISED_LARGE } from '../../../xcfa/passes/inline/tidy.js'
import type { CInitializer, CType, CVariable } from '../ast.js'
import { sizeOf, unqualified } from '../check/types.js'
import type { ProcedureBuilder } from './builder.js'
import { fresh, offsetType } from './context.js'
import { inEveryOrder } from './effects/order.js'
import { hasLabel } from './effects/purity.js'
import { touchedBy } from './effects/touched.js'
import { value } from './expressions.js'
import { isRecord, scalarType, unitsOf } from './layout.js'
import { copyObject, declareFrame, displaced, isPermanent, placeOfVariable, storeLabel, writePlace } from './places.js'
import { isAtomicRecord, recordAddress } from './records.js'

const MAX_ARBITRARY_CELLS = 4096
const LARGEST_VARIABLE_ARRAY = 1 << 16

/** A declaration is executed. */
export const declare = (
  b: ProcedureBuilder,
  variable: CVariable,
  initializer: CInitializer | undefined,
  writtenFirst: boolean,
): void => {
  if (variable.storage !== 'auto') return
  declareFrame(b, variable)
  const plain = unqualified(variable.type)
  if (plain.kind === 'array' && plain.variable) allocateVariableArray(b, variable)
  else if (initializer) initialise(b, variable, initializer)
  else if (!writtenFirst) makeArbitrary(b, variable)
}

const makeArbitrary = (b: ProcedureBuilder, variable: CVariable): void => {
  const place = placeOfVariable(b, variable)
  if (place.kind === 'variable') {
    const label: Label = { kind: 'havoc', target: place.variable }
    b.uninitialised.add(label)
    b.emit(label)
    return
  }
  // Inlining finds out whether this is executed once: then the object starts as arbitrary, and nothing is stored.
  const units = unitsOf(variable.type, b.unit.target, variable.position)
  const isLarge = units.length > MAX_ARBITRARY_CELLS
  const name = isLarge ? UNINITIALISED_LARGE : UNINITIALISED
  const stores = (isLarge ? [] : units).flatMap(({ offset, type }): Label[] => {
    const any = b.temporary(type)
    const address = displaced(b, place.address, constant(offsetType(b.unit), offset))
    return [{ kind: 'havoc', target: any }, storeLabel(b, address, varExpr(any))]
  })
  b.enterAtomic()
  b.emit({ kind: 'primitive', name, args: [place.address] }, ...stores)
}

/** Every scalar: what the initialiser does not name is zero. */
export const initialise = (b: ProcedureBuilder, variable: CVariable, initializer: CInitializer): void => {
  const place = placeOfVariable(b, variable)
  if (place.kind === 'variable') {
    const first = initializer[0]
    const initial = first ? value(b, first.value) : constant(place.variable.type, 0)
    b.assign(place.variable, cast(place.variable.type, initial))
    return
  }
  const whole = wholeRecord(variable.type, initializer)
  if (whole) {
    copyObject(b, recordAddress(b, whole), place.address, variable.type, { from: isAtomicRecord(whole) })
    return
  }
  initialiseParts(b, variable, place.address, initializer)
}

/** struct s a = b; */
const wholeRecord = (type: CType, initializer: CInitializer) => {
  const first = initializer[0]
  return initializer.length === 1 && first && first.offset === 0 && isRecord(type) && isRecord(first.type)
    ? first.value
    : undefined
}

const initialiseParts = (b: ProcedureBuilder, variable: CVariable, base: Expr, initializer: CInitializer): void => {
  const at = (offset: number): Expr => displaced(b, base, constant(offsetType(b.unit), offset))
  const scalars = initializer.filter((part) => !part.bits && !isRecord(part.type))
  const evaluate = (part: (typeof scalars)[number]): Expr =>
    b.stable(cast(scalarType(part.type, b.unit.target, part.value.position), value(b, part.value)))
  // C11 6.7.9p23: the order of the initialisers' evaluation is unspecified, too.
  const ordered = inEveryOrder(
    b,
    scalars.map((part) => ({ touched: touchedBy(part.value), evaluate: () => [evaluate(part)] })),
  )
  const values = scalars.map((part, i) => ({ offset: part.offset, value: ordered?.[i]?.[0] ?? evaluate(part) }))
  const size = (type: CType): number => sizeOf(type, b.unit.target) ?? 0
  const covered = initializer.map((part) => ({
    start: part.offset,
    end: part.offset + size(part.type),
    bits: part.bits,
  }))
  const isCovered = (offset: number, bytes: number): boolean =>
    covered.some(({ start, end, bits }) => !bits && start <= offset && offset + bytes <= end)
  const zeros = unitsOf(variable.type, b.unit.target, variable.position)
    .filter(({ offset, type }) => !isCovered(offset, type.kind === 'bool' ? 1 : Math.ceil(type.width / 8)))
    .map(({ offset, type }) => storeLabel(b, at(offset), constant(type, 0)))
  b.emit(...zeros, ...values.map((part) => storeLabel(b, at(part.offset), part.value)))
  for (const part of initializer) {
    if (part.bits) {
      const type = scalarType(part.type, b.unit.target, part.value.position)
      const place = { kind: 'memory', address: at(part.offset), type: part.type, bits: part.bits } as const
      writePlace(b, place, cast(type, value(b, part.value)))
    } else if (isRecord(part.type)) {
      copyObject(b, recordAddress(b, part.value), at(part.offset), part.type, { from: isAtomicRecord(part.value) })
    }
  }
}

/** A variable length array is a heap object of its own, made where it is declared. */
const allocateVariableArray = (b: ProcedureBuilder, variable: CVariable): void => {
  const storage = b.storage.get(variable)
  if (storage?.kind !== 'memory' || storage.address.kind !== 'var') throw new Error('a variable array has an address')
  // Jumping back to before its declaration ends the life of such an array.
  const isLasting = isPermanent(b, variable) && b.jumps !== undefined && !hasLabel(b.jumps.body)
  const lives = { automatic: 'block', ...(isLasting && { permanent: true as const }) } as const
  b.emit({
    kind: 'allocate',
    target: storage.address.variable,
    object: heapObject(b, variable.name, LARGEST_VARIABLE_ARRAY, 'any', lives),
    size: variableSize(b, variable.type, variable),
  })
}

const variableSize = (b: ProcedureBuilder, type: CType, variable: CVariable): Expr => {
  const size = intType(b.unit.pointer.width, false)
  const plain = unqualified(type)
  if (plain.kind !== 'array') return constant(size, sizeOf(type, b.unit.target) ?? 1)
  const length = plain.variable ? cast(size, value(b, plain.variable)) : constant(size, plain.length ?? 0)
  return mul(length, variableSize(b, plain.of, variable))
}

/** A site of allocation; inlining copies it for every place that executes it, and gives it addresses and a size. */
export const heapObject = (
  b: ProcedureBuilder,
  name: string,
  size: number,
  contents: MemoryObject['contents'],
  rest: Pick<MemoryObject, 'automatic' | 'align' | 'permanent' | 'role'> = {},
): MemoryObject => {
  const object: MemoryObject = {
    id: fresh(b.unit),
    name,
    storage: 'heap',
    base: 0,
    stride: 0,
    size,
    cells: [],
    initial: [],
    contents,
    position: b.position,
    ...rest,
  }
  b.objects.push(object)
  return object
}
