// What the lowering of all procedures shares: globals, static objects, addresses of functions and strings, and the
// functions that were reached and still have to be lowered.
import {
  type Call,
  constant,
  type DataModel,
  type Expr,
  intType,
  type MemoryObject,
  POINTER,
  type PointerType,
  type Position,
  type Region,
  type Role,
  type Slot,
  type Type,
  type Value,
  type Variable,
} from '../../../xcfa/index.js'
import {
  type AddressSpace,
  FIRST_ADDRESS,
  instancesOf,
  reserve,
  strideOf,
  WIDE_GAP,
} from '../../../xcfa/passes/inline/addresses.js'
import type { CFunction, CProgram, CType, CVariable } from '../ast.js'
import { ARGUMENTS } from '../check/arguments.js'
import { alignOf, qualifiersOf, sizeOf, type Target, targetOf, unqualified } from '../check/types.js'
import { roleOf } from '../library/roles.js'
import { cellsOf, isAggregate, isAtomic, scalarType, sizeOfObject } from './layout.js'

export interface LowerOptions {
  readonly dataModel: DataModel
  readonly entry?: string
  /** Property checks that need edges of their own. */
  readonly checks?: {
    readonly overflow?: boolean
    readonly memory?: boolean
    /** Limits of models are places to search for; false: properties that know no such places take them as undefined. */
    readonly limits?: boolean
  }
  /** Values of __heddle_option("name"). */
  readonly options?: Readonly<Record<string, boolean>>
  /** What a call that fails may leave in errno. */
  readonly errorNumbers?: readonly number[]
}

/** Where a C variable lives: in a program variable, or in memory at an address. */
export type Storage =
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'memory'; readonly address: Expr }

export interface UnitContext {
  readonly program: CProgram
  readonly options: LowerOptions
  readonly target: Target
  readonly pointer: PointerType
  readonly memory: Region & { readonly slots: Slot[] }
  readonly globals: Variable[]
  readonly objects: MemoryObject[]
  readonly frames: Map<Variable, MemoryObject>
  readonly statics: Map<CVariable, Storage | MemoryObject>
  readonly strings: Map<string, MemoryObject>
  /** The entry's parameters that are pointers and that nobody gives a value: what they point to is not modelled. */
  readonly arguments: ReadonlySet<CVariable>
  readonly functions: Map<CFunction, MemoryObject>
  /** Labels whose address is taken: an object without bytes each. */
  readonly labels: Map<string, MemoryObject>
  /** Functions to lower, each once. */
  readonly wanted: Set<CFunction>
  /** Calls through pointers: their candidates are known only when every function that is reached has been lowered. */
  readonly indirect: { readonly call: Call; readonly candidates: string[] }[]
  readonly notes: Set<string>
  /** The program can start a second thread. */
  readonly hasThreads: boolean
  readonly space: AddressSpace
  /** Number of threads so far; kept by start. */
  readonly threadCount: Variable
  readonly counter: { next: number }
}

export const fresh = (unit: UnitContext): number => unit.counter.next++

export const createContext = (program: CProgram, options: LowerOptions): UnitContext => {
  const target = targetOf(options.dataModel)
  const threadCount: Variable = {
    id: 0,
    name: '__heddle_threads',
    type: intType(32, false),
    scope: 'global',
    initial: 1,
    atomic: true,
    role: 'thread-count',
  }
  return {
    program,
    options,
    target,
    pointer: POINTER[target.pointerBytes === 8 ? 64 : 32],
    memory: { id: 0, name: 'memory', scope: 'global', element: 'bytes', slots: [] },
    globals: [],
    objects: [],
    frames: new Map(),
    statics: new Map(),
    strings: new Map(),
    arguments: new Set(entryPointers(program, program.functions.get(options.entry ?? 'main'))),
    functions: new Map(),
    labels: new Map(),
    wanted: new Set(),
    indirect: [],
    notes: new Set(),
    hasThreads: ['pthread_create', 'thrd_create'].some((name) => program.functions.has(name)),
    space: { next: FIRST_ADDRESS, ...(options.checks?.memory ? { gap: WIDE_GAP } : {}) },
    threadCount,
    counter: { next: 1 },
  }
}

const entryPointers = ({ functions }: CProgram, entry: CFunction | undefined): readonly CVariable[] =>
  (entry?.parameters ?? []).filter(
    ({ type }, i) => unqualified(type).kind === 'pointer' && !(i === 1 && functions.has(ARGUMENTS)),
  )

/** The program counts its threads only if somebody asks. */
export const useThreadCount = (unit: UnitContext): Variable => {
  if (!unit.globals.includes(unit.threadCount)) unit.globals.push(unit.threadCount)
  return unit.threadCount
}

/** The signed integer that pointer arithmetic uses. */
export const offsetType = (unit: UnitContext): Type => intType(unit.pointer.width, true)

export const pointerConstant = (unit: UnitContext, address: number): Expr => constant(unit.pointer, address)

interface ObjectSpec {
  readonly name: string
  readonly storage: MemoryObject['storage']
  readonly size: number
  readonly cells?: MemoryObject['cells']
  readonly initial?: MemoryObject['initial']
  readonly position?: Position
  readonly procedure?: string
  readonly role?: Role
  readonly align?: number
  readonly readOnly?: true
}

const NOWHERE: Position = { file: '', line: 1, column: 1 }

/** An object with its addresses, in the one region of bytes. */
export const createObject = (unit: UnitContext, spec: ObjectSpec): MemoryObject => {
  const stride = strideOf(spec.size, unit.space, spec.align)
  const instances = instancesOf(spec.storage, stride, unit.space)
  const object: MemoryObject = {
    id: fresh(unit),
    name: spec.name,
    storage: spec.storage,
    base: reserve(unit.space, stride, instances, spec.position ?? NOWHERE, spec.align),
    stride,
    size: spec.size,
    cells: spec.cells ?? [],
    initial: spec.initial ?? [],
    contents: 'zero',
    instances,
    ...(spec.position ? { position: spec.position } : {}),
    ...(spec.procedure !== undefined ? { procedure: spec.procedure } : {}),
    ...(spec.role ? { role: spec.role } : {}),
    ...(spec.align !== undefined ? { align: spec.align } : {}),
    ...(spec.readOnly ? { readOnly: true } : {}),
  }
  unit.objects.push(object)
  unit.memory.slots.push({ object, offset: 0, step: 1, count: object.size })
  return object
}

/** The address of a function; from then on it may be called through a pointer. */
export const functionAddress = (unit: UnitContext, fn: CFunction): Expr => {
  let object = unit.functions.get(fn)
  if (!object) {
    object = createObject(unit, {
      name: fn.name,
      storage: 'static',
      size: 0,
      position: fn.position,
      procedure: fn.name,
    })
    unit.functions.set(fn, object)
    unit.wanted.add(fn)
  }
  return pointerConstant(unit, object.base)
}

/** The address of a label: no byte is there, but all labels have different ones. */
export const labelAddress = (unit: UnitContext, fn: CFunction, name: string): Expr => {
  const key = `${fn.name}:${name}`
  let object = unit.labels.get(key)
  if (!object) {
    object = createObject(unit, { name: `&&${name}`, storage: 'static', size: 0, position: fn.position })
    unit.labels.set(key, object)
  }
  return pointerConstant(unit, object.base)
}

/** The address of a string literal's array; equal literals share it. */
export const stringAddress = (unit: UnitContext, bytes: readonly number[], type: CType): Expr => {
  const plain = type.kind === 'qualified' ? type.type : type
  const element = plain.kind === 'array' ? plain.of : undefined
  const width = element ? (sizeOf(element, unit.target) ?? 1) : 1
  const key = `${width}:${bytes.join(',')}`
  let object = unit.strings.get(key)
  if (!object) {
    const cell = intType(width * 8, width === 1)
    const asType = (value: number): Value => (width === 1 ? (value << 24) >> 24 : value)
    // The checker's array type counts the terminating zero; the bytes may or may not contain it.
    const length = Math.max(bytes.length / width + 1, plain.kind === 'array' ? (plain.length ?? 0) : 0)
    object = createObject(unit, {
      name: `"${String.fromCharCode(...bytes.filter((b) => b >= 32 && b < 127)).slice(0, 20)}"`,
      storage: 'static',
      readOnly: true,
      size: length * width,
      cells: [{ offset: 0, type: cell, step: width, count: length, path: '[0]' }],
      initial: elementsOf(bytes, width).map((value, i) => ({ offset: i * width, type: cell, value: asType(value) })),
    })
    unit.strings.set(key, object)
  }
  return pointerConstant(unit, object.base)
}

/** The characters of a string, each of so many bytes. */
const elementsOf = (bytes: readonly number[], width: number): readonly number[] =>
  Array.from({ length: bytes.length / width }, (_, i) =>
    bytes.slice(i * width, (i + 1) * width).reduceRight((sum, byte) => sum * 256 + byte, 0),
  )

/** A static or thread-local variable as an object, without its first contents (statics.ts adds them). */
export const describeObject = (unit: UnitContext, variable: CVariable): ObjectSpec => ({
  name: variable.name,
  storage: variable.storage === 'static' ? 'static' : 'thread',
  ...extentOf(unit, variable),
  position: variable.position,
  ...roleIn(variable),
  ...alignmentOf(unit, variable),
})

const extentOf = (unit: UnitContext, { type, tail, position }: CVariable): Pick<ObjectSpec, 'size' | 'cells'> => {
  const size = sizeOfObject(type, unit.target, position)
  const cells = cellsOf(type, unit.target, position)
  if (!tail) return { size, cells }
  const beyond = cellsOf(tail.type, unit.target, position).map((cell) => ({
    ...cell,
    offset: cell.offset + tail.offset,
  }))
  return {
    size: Math.max(size, tail.offset + sizeOfObject(tail.type, unit.target, position)),
    cells: [...cells, ...beyond],
  }
}

/** What the address of a variable is a multiple of, where that is more than for all objects. */
const alignmentOf = (unit: UnitContext, { align = 1, type }: CVariable): { readonly align?: number } => {
  const wanted = Math.max(align, alignOf(type, unit.target))
  return wanted > 16 ? { align: wanted } : {}
}

export const inMemory = (variable: CVariable): boolean =>
  variable.addressTaken || variable.storage === 'thread' || isAggregate(variable.type)

/** A program variable for a C scalar. */
export const describeVariable = (unit: UnitContext, variable: CVariable, scope: Variable['scope']): Variable => ({
  id: fresh(unit),
  name: variable.name,
  type: scalarType(variable.type, unit.target, variable.position),
  scope,
  initial: 0,
  source: variable.name,
  position: variable.position,
  ...(isAtomic(variable.type) || (unit.options.options?.['volatile-is-atomic'] && qualifiersOf(variable.type).volatile)
    ? { atomic: true }
    : {}),
  ...roleIn(variable),
})

const roleIn = ({ name, position }: CVariable): { readonly role?: Role } => {
  const role = roleOf(name, position)
  return role ? { role } : {}
}
