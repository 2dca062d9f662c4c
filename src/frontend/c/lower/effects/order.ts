// Operands and arguments whose order of evaluation matters (C11 6.5p3: it is unspecified) are evaluated in every order,
// by choice. Where that would be too many, or where only other threads could tell, the order is from left to right, and
// the verdict says that it was assumed.
import { type Expr, varExpr } from '../../../../xcfa/index.js'
import type { CProgram, CVariable } from '../../ast.js'
import type { ProcedureBuilder } from '../builder.js'
import { conflict, pointedToIn, readsShared, type Touched } from './touched.js'

const OPERAND_ORDER = 'operands are evaluated from left to right'

/** One of the things that are evaluated in some order. */
export interface Evaluation {
  readonly touched: Touched
  /** Gives a value, or (a place) several. */
  readonly evaluate: () => readonly Expr[]
}

/** Nested choices multiply: deeper ones are made from left to right. */
const MAX_NESTED_ORDERS = 3
const MAX_PERMUTED = 3

/** The values of all evaluations; undefined where the order does not matter, and nothing has been evaluated. */
export const inEveryOrder = (
  b: ProcedureBuilder,
  evaluations: readonly Evaluation[],
): readonly (readonly Expr[])[] | undefined => {
  if (!isOrderVisible(b, evaluations)) {
    noteReads(b, evaluations)
    return undefined
  }
  if (evaluations.some(({ touched }) => touched.isUnique) || b.nestedOrders >= MAX_NESTED_ORDERS) {
    b.unit.notes.add(OPERAND_ORDER)
    return undefined
  }
  const orders = ordersOf(evaluations)
  if (evaluations.length > MAX_PERMUTED) b.unit.notes.add(OPERAND_ORDER)
  b.nestedOrders++
  const results = alternatives(b, evaluations, orders)
  b.nestedOrders--
  return results
}

const isOrderVisible = ({ unit }: ProcedureBuilder, evaluations: readonly Evaluation[]): boolean => {
  const writers = evaluations.filter(({ touched }) => touched.writes.size > 0 || touched.writesMemory.size > 0)
  if (writers.length === 0) return false
  const pointedTo = pointedToBy(unit.program)
  return writers.some((writer) =>
    evaluations.some((other) => other !== writer && conflict(writer.touched, other.touched, pointedTo)),
  )
}

const known = new WeakMap<CProgram, ReadonlySet<CVariable>>()

const pointedToBy = (program: CProgram): ReadonlySet<CVariable> => {
  let pointedTo = known.get(program)
  if (!pointedTo) known.set(program, (pointedTo = pointedToIn(program)))
  return pointedTo
}

/** Two reads of what other threads change: their order is nothing that this thread could tell. */
const noteReads = (b: ProcedureBuilder, evaluations: readonly Evaluation[]): void => {
  if (b.depth > 0 || !b.unit.hasThreads) return
  if (evaluations.filter(({ touched }) => readsShared(touched)).length > 1) b.unit.notes.add(OPERAND_ORDER)
}

const ordersOf = (evaluations: readonly Evaluation[]): readonly (readonly number[])[] => {
  const forward = evaluations.map((_, i) => i)
  return evaluations.length <= MAX_PERMUTED ? permutations(forward) : [forward, [...forward].reverse()]
}

const permutations = (items: readonly number[]): readonly (readonly number[])[] =>
  items.length <= 1
    ? [items]
    : items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))

const alternatives = (
  b: ProcedureBuilder,
  evaluations: readonly Evaluation[],
  orders: readonly (readonly number[])[],
): readonly (readonly Expr[])[] => {
  const next = b.pin()
  const kept: Expr[][] = evaluations.map(() => [])
  orders.forEach((order, alternative) => {
    const after = alternative < orders.length - 1 ? b.pin() : undefined
    if (after) {
      const here = b.pin()
      b.choose(here, after)
      b.continueAt(here)
    }
    for (const index of order)
      evaluations[index]!.evaluate().forEach((result, part) => {
        const known = kept[index]![part]
        const target = known?.kind === 'var' ? known.variable : b.temporary(result.type)
        kept[index]![part] = varExpr(target)
        b.emit({ kind: 'assign', target, value: result })
      })
    b.goto(next)
    if (after) b.continueAt(after)
  })
  b.continueAt(next)
  return kept
}
