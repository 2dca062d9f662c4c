// After which edges of main no instance of a thread runs any more, of which there are any number: main has joined what each
// slot holds, from the first one on, and comes to the bound below which it started them. By cuts of main's graph, each of
// which says that every way from one edge to another passes one of a kind.
import {
  asSum,
  type Edge,
  type Expr,
  type Label,
  linearOf,
  type Procedure,
  type Program,
  type Sum,
  sameExpr,
  symbolOf,
  type Variable,
  variablesOf,
} from '../xcfa/index.js'
import { written } from '../xcfa/passes/index.js'
import { addedBy, definitionsOf, reaches, startOf } from './definitions.js'
import { Instances } from './instances.js'

type Assume = Extract<Label, { kind: 'assume' }>

export const joinedAll = (program: Program, template: Procedure): ReadonlySet<Edge> => {
  const slots = slotsOf(program, template)
  const counters = slots ? program.main.locals.filter((v) => v !== slots.index) : []
  return new Set(counters.flatMap((counter) => exitsOf(program.main, slots!, counter)))
}

interface Slots {
  readonly start: Edge
  /** What the handle's number was made of when it was stored: so much was added. */
  readonly added: number
  readonly index: Variable
  /** Where the handle of an index is: a load from there gives it. */
  isSlot(label: Label, counter: Variable): boolean
  readonly first: number
  readonly bound: { readonly limit: Expr; readonly op: 'lt' | 'le' }
}

const writes = ({ labels }: Edge, variable: Variable): boolean => labels.some((l) => written(l).includes(variable))

const slotsOf = (program: Program, template: Procedure): Slots | undefined => {
  const { main } = program
  const start = startOf(program, template)
  const instances = Instances.of(program, template, new Map())
  if (!start || !instances) return undefined
  const store = start.edge.labels.find((l) => l.kind === 'store' && addedTo(l.value, start.label.target) !== undefined)
  if (store?.kind !== 'store' || isDisturbed(program, start.edge, store)) return undefined
  const wide = program.dataModel === 'ilp32' ? 32 : 64
  const addressBy = (address: Expr, by: Variable): Sum | undefined =>
    asSum(
      linearOf(
        address,
        (v) =>
          v === by
            ? symbolOf('index', v.type, wide)
            : instances.isFixed(v)
              ? symbolOf(`v${v.id}`, v.type, wide)
              : undefined,
        wide,
      ),
    )
  for (const index of variablesOf(store.address)) {
    const own = instances.isFixed(index) || !instances.isDistinct(index) ? undefined : addressBy(store.address, index)
    const stride = own && [...own.parts.values()].find(({ symbol }) => symbol === 'index')?.coefficient
    if (!own || stride === undefined || Math.abs(stride) * 8 < wide) continue
    const first = firstValue(main, start.edge, index)
    const bound = boundOf(main, instances, start.edge, index)
    if (first === undefined || !bound) continue
    const isSlot = (label: Label, counter: Variable): boolean => {
      const other =
        label.kind === 'load' && label.region === store.region ? addressBy(label.address, counter) : undefined
      return other !== undefined && isSameSum(own, other)
    }
    return { start: start.edge, added: addedTo(store.value, start.label.target)!, index, isSlot, first, bound }
  }
  return undefined
}

const isSameSum = (a: Sum, b: Sum): boolean =>
  a.constant === b.constant &&
  a.parts.size === b.parts.size &&
  [...a.parts].every(([key, { coefficient }]) => b.parts.get(key)?.coefficient === coefficient)

/** Something else may be stored where handles are, before the last one is read. */
const isDisturbed = (program: Program, start: Edge, store: Extract<Label, { kind: 'store' }>): boolean => {
  const { main } = program
  const loads = main.edges.filter(({ labels }) => labels.some((l) => l.kind === 'load' && l.region === store.region))
  return [...program.templates.values()].some((owner) =>
    owner.edges.some(
      (edge) =>
        edge.labels.some((l) => l !== store && l.kind === 'store' && l.region === store.region) &&
        (owner !== main ||
          edge === start ||
          (reaches(main, start.target, edge.source) &&
            loads.some((load) => load === edge || reaches(main, edge.target, load.source)))),
    ),
  )
}

/** Each write of the index that a start may see is a constant or adds 1; the least constant. */
const firstValue = (main: Procedure, start: Edge, index: Variable): number | undefined => {
  const labels = main.edges
    .filter((edge) => reaches(main, edge.target, start.source))
    .flatMap((edge) => edge.labels.filter((l) => written(l).includes(index)))
    .filter((label) => addedBy(label, index) !== 1)
  const values = labels.map((l) =>
    l.kind === 'assign' && l.value.kind === 'const' ? Number(l.value.value) : Number.NaN,
  )
  return values.length > 0 && values.every(Number.isSafeInteger) ? Math.min(...values) : undefined
}

/** A condition `index < limit` that every way from a write of the index to the start passes. */
const boundOf = (main: Procedure, instances: Instances, start: Edge, index: Variable): Slots['bound'] | undefined => {
  const bounds = main.edges.flatMap(({ labels }) =>
    labels.flatMap((l) => {
      const found = l.kind === 'assume' ? upperBound(l, index) : undefined
      return found && [...variablesOf(found.limit)].every((v) => instances.isFixed(v)) ? [found] : []
    }),
  )
  const isPassed = (bound: Slots['bound']): boolean =>
    main.edges
      .filter((edge) => writes(edge, index))
      .every((edge) => !reaches(main, edge.target, start.source, (e) => hasBound(e, index, bound)))
  return bounds.find(isPassed)
}

const upperBound = ({ condition }: Assume, index: Variable): Slots['bound'] | undefined => {
  if (condition.kind !== 'compare' || (condition.op !== 'lt' && condition.op !== 'le')) return undefined
  const { op, left, right } = condition
  return left.kind === 'var' && left.variable === index ? { limit: right, op } : undefined
}

const hasBound = ({ labels }: Edge, index: Variable, { limit, op }: Slots['bound']): boolean => {
  const [first] = labels
  const found = first?.kind === 'assume' ? upperBound(first, index) : undefined
  return found !== undefined && found.op === op && sameExpr(found.limit, limit)
}

// ---- joins, by a counter

const exitsOf = (main: Procedure, slots: Slots, counter: Variable): readonly Edge[] => {
  const { start, first, bound } = slots
  const exits = main.edges.filter(({ labels: [guard] }) => guard?.kind === 'assume' && isPassed(guard, counter, bound))
  if (exits.length === 0) return []
  const changes = main.edges.filter((edge) => writes(edge, counter))
  const isBeginning = ({ labels }: Edge): boolean =>
    labels.some((l) => l.kind === 'assign' && l.target === counter && isAtMost(l.value, first)) &&
    labels.filter((l) => written(l).includes(counter)).length === 1
  const isStep = ({ labels }: Edge): boolean =>
    labels.length === 1 &&
    labels[0]!.kind === 'assign' &&
    addedBy(labels[0]!, counter) === 1 &&
    labels[0]!.target === counter
  const isOver = (edge: Edge): boolean => joins(main, slots, counter, edge)
  return exits.filter((exit) => {
    const before = changes.filter((edge) => reaches(main, edge.target, exit.source))
    return (
      before.every((edge) => isBeginning(edge) || isStep(edge)) &&
      // After the last start it begins anew.
      !reaches(main, start.target, exit.source, isBeginning) &&
      !reaches(main, main.initial, exit.source, isBeginning) &&
      // From one value to the next, what is in its slot is joined.
      before.every((from) =>
        before.every((step) => !isStep(step) || isBeginning(step) || !reaches(main, from.target, step.source, isOver)),
      )
    )
  })
}

const isPassed = ({ condition }: Assume, counter: Variable, { limit, op }: Slots['bound']): boolean =>
  condition.kind === 'compare' &&
  condition.op === (op === 'lt' ? 'le' : 'lt') &&
  condition.right.kind === 'var' &&
  condition.right.variable === counter &&
  sameExpr(condition.left, limit)

const isAtMost = (e: Expr, most: number): boolean => e.kind === 'const' && Number(e.value) <= most

/** The edge joins what is in the counter's slot, or finds that no instance's handle is there. */
const joins = (main: Procedure, slots: Slots, counter: Variable, edge: Edge): boolean =>
  main.locals.some((loaded) => {
    const [only, ...others] = definitionsOf(main, loaded)
    if (!only || others.length > 0 || !slots.isSlot(only.label, counter)) return false
    const isFound = edge.labels.some((label) =>
      label.kind === 'join'
        ? addedTo(label.thread, loaded) === -slots.added
        : label.kind === 'assume' && isNobody(label, loaded, slots.added),
    )
    const changes = main.edges.filter((each) => writes(each, counter))
    return isFound && changes.every((each) => !reaches(main, each.target, edge.source, (e) => e === only.edge))
  })

/** Main's handle, or none. */
const isNobody = ({ condition }: Assume, loaded: Variable, added: number): boolean =>
  condition.kind === 'compare' &&
  condition.op === 'eq' &&
  condition.left.kind === 'var' &&
  condition.left.variable === loaded &&
  isAtMost(condition.right, added) &&
  condition.right.kind === 'const' &&
  condition.right.value >= 0

/** What is added to a variable, in types that hold all numbers of threads. */
const addedTo = (e: Expr, variable: Variable): number | undefined => {
  if (e.kind === 'var') return e.variable === variable ? 0 : undefined
  if (e.kind === 'cast')
    return (e.type.kind === 'int' || e.type.kind === 'pointer') && e.type.width >= 32
      ? addedTo(e.arg, variable)
      : undefined
  if (e.kind !== 'binary' || e.right.kind !== 'const' || (e.op !== 'add' && e.op !== 'sub')) return undefined
  const inner = addedTo(e.left, variable)
  return inner === undefined ? undefined : inner + Number(e.right.value) * (e.op === 'add' ? 1 : -1)
}
