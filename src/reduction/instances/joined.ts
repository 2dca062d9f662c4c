// Where main has joined all instances of a thread of which there are any number. It starts them with i = a, a + 1, ..., each
// below a bound, and keeps the handle of each in a slot of its own, by i; then it joins what is in slots a, a + 1, ... by j,
// and leaves the loop where j has come to the same bound. Nothing is asked of the shape of loops: what is known of i, j and
// the slots is a flow analysis over main.
import {
  asSum,
  type Edge,
  type Expr,
  type Label,
  linearOf,
  type Procedure,
  type Region,
  type Sum,
  sameExpr,
  symbolOf,
  type Variable,
  variablesOf,
} from '../../xcfa/index.js'
import { written } from '../../xcfa/passes/index.js'
import { flow } from './flow.js'
import { edgesAfter, onlyStart, type Start, steppingOf } from './starts.js'

/** Edges of main after which no instance of the template runs any more. */
export const joiningAll = (templates: readonly Procedure[], name: string): ReadonlySet<Edge> => {
  const main = templates[0]!
  const start = onlyStart(templates, main, name)
  const slots = start && slotsOf(templates, main, start)
  return slots ? leaving(main, slots) : new Set()
}

/** Where handles are kept: in the region at the address, with `index` from `first` on, below the bound. */
interface Slots {
  readonly start: Start
  readonly region: Region
  readonly index: Variable
  /** The address with `index` as the symbol 'index'. */
  readonly address: Sum
  readonly first: number
  readonly bound: Bound
}

/** Below it, or (`isReached`) at most it. */
interface Bound {
  readonly limit: Expr
  readonly isReached: boolean
}

const slotsOf = (templates: readonly Procedure[], main: Procedure, start: Start): Slots | undefined => {
  const stores = templates.flatMap(({ edges }) =>
    edges.flatMap((edge) => edge.labels.flatMap((label) => (label.kind === 'store' ? [{ edge, label }] : []))),
  )
  const handle = stores.find(({ edge, label }) => edge === start.edge && isHandle(label.value, start))
  if (!handle) return undefined
  const { region, address } = handle.label
  const isLost = ({ edge, label }: typeof handle): boolean =>
    label !== handle.label && label.region === region && !isHarmless(main, start, edge, region)
  if (stores.some(isLost)) return undefined
  for (const index of variablesOf(address)) {
    const stepping = index.scope === 'local' ? steppingOf(main, start, index) : undefined
    const sum = stepping && addressOf(main, start, address, index)
    const first = stepping && firstOf(main, start, index)
    const bound = stepping && boundAt(templates, main, start, index)
    const size = 'width' in handle.label.type ? handle.label.type.width / 8 : 0
    const isApart = sum && Math.abs([...sum.parts.values()].find((p) => p.symbol === 'index')?.coefficient ?? 0) >= size
    if (sum && isApart && first !== undefined && bound) return { start, region, index, address: sum, first, bound }
  }
  return undefined
}

/** A store of main before there are handles, or after the last one was read. */
const isHarmless = (main: Procedure, start: Start, edge: Edge, region: Region): boolean => {
  if (!main.edges.includes(edge)) return false
  const reads = ({ labels }: Edge): boolean => labels.some((label) => label.kind === 'load' && label.region === region)
  const isFirst = edge !== start.edge && !edgesAfter(main, start.edge).has(edge)
  return isFirst || ![edge, ...edgesAfter(main, edge)].some(reads)
}

/** What the start gave, plus a constant, in some type. */
const isHandle = (e: Expr, { label }: Start): boolean => {
  if (e.kind === 'var') return e.variable === label.target
  if (e.kind === 'cast') return 'width' in e.type && e.type.width >= 32 && isHandle(e.arg, { label } as Start)
  return e.kind === 'binary' && e.op === 'add' && e.right.kind === 'const' && isHandle(e.left, { label } as Start)
}

const POINTER_WIDTHS = [64, 32] as const

/** The address by one variable; all others keep their values from the first start on. */
const addressOf = (main: Procedure, start: Start, address: Expr, index: Variable): Sum | undefined => {
  const wide = POINTER_WIDTHS.find((width) => address.type.kind === 'pointer' && address.type.width === width)
  if (wide === undefined) return undefined
  const meaning = (v: Variable) => {
    if (v === index) return symbolOf('index', v.type, wide)
    return v.scope === 'local' && !isWrittenAfter(main, start, v) ? symbolOf(`v${v.id}`, v.type, wide) : undefined
  }
  return asSum(linearOf(address, meaning, wide))
}

const isWrittenAfter = (main: Procedure, start: Start, variable: Variable): boolean =>
  [start.edge, ...edgesAfter(main, start.edge)].some(({ labels }) => labels.some((l) => written(l).includes(variable)))

/** The least value with which an instance is started: steps go up by 1 from constants. */
const firstOf = (main: Procedure, start: Start, index: Variable): number | undefined => {
  const writes = main.edges.flatMap((edge) =>
    edgesAfter(main, edge).has(start.edge) || edge === start.edge
      ? edge.labels.filter((label) => written(label).includes(index))
      : [],
  )
  const values = writes.filter((label) => !isStepByOne(label, index))
  const constants = values.map((l) =>
    l.kind === 'assign' && l.value.kind === 'const' ? Number(l.value.value) : Number.NaN,
  )
  return constants.length > 0 && constants.every(Number.isSafeInteger) ? Math.min(...constants) : undefined
}

const isStepByOne = (label: Label, variable: Variable): boolean =>
  label.kind === 'assign' &&
  label.value.kind === 'binary' &&
  label.value.op === 'add' &&
  label.value.left.kind === 'var' &&
  label.value.left.variable === variable &&
  label.value.right.kind === 'const' &&
  Number(label.value.right.value) === 1

/** A bound that holds of the index whenever an instance is started, and does not change from then on. */
const boundAt = (
  templates: readonly Procedure[],
  main: Procedure,
  start: Start,
  index: Variable,
): Bound | undefined => {
  const guards = main.edges.flatMap(({ labels }) =>
    labels.flatMap((l) => {
      const bound = l.kind === 'assume' ? upperBound(l.condition, index) : undefined
      return bound && isKept(templates, main, start, bound.limit) ? [{ label: l, bound }] : []
    }),
  )
  return guards.find(({ bound }) =>
    holdsAt(
      main,
      start,
      (label) => label.kind === 'assume' && isSameBound(upperBound(label.condition, index), bound),
      (label) => written(label).includes(index),
    ),
  )?.bound
}

const isSameBound = (a: Bound | undefined, b: Bound): boolean =>
  a !== undefined && a.isReached === b.isReached && sameExpr(a.limit, b.limit)

const upperBound = (e: Expr, index: Variable): Bound | undefined => {
  if (e.kind !== 'compare' || (e.op !== 'lt' && e.op !== 'le') || e.left.kind !== 'var') return undefined
  return e.left.variable === index ? { limit: e.right, isReached: e.op === 'le' } : undefined
}

/** Nobody writes what the expression mentions once an instance was started. */
const isKept = (templates: readonly Procedure[], main: Procedure, start: Start, e: Expr): boolean =>
  [...variablesOf(e)].every(
    (v) =>
      !isWrittenAfter(main, start, v) &&
      templates.every((t) => t === main || !t.edges.some(({ labels }) => labels.some((l) => written(l).includes(v)))),
  )

/** On every way to the start something was met after what undoes it. */
const holdsAt = (
  main: Procedure,
  start: Start,
  meets: (label: Label) => boolean,
  undoes: (label: Label) => boolean,
): boolean => {
  const at = flow(
    main,
    false,
    (known: boolean, edge) => {
      let holds = known
      for (const label of edge.labels) {
        if (meets(label)) holds = true
        if (undoes(label)) holds = false
      }
      return holds
    },
    (a, b) => a && b,
  )
  return at.get(start.edge.source) ?? false
}

// ---- joins

/**
 * What was joined, by a variable of main: all slots before it ('before'); `loaded` then has the handle in its slot;
 * and that one, too ('this').
 */
type Progress =
  | { readonly kind: 'none' }
  | { readonly kind: 'before'; readonly by: Variable; readonly loaded?: Variable }
  | { readonly kind: 'this'; readonly by: Variable }

const NONE: Progress = { kind: 'none' }

const leaving = (main: Procedure, slots: Slots): ReadonlySet<Edge> => {
  const found = new Set<Edge>()
  const after = (progress: Progress, edge: Edge): Progress =>
    edge.labels.reduce((known, label) => afterLabel(main, slots, known, label), progress)
  const at = flow(main, NONE, after, (a, b) => (isSame(a, b) ? a : NONE))
  for (const edge of main.edges) {
    const before = at.get(edge.source)
    const [guard] = edge.labels
    if (before?.kind === 'before' && guard?.kind === 'assume' && hasPassed(guard.condition, before.by, slots.bound))
      found.add(edge)
  }
  return found
}

/** The variable has come to the bound, or beyond. */
const hasPassed = (e: Expr, by: Variable, { limit, isReached }: Bound): boolean => {
  if (e.kind !== 'compare' || e.op !== (isReached ? 'lt' : 'le') || e.right.kind !== 'var') return false
  return e.right.variable === by && sameExpr(e.left, limit)
}

const afterLabel = (main: Procedure, slots: Slots, progress: Progress, label: Label): Progress => {
  if (label === slots.start.label) return NONE
  const [target] = written(label)
  if (label.kind === 'assign' && label.value.kind === 'const' && Number(label.value.value) <= slots.first)
    if (label.target.scope === 'local' && isCounter(main, label.target)) return { kind: 'before', by: label.target }
  if (progress.kind === 'none') return NONE
  if (target === progress.by)
    return progress.kind === 'this' && isStepByOne(label, target) ? { kind: 'before', by: target } : NONE
  if (label.kind === 'load' && progress.kind === 'before' && isSlot(main, label, progress.by, slots))
    return { ...progress, loaded: label.target }
  if (progress.kind === 'before' && target !== undefined && target === progress.loaded)
    return { kind: 'before', by: progress.by }
  const { loaded } = progress.kind === 'before' ? progress : {}
  const isOver = (): boolean =>
    (label.kind === 'join' && isJoinOf(label.thread, loaded!, slots)) ||
    (label.kind === 'assume' && isNobody(label.condition, loaded!, slots))
  return loaded && isOver() ? { kind: 'this', by: progress.by } : progress
}

/** It steps up somewhere: otherwise every constant would begin to count. */
const isCounter = ({ edges }: Procedure, variable: Variable): boolean =>
  edges.some(({ labels }) => labels.some((label) => isStepByOne(label, variable)))

const isSlot = (
  main: Procedure,
  { region, address }: Extract<Label, { kind: 'load' }>,
  by: Variable,
  slots: Slots,
): boolean => {
  if (region !== slots.region) return false
  const sum = addressOf(main, slots.start, address, by)
  return (
    sum !== undefined &&
    sum.constant === slots.address.constant &&
    sum.parts.size === slots.address.parts.size &&
    [...sum.parts].every(([key, { coefficient }]) => slots.address.parts.get(key)?.coefficient === coefficient)
  )
}

/** The number of the thread: what was loaded, less what was added when it was stored. */
const isJoinOf = (e: Expr, loaded: Variable, { start }: Slots): boolean => {
  const [added, less] = [addedToHandle(start), addedTo(e, loaded)]
  return added !== undefined && less !== undefined && added + less === 0
}

/** What was loaded is main's handle, or no handle at all: no instance was started with this index. */
const isNobody = (e: Expr, loaded: Variable, { start }: Slots): boolean => {
  if (e.kind !== 'compare' || e.op !== 'eq' || e.left.kind !== 'var' || e.right.kind !== 'const') return false
  const added = addedToHandle(start)
  return e.left.variable === loaded && added !== undefined && e.right.value >= 0 && Number(e.right.value) <= added
}

const addedToHandle = (start: Start): number | undefined => {
  const stored = start.edge.labels.flatMap((l) => (l.kind === 'store' && isHandle(l.value, start) ? [l.value] : []))
  return stored[0] && addedTo(stored[0], start.label.target)
}

/** What an expression adds to a variable: small numbers, in types that hold every thread's number. */
const addedTo = (e: Expr, variable: Variable): number | undefined => {
  switch (e.kind) {
    case 'var':
      return e.variable === variable ? 0 : undefined
    case 'cast':
      return 'width' in e.type && e.type.width >= 32 ? addedTo(e.arg, variable) : undefined
    case 'binary': {
      const inner = e.op === 'add' || e.op === 'sub' ? addedTo(e.left, variable) : undefined
      if (inner === undefined || e.right.kind !== 'const') return undefined
      return inner + Number(e.right.value) * (e.op === 'add' ? 1 : -1)
    }
    default:
      return undefined
  }
}

const isSame = (a: Progress, b: Progress): boolean => {
  if (a.kind === 'none' || b.kind === 'none') return a.kind === b.kind
  if (a.kind !== b.kind || a.by !== b.by) return false
  return a.kind === 'this' || (b.kind === 'before' && a.loaded === b.loaded)
}
