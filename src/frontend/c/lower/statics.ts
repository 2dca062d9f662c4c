// Objects with static and thread storage: their place, and their first contents from constant initialisers.
import {
  add,
  bitcastValue,
  byteSize,
  cast,
  constant,
  type Expr,
  intType,
  isWide,
  type MemoryObject,
  mul,
  Unsupported,
  type Value,
  type Variable,
} from '../../../xcfa/index.js'
import { normalAddress } from '../../../xcfa/passes/inline/expr.js'
import type { CInitializer, CVariable } from '../ast.js'
import { ProcedureBuilder } from './builder.js'
import {
  createObject,
  describeObject,
  describeVariable,
  inMemory,
  offsetType,
  pointerConstant,
  type Storage,
  type UnitContext,
} from './context.js'
import { value } from './expressions.js'
import { scalarType } from './layout.js'

/** Where a variable of static or thread storage is, as thread `self` sees it. */
export const staticStorage = (unit: UnitContext, variable: CVariable, self: Expr): Storage => {
  const known = unit.statics.get(variable) ?? create(unit, variable)
  if (known === undefined) throw new Error('unreachable')
  if ('kind' in known) return known
  if (known.storage === 'static') return { kind: 'memory', address: pointerConstant(unit, known.base) }
  const instance = mul(cast(offsetType(unit), self), constant(offsetType(unit), known.stride))
  return { kind: 'memory', address: normalAddress(add(pointerConstant(unit, known.base), instance)) }
}

const create = (unit: UnitContext, variable: CVariable): Storage | MemoryObject => {
  const created = inMemory(variable) ? createStaticObject(unit, variable) : createGlobal(unit, variable)
  unit.statics.set(variable, created)
  return created
}

const createGlobal = (unit: UnitContext, variable: CVariable): Storage => {
  const described = describeVariable(unit, variable, 'global')
  const first = contents(unit, variable.initializer ?? []).find(({ offset }) => offset === 0)
  const created: Variable = { ...described, initial: first?.value ?? 0 }
  unit.globals.push(created)
  return { kind: 'variable', variable: created }
}

const createStaticObject = (unit: UnitContext, variable: CVariable): MemoryObject => {
  const object = createObject(unit, describeObject(unit, variable))
  // Known before its contents: an initialiser may hold the object's own address.
  unit.statics.set(variable, object)
  const completed: MemoryObject = { ...object, initial: contents(unit, variable.initializer ?? []).flatMap(inBytes) }
  replaceObject(unit, object, completed)
  return completed
}

const replaceObject = (unit: UnitContext, from: MemoryObject, to: MemoryObject): void => {
  unit.objects[unit.objects.indexOf(from)] = to
  const slot = unit.memory.slots.findIndex(({ object }) => object === from)
  unit.memory.slots[slot] = { ...unit.memory.slots[slot]!, object: to }
}

type Contents = MemoryObject['initial']

const contents = (unit: UnitContext, initializer: CInitializer): Contents => {
  const words = new Map<number, { offset: number; type: Contents[number]['type']; value: Value }>()
  for (const part of initializer) {
    const e = constantOf(unit, part.value)
    if (part.bits) {
      mergeBits(words, part, e)
    } else {
      const type = scalarType(part.type, unit.target, part.value.position)
      const converted = cast(type, e)
      const first = { offset: part.offset, type, value: converted.kind === 'const' ? converted.value : 0 }
      words.set(part.offset, first)
    }
  }
  return [...words.values()]
}

/** Objects hold values that engines do not have as bytes. */
const inBytes = (word: Contents[number]): Contents => {
  const { offset, type, value } = word
  if (!isWide(type)) return [word]
  const size = byteSize(type)
  const bits = BigInt(bitcastValue(type, intType(8 * size, false), value))
  return Array.from({ length: size }, (_, i) => ({
    ...{ offset: offset + i, type: intType(8, false), value: Number((bits >> BigInt(8 * i)) & 255n) },
  }))
}

const mergeBits = (
  words: Map<number, { offset: number; type: Contents[number]['type']; value: Value }>,
  part: CInitializer[number],
  e: Expr,
): void => {
  const { offset, width, size, whole } = part.bits!
  const mask = ((1n << BigInt(width)) - 1n) << BigInt(offset)
  const bits = (BigInt(e.kind === 'const' ? e.value : 0) << BigInt(offset)) & mask
  // Fields of one location share a word, or bytes where no word covers it.
  const bytes = whole ? size : 1
  const type = { kind: 'int', width: bytes * 8, signed: false } as const
  for (let at = 0; at < size; at += bytes) {
    const shift = BigInt(at * 8)
    const place = part.offset + at
    const old = BigInt(words.get(place)?.value ?? 0) & ~(mask >> shift)
    const word = constant(type, old | (bits >> shift))
    words.set(place, { offset: place, type, value: word.kind === 'const' ? word.value : 0 })
  }
}

/** Initialisers of static objects are constants: numbers, and addresses of objects and functions. */
const constantOf = (unit: UnitContext, e: CInitializer[number]['value']): Expr => {
  const scratch = new ProcedureBuilder(unit, e.position)
  const result = value(scratch, e)
  if (result.kind !== 'const') throw new Unsupported('an initialiser that is not a constant', e.position)
  return result
}
