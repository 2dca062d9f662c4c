// Which values variables and memory can have in executions of so many steps, without regard to control flow: reads then
// need few bits. Operations wrap as in the bit-vector encoding, so that a result that may leave its type is anything.
import { bvConst, bvSort, type Sort, signExtend, type Term, variable, zeroExtend } from '../../../logic/index.js'
import {
  type Expr,
  type Label,
  type Program,
  type Region,
  sameType,
  type Type,
  type Value,
  type Variable,
} from '../../../xcfa/index.js'
import { hull, type Interval, intervalOf, typeInterval, within } from '../../../xcfa/terms/index.js'

export type Ranges = (place: Variable | Region) => Interval

/** For more steps than this, a range that still grows after a few rounds becomes that of its type. */
const MAX_STEPS = 400
const PATIENCE = 4

/** Numbers of threads: the unrolling has fewer. */
const NUMBERS: Interval = { low: 0n, high: 255n }

const elementRange = ({ element }: Region): Interval =>
  element === 'bytes' ? { low: 0n, high: 255n } : typeInterval(element)
const single = (value: Value): Interval =>
  typeof value === 'number' && !Number.isInteger(value)
    ? { low: 0n, high: -1n }
    : { low: BigInt(value), high: BigInt(value) }
/** What one step does to ranges that hold before it, a round does: `steps` rounds are enough. */
export const rangesOf = (program: Program, steps: number): Ranges => {
  const known = new Map<Variable | Region, Interval>()
  const isExact = steps <= MAX_STEPS
  let round = 0
  let changed = false
  const rangeAt = (place: Variable | Region): Interval => known.get(place) ?? all(place)
  const widen = (place: Variable | Region, more: Interval): void => {
    const before = known.get(place)
    if (!before || within(more, before)) return
    changed = true
    known.set(place, isExact || round < PATIENCE ? hull(before, more) : all(place))
  }
  for (const v of program.globals) if (isNumber(v.type)) known.set(v, v.initial === 'any' ? all(v) : single(v.initial))
  for (const { locals, parameters, self } of program.templates.values())
    for (const v of [...locals, ...parameters])
      if (isNumber(v.type)) known.set(v, v === self ? NUMBERS : { low: 0n, high: 0n })
  for (const region of program.regions) {
    const first = initialRange(region)
    if (first) known.set(region, first)
  }
  const edges = [...program.templates.values()].flatMap((t) => t.edges)
  do {
    changed = false
    round++
    for (const { labels } of edges) for (const label of labels) apply(label, program, rangeAt, widen)
  } while (changed && !(isExact && round > steps))
  return rangeAt
}

const isNumber = (type: Type): boolean => type.kind !== 'float'

const all = (place: Variable | Region): Interval =>
  'element' in place ? elementRange(place) : typeInterval(place.type)

const initialRange = (region: Region): Interval | undefined => {
  const { element } = region
  if (element === 'bytes' || element.kind === 'float') return undefined
  let range: Interval = { low: 0n, high: 0n }
  for (const { object } of region.slots) {
    if (object.contents === 'any') return undefined
    for (const { type, value } of object.initial) {
      if (!sameType(type, element)) return undefined
      range = hull(range, single(value))
    }
  }
  return range
}

/** What is read, with as many bits as the values of its place need. */
export const readTerm = (name: string, sort: Sort, { low, high }: Interval): Term => {
  if (sort.kind !== 'bv' || low > high) return variable(name, sort)
  if (low === high) return bvConst(low, sort.width)
  const bits = low < 0n ? 1 + Math.max(bitsOf(high), bitsOf(-low - 1n)) : bitsOf(high)
  if (bits >= sort.width) return variable(name, sort)
  const extend = low < 0n ? signExtend : zeroExtend
  return extend(sort.width - bits, variable(name, bvSort(bits)))
}

const bitsOf = (value: bigint): number => (value <= 0n ? 0 : value.toString(2).length)

/** What a label adds to the range of the place that it changes. */
const apply = (
  label: Label,
  { templates }: Program,
  rangeAt: Ranges,
  widen: (place: Variable | Region, more: Interval) => void,
): void => {
  switch (label.kind) {
    case 'assign':
      widen(label.target, expressionRange(label.value, rangeAt))
      break
    case 'havoc':
      widen(label.target, havocRange(label, rangeAt))
      break
    case 'load': {
      const { region, type, target } = label
      const exact = region.element !== 'bytes' && sameType(region.element, type) && sameType(type, target.type)
      widen(target, exact ? rangeAt(region) : typeInterval(target.type))
      break
    }
    case 'store': {
      const { region, type, value } = label
      const exact = region.element !== 'bytes' && sameType(region.element, type) && sameType(type, value.type)
      widen(region, exact ? expressionRange(value, rangeAt) : elementRange(region))
      break
    }
    case 'start':
      templates.get(label.procedure)!.parameters.forEach((parameter, i) => {
        const passed = label.args[i]
        if (!passed) return
        const same = sameType(passed.type, parameter.type)
        widen(parameter, same ? expressionRange(passed, rangeAt) : typeInterval(parameter.type))
      })
      widen(label.target, NUMBERS)
      break
    case 'allocate':
    case 'primitive':
    case 'call':
      if (label.target) widen(label.target, typeInterval(label.target.type))
      break
    case 'assume':
    case 'free':
    case 'join':
    case 'fence':
  }
}

const havocRange = ({ target, range }: Extract<Label, { kind: 'havoc' }>, rangeAt: Ranges): Interval =>
  range ? hull(expressionRange(range.low, rangeAt), expressionRange(range.high, rangeAt)) : typeInterval(target.type)

/** The values of an expression whose operations wrap. */
const expressionRange = (e: Expr, rangeAt: Ranges): Interval => intervalOf(e, rangeAt, undefined, true)
