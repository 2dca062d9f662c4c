// What every TRUE rests on, whichever engine says so, read off the program before the passes: undefined behaviour stops
// its thread, so that nothing is known of what a real program does after it; signed overflow wraps; malloc succeeds.
// Each is named unless it is shown to play no part.
import { hasTrylock } from '../property/index.js'
import { type Lock, type Movers, movers } from '../reduction/index.js'
import {
  constantValue,
  type Edge,
  type Expr,
  isSigned,
  type Label,
  type Procedure,
  type Program,
  sameExpr,
  type Unit,
  type Variable,
} from '../xcfa/index.js'
import { expressionsOf, prepare } from '../xcfa/passes/index.js'
import { type Interval, intervalOf, operationInterval, typeInterval, within } from '../xcfa/terms/index.js'
import type { Assumption } from './result.js'

export interface Assumed {
  readonly raw: Program
  /** The same, with constants propagated. */
  readonly folded: Program
  readonly property: string
  readonly memoryModel: string
  readonly mallocMayFail: boolean
  /** What the engine says by itself. */
  readonly said: readonly Assumption[]
}

export const assumedOf = (assumed: Assumed): readonly Assumption[] => {
  const { raw, folded, property, memoryModel, mallocMayFail, said } = assumed
  const saysOf = (wanted: Assumption['kind']): boolean => said.some(({ kind }) => kind === wanted)
  return [
    ...(saysOf('defined-behaviour') ? [] : [undefinedBehaviour(assumed)]),
    ...(property === 'no-overflow' || saysOf('no-overflow') ? [] : wrapping([...folded.templates.values()])),
    ...(property === 'no-data-race' && memoryModel === 'sc' && hasTrylock(raw)
      ? [{ kind: 'failed-trylock-orders', status: 'open' } as const]
      : []),
    ...(mallocMayFail ? [] : allocating([...folded.templates.values()])),
  ]
}

/** The same of a program that was executed once, before it was inlined; undefined behaviour was looked for then. */
export const assumedOfExecution = (
  { procedures }: Unit,
  { property, mallocMayFail }: Pick<Assumed, 'property' | 'mallocMayFail'>,
): readonly Assumption[] => [
  ...(property === 'no-overflow' ? [] : wrapping([...procedures.values()])),
  ...(mallocMayFail ? [] : allocating([...procedures.values()])),
]

/** Whether the assumption tells where in the text. */
export const namesLine = ({ kind, status }: Assumption): boolean => status === 'open' && kind === 'defined-behaviour'

// ---- undefined behaviour

/** Main first. */
const templatesOf = ({ main, templates }: Program): readonly Procedure[] => [
  main,
  ...[...templates.values()].filter((template) => template !== main),
]

const SHOWN: Assumption = { kind: 'defined-behaviour', status: 'discharged' }

const undefinedBehaviour = ({ raw, folded, property }: Assumed): Assumption => {
  /** A thread stops on the edge because of undefined behaviour, which is not what was asked about. */
  const stops = ({ target: { reason } }: Edge): boolean =>
    reason?.kind === 'undefined' && !(property === 'valid-memsafety' && reason.violates)
  if (!templatesOf(folded).some(({ edges }) => edges.some(stops))) return SHOWN
  // An operation on a lock is one edge then, and its owner a place of its own.
  const program = prepare(raw, { slice: false, largeBlocks: false })
  if (!templatesOf(program).some(({ edges }) => edges.some(stops))) return SHOWN
  const number = (template: Procedure): number | undefined => (template === program.main ? 0 : undefined)
  const held = movers(templatesOf(program).map((template) => ({ template, number: number(template) })))
  const open = templatesOf(program).flatMap((template) =>
    template.edges.filter((edge) => stops(edge) && !isExcluded(edge, template, held)),
  )
  const [first, ...more] = open
  if (!first) return SHOWN
  const { file, line } = first.position
  const { text, isAccess } = first.target.reason!
  const met = { text, file, line, ...(more.length > 0 && { more: more.length }), ...(isAccess && { isAccess }) }
  return { kind: 'defined-behaviour', met, status: 'open' }
}

/** A variable, or an address. */
type Place = Variable | number

/** Found out by reading the owner of a lock that the thread certainly holds: it is the owner. */
const isExcluded = (edge: Edge, template: Procedure, found: Movers): boolean => {
  const read = new Map<Variable, Place>()
  for (const label of edge.labels) {
    const place = readBy(label)
    if (place !== undefined && 'target' in label && label.target) read.set(label.target, place)
    if (label.kind !== 'assume' || label.condition.kind !== 'compare' || label.condition.op !== 'ne') continue
    const { left, right } = label.condition
    for (const [tested, owner] of [[left, right] as const, [right, left] as const]) {
      const at = tested.kind === 'var' ? read.get(tested.variable) : undefined
      if (at === undefined) continue
      if ([...found.held(edge.source)].some((lock) => takesAs(lock, at, owner, template, found))) return true
    }
  }
  return false
}

/** Whether whoever takes the lock, in this thread, stores `owner` there. */
const takesAs = (lock: Lock, at: Place, owner: Expr, { edges }: Procedure, found: Movers): boolean => {
  const stored = edges
    .filter((edge) => found.taken(edge).includes(lock))
    .map(({ labels }) => labels.flatMap((label) => storedAt(label, at)))
  return stored.length > 0 && stored.every((values) => values.length === 1 && sameExpr(values[0]!, owner))
}

const readBy = (label: Label): Place | undefined => {
  if (label.kind === 'assign' && label.value.kind === 'var') return label.value.variable
  const address = label.kind === 'load' ? constantValue(label.address) : undefined
  return address === undefined ? undefined : Number(address)
}

const storedAt = (label: Label, at: Place): readonly Expr[] => {
  if (label.kind === 'assign' && label.target === at) return [label.value]
  return label.kind === 'store' && Number(constantValue(label.address) ?? -1) === at ? [label.value] : []
}

// ---- arithmetic and memory

const wrapping = (procedures: readonly Procedure[]): readonly Assumption[] =>
  procedures.some(({ edges }) =>
    edges.some(({ labels }) => labels.some((label) => expressionsOf(label).some(overflows))),
  )
    ? [{ kind: 'overflow-wraps', status: 'open' }]
    : []

/** Whether a signed operation in the expression may leave its type, as types tell. */
const overflows = (e: Expr): boolean => {
  switch (e.kind) {
    case 'binary': {
      if (overflows(e.left) || overflows(e.right)) return true
      if (!isSigned(e.type) || !['add', 'sub', 'mul', 'div', 'shl'].includes(e.op)) return false
      if (e.op === 'shl') return shiftOverflows(e.type, e.left, e.right)
      if (e.op === 'div') return valuesOf(e.left).low <= typeInterval(e.type).low && contains(valuesOf(e.right), -1n)
      const result = operationInterval(e.op, valuesOf(e.left), valuesOf(e.right))
      return result === undefined || !within(result, typeInterval(e.type))
    }
    case 'unary':
      return (
        overflows(e.arg) || (e.op === 'neg' && isSigned(e.type) && valuesOf(e.arg).low === typeInterval(e.type).low)
      )
    case 'cast':
    case 'bitcast':
    case 'not':
      return overflows(e.arg)
    case 'compare':
      return overflows(e.left) || overflows(e.right)
    case 'and':
    case 'or':
      return e.args.some(overflows)
    case 'ite':
      return overflows(e.condition) || overflows(e.then) || overflows(e.else)
    case 'const':
    case 'var':
      return false
  }
}

const valuesOf = (e: Expr): Interval => intervalOf(e, () => undefined)

const contains = ({ low, high }: Interval, value: bigint): boolean => low <= value && value <= high

/** By C11 6.5.7p4; a count that is too large is undefined behaviour by itself. */
const shiftOverflows = (type: Expr['type'], left: Expr, right: Expr): boolean => {
  const [value, count] = [valuesOf(left), valuesOf(right)]
  if (value.low < 0n) return true
  return count.high > MAX_COUNT ? value.high > 0n : value.high << count.high > typeInterval(type).high
}

/** No type has more bits. */
const MAX_COUNT = 128n

const allocating = (procedures: readonly Procedure[]): readonly Assumption[] =>
  procedures.some(({ edges }) =>
    edges.some(({ labels }) => labels.some((label) => label.kind === 'allocate' && !label.object.automatic)),
  )
    ? [{ kind: 'malloc-succeeds', status: 'open' }]
    : []
