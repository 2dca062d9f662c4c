// Functions that are known by name: the intrinsics of the library models (`__heddle_*`), the functions of SV-COMP,
// and what ends a program. Names with a definition in the program are left to it, but for errors and atomic blocks.
import {
  add,
  cast,
  constant,
  type Expr,
  eq,
  INT,
  intType,
  ite,
  type Label,
  type MemoryObject,
  type Sync,
  Unsupported,
  varExpr,
} from '../../../../xcfa/index.js'
import type { CExpr, CType } from '../../ast.js'
import { isVoid } from '../../check/types.js'
import type { ProcedureBuilder } from '../builder.js'
import { useThreadCount } from '../context.js'
import { branch, condition, keep, value } from '../expressions.js'
import { heapObject } from '../initialise.js'
import { isRecord, scalarType } from '../layout.js'
import { addressOf, readVariable } from '../places.js'
import { callExitFunctions } from './exit-functions.js'

interface Use {
  readonly args: readonly CExpr[]
  readonly type: CType
  readonly position: CExpr['position']
}

type Intrinsic = (b: ProcedureBuilder, use: Use) => Expr | undefined

/** Gives the value, if any, of a function that is known; undefined for one that is not. */
export const intrinsic = (
  b: ProcedureBuilder,
  name: string,
  isDefined: boolean,
  use: Use,
): { readonly value: Expr | undefined } | undefined => {
  const known = ALWAYS[name] ?? (isDefined ? undefined : (UNDEFINED[name] ?? byPrefix(name)))
  return known ? { value: known(b, use) } : undefined
}

/** A declared function that has a meaning without a definition. */
export const isIntrinsic = (name: string): boolean => (ALWAYS[name] ?? UNDEFINED[name] ?? byPrefix(name)) !== undefined

const PRIMITIVE = '__heddle_primitive_'

const byPrefix = (name: string): Intrinsic | undefined => {
  if (name.startsWith(PRIMITIVE)) return primitive(name.slice(PRIMITIVE.length))
  return name.startsWith('__VERIFIER_nondet_') || name.startsWith('__heddle_nondet_') ? nondeterministic : undefined
}

/** A function of a cooperative scheduler (esst.txt): the engine executes it, the program sees only its value. */
const primitive =
  (name: string): Intrinsic =>
  (b, { args, type, position }) => {
    const values = args.map((arg, i) => keep(b, value(b, arg), ...args.slice(i + 1)))
    const target = isVoid(type) ? undefined : b.temporary(scalarType(type, b.unit.target, position))
    b.emit({ kind: 'primitive', name, args: values, ...(target ? { target } : {}) })
    return target ? varExpr(target) : undefined
  }

// ---- errors and ends

const reachError: Intrinsic = (b) => {
  b.violate({ kind: 'reach-error', text: b.text || 'reach_error()' })
  return undefined
}

const assertFail: Intrinsic = (b, { args }) => {
  b.violate({ kind: 'assert', text: (args[0] && stringOf(args[0])) ?? b.text })
  return undefined
}

const assertCondition: Intrinsic = (b, { args }) => {
  const [holds, fails] = [b.pin(), b.errorLocation({ kind: 'assert', text: b.text })]
  branch(b, args[0]!, holds, fails)
  b.continueAt(holds)
  return undefined
}

const exit: Intrinsic = (b, { args }) => {
  for (const arg of args) value(b, arg)
  b.halt({ kind: 'exit', text: b.text })
  return undefined
}

/** `exit`: the functions that `atexit` was given run first. */
const leave: Intrinsic = (b, call) => {
  for (const arg of call.args) value(b, arg)
  callExitFunctions(b)
  return exit(b, { ...call, args: [] })
}

const assume: Intrinsic = (b, { args }) => {
  const [holds, fails] = [b.pin(), b.haltLocation({ kind: 'assume', text: b.text })]
  branch(b, args[0]!, holds, fails)
  b.continueAt(holds)
  return undefined
}

const undefinedBehaviour: Intrinsic = (b, { args }) => {
  b.halt({ kind: 'undefined', text: (args[0] && stringOf(args[0])) ?? b.text })
  return undefined
}

/** More than the model provides for: a place that proofs must not come to. */
export const reachLimit = (b: ProcedureBuilder, text: string): void => {
  if (b.unit.options.checks?.limits === false) b.halt({ kind: 'undefined', text })
  else b.violate({ kind: 'limit', text })
}

const limit: Intrinsic = (b, { args }) => {
  reachLimit(b, (args[0] && stringOf(args[0])) ?? b.text)
  return undefined
}

/** Reached only if inlining finds a way here: then it is Unsupported, at the place of the program's own call. */
const unsupported: Intrinsic = (b, { args }) => {
  b.emit(unsupportedLabel((args[0] && stringOf(args[0])) ?? b.text))
  b.live = false
  return undefined
}

export const unsupportedLabel = (what: string, lacks?: string): Label => ({
  ...{ kind: 'primitive', name: `unsupported: ${what}`, args: [] },
  unsupported: { what, ...(lacks !== undefined && { lacks }) },
})

/** What a verdict has to mention if this is reached. */
const note: Intrinsic = (b, { args }) => {
  b.unit.notes.add((args[0] && stringOf(args[0])) ?? b.text)
  return undefined
}

// ---- values

const nondeterministic: Intrinsic = (b, use) => {
  if (isVoid(use.type) || isRecord(use.type)) throw new Unsupported('an arbitrary value of this type', use.position)
  const target = b.temporary(scalarType(use.type, b.unit.target, use.position))
  b.emit({ kind: 'havoc', target })
  return varExpr(target)
}

const nondeterministicRange: Intrinsic = (b, { args }) => {
  const type = intType(32, false)
  const low = keep(b, cast(type, value(b, args[0]!)), args[1]!)
  const high = cast(type, value(b, args[1]!))
  const target = b.temporary(type)
  b.emit({ kind: 'havoc', target, range: { low, high } })
  return varExpr(target)
}

/** Any of the error numbers that the program can tell apart. */
const errorNumber: Intrinsic = (b) => {
  const [first = 0, ...others] = b.unit.options.errorNumbers ?? []
  const target = b.temporary(INT)
  b.emit({ kind: 'havoc', target, range: { low: constant(INT, 0), high: constant(INT, others.length) } })
  return others.reduce<Expr>(
    (rest, number, i) => ite(eq(varExpr(target), constant(INT, i + 1)), constant(INT, number), rest),
    constant(INT, first),
  )
}

const choice: Intrinsic = (b) => {
  const target = b.temporary(INT)
  b.emit({ kind: 'havoc', target, range: { low: constant(INT, 0), high: constant(INT, 1) } })
  return varExpr(target)
}

const option: Intrinsic = (b, { args }) => {
  const name = args[0] && stringOf(args[0])
  return constant(INT, name !== undefined && b.unit.options.options?.[name] === true ? 1 : 0)
}

// ---- atomic blocks

const atomicBegin: Intrinsic = (b) => {
  b.beginAtomic()
  return undefined
}

const atomicEnd: Intrinsic = (b) => {
  b.endAtomic()
  return undefined
}

const await_: Intrinsic = (b, { args }) => {
  const enabled = condition(b, args[0]!)
  if (enabled.kind !== 'const' || enabled.value === 0) b.emit({ kind: 'assume', condition: enabled })
  return undefined
}

const SYNC_KINDS: readonly Sync['kind'][] = [
  'lock',
  'trylock',
  'unlock',
  'read-lock',
  'read-unlock',
  'wait',
  'wake',
  'signal',
  'broadcast',
  'barrier',
  'post',
  'acquire',
  'start',
  'join',
  'atomic',
  'once',
]

const LIVES: ReadonlyMap<string, Sync['life']> = new Map([
  ['init', 'begins'],
  ['destroy', 'ends'],
  ['destroy-if-free', 'ends if free'],
  ['destroy-value', 'ends with any value'],
])

const sync: Intrinsic = (b, { args, position }) => {
  const text = args[0] && stringOf(args[0])
  // An unlock by a store that orders what was before it, and nothing else.
  const isRelease = text === 'unlock-release'
  const life = LIVES.get(text ?? '')
  const name = isRelease ? 'unlock' : life ? 'atomic' : text
  const kind = SYNC_KINDS.find((known) => known === name)
  if (!kind) throw new Unsupported(`synchronisation of kind ${name}`, position)
  // An outer block, of the same function, says what the step is.
  if (b.depth > 1) return undefined
  const order = isRelease ? ({ order: 'release' } as const) : {}
  b.sync = { kind, ...order, ...(life && { life }), ...(args[1] ? { object: value(b, args[1]) } : {}) }
  return undefined
}

const spurious: Intrinsic = (b) => {
  b.sync = { ...(b.sync ?? { kind: 'atomic' }), spurious: true }
  b.emit()
  return undefined
}

// ---- threads

const self: Intrinsic = (b, { type, position }) => cast(scalarType(type, b.unit.target, position), varExpr(b.self))

const start: Intrinsic = (b, { args }) => {
  const fn = keep(b, value(b, args[0]!), args[1]!)
  const arg = value(b, args[1]!)
  const target = b.temporary(intType(32, false))
  const count = b.unit.threadCount
  b.atomically(() =>
    b.emit(
      { kind: 'primitive', name: 'start', args: [fn, arg], target },
      { kind: 'assign', target: count, value: add(varExpr(target), constant(count.type, 1)) },
    ),
  )
  return varExpr(target)
}

const join: Intrinsic = (b, { args }) => {
  b.emit({ kind: 'join', thread: cast(intType(32, false), value(b, args[0]!)) })
  return undefined
}

const threadExit: Intrinsic = (b) => {
  b.goto(b.location({ kind: 'thread-exit', atomic: false }))
  return undefined
}

const threadCount: Intrinsic = (b) => readVariable(b, useThreadCount(b.unit))

const threadAddress: Intrinsic = (b, { args, position }) => {
  const thread = value(b, args[1]!)
  let object = args[0]!
  while (object.kind === 'cast') object = object.operand
  if (object.kind !== 'address') throw new Unsupported('__heddle_thread_address of an expression', position)
  const outer = b.thread
  b.thread = thread
  const address = addressOf(b, object.lvalue)
  b.thread = outer
  return address
}

// ---- memory

const allocate: Intrinsic = (b, use) => allocateObject(b, use, {})

/** What the program is called with, up to a bound. */
const allocateArgument: Intrinsic = (b, use) => allocateObject(b, use, { role: 'argument' })

const allocateObject = (
  b: ProcedureBuilder,
  { args, position }: Use,
  rest: Pick<MemoryObject, 'role'>,
): Expr | undefined => {
  const size = keep(b, cast(intType(b.unit.pointer.width, false), value(b, args[0]!)), args[1]!)
  const zeroed = value(b, args[1]!)
  if (zeroed.kind !== 'const') throw new Unsupported('__heddle_allocate with unknown contents', position)
  const target = b.temporary(b.unit.pointer)
  const align = args[2] && value(b, args[2])
  const object = heapObject(b, 'heap', 0, zeroed.value === 0 ? 'any' : 'zero', { ...alignedTo(align), ...rest })
  b.emit({ kind: 'allocate', target, object, size })
  return varExpr(target)
}

const MAX_ALIGNMENT = 4096

/** An alignment that is not known when the program is lowered is the greatest: it is a multiple of the others. */
const alignedTo = (align: Expr | undefined): { readonly align?: number } => {
  if (!align) return {}
  return { align: align.kind === 'const' ? Math.min(Number(align.value), MAX_ALIGNMENT) : MAX_ALIGNMENT }
}

const free: Intrinsic = (b, { args }) => {
  b.emit({ kind: 'free', address: value(b, args[0]!) })
  return undefined
}

// ---- names

const ALWAYS: Readonly<Record<string, Intrinsic | undefined>> = {
  __proto__: null as never,
  reach_error: reachError,
  __VERIFIER_error: reachError,
  __VERIFIER_atomic_begin: atomicBegin,
  __VERIFIER_atomic_end: atomicEnd,
  __heddle_atomic_begin: atomicBegin,
  __heddle_atomic_end: atomicEnd,
  __heddle_await: await_,
  __heddle_sync: sync,
  __heddle_spurious: spurious,
  __heddle_self: self,
  __heddle_start: start,
  __heddle_join: join,
  __heddle_thread_exit: threadExit,
  __heddle_exit: exit,
  __heddle_leave: leave,
  __heddle_assume: assume,
  __heddle_undefined: undefinedBehaviour,
  __heddle_assert_fail: assertFail,
  __heddle_reach_error: reachError,
  __heddle_thread_address: threadAddress,
  __heddle_nondet_range: nondeterministicRange,
  __heddle_error_number: errorNumber,
  __heddle_thread_count: threadCount,
  __heddle_choice: choice,
  __heddle_allocate: allocate,
  __heddle_allocate_aligned: allocate,
  __heddle_allocate_argument: allocateArgument,
  __heddle_free: free,
  __heddle_option: option,
  __heddle_unsupported: unsupported,
  __heddle_note: note,
  __heddle_limit: limit,
}

const UNDEFINED: Readonly<Record<string, Intrinsic | undefined>> = {
  __proto__: null as never,
  abort: exit,
  exit: leave,
  _exit: exit,
  _Exit: exit,
  quick_exit: exit,
  __assert_fail: assertFail,
  __assert: assertFail,
  __assert_rtn: assertFail,
  assert: assertCondition,
  __VERIFIER_assume: assume,
}

/** The text of a string literal argument. */
export const stringOf = (e: CExpr): string | undefined => {
  switch (e.kind) {
    case 'string':
      return new TextDecoder().decode(Uint8Array.from(e.bytes.filter((byte) => byte !== 0)))
    case 'cast':
      return stringOf(e.operand)
    case 'address':
    case 'load':
      return stringOf(e.lvalue)
    case 'deref':
      return stringOf(e.pointer)
    default:
      return undefined
  }
}
