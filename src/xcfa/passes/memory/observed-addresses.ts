// Comparisons whose outcome depends on where objects lie. C says little about that: an allocation may get the address of
// a block that was freed, and the order of two objects is unspecified (C11 6.5.8p5, 6.5.9p6).
import { children, type Expr } from '../../expr.js'
import type { Edge, Label, MemoryObject, Procedure, Program } from '../../model.js'
import { expressionsOf } from '../labels.js'
import type { PointsTo } from './points-to.js'

export type Compare = Expr & { readonly kind: 'compare' }

export interface Observation {
  readonly edge: Edge
  readonly compare: Compare
  readonly left: ReadonlySet<MemoryObject>
  readonly right: ReadonlySet<MemoryObject>
}

/** Whether an expression has the type of an address, or of a number that holds one. */
const mayHoldAddress = ({ type }: Expr): boolean =>
  type.kind === 'pointer' || (type.kind === 'int' && type.width >= 32 && type.width <= 64)

const isNull = (expr: Expr): boolean => expr.kind === 'const' && expr.value === 0

const comparisons = (expr: Expr): readonly Compare[] => [
  ...(expr.kind === 'compare' ? [expr] : []),
  ...children(expr).flatMap(comparisons),
]

export interface Site {
  readonly edge: Edge
  readonly procedure: Procedure
  readonly compare: Compare
}

/** Comparisons of these kinds that could be of two addresses, by their shape. */
export const candidates = (program: Program, isWanted: (compare: Compare) => boolean): readonly Site[] =>
  [...program.templates.values()].flatMap((procedure) =>
    procedure.edges.flatMap((edge) =>
      edge.labels.flatMap(expressionsOf).flatMap((expr) =>
        comparisons(expr)
          .filter(
            (compare) =>
              isWanted(compare) &&
              mayHoldAddress(compare.left) &&
              ![compare.left, compare.right].some((side) => isNull(side) || isPlainNumber(side)),
          )
          .map((compare) => ({ edge, procedure, compare })),
      ),
    ),
  )

/** A constant that was not made from an address. */
const isPlainNumber = (expr: Expr): boolean => expr.kind === 'const' && expr.type.kind === 'int' && !expr.from

/** Those of them that are comparisons of two addresses, or of numbers that were made from them. */
export const observations = (sites: readonly Site[], pointers: PointsTo): readonly Observation[] =>
  sites.flatMap(({ edge, procedure, compare }) => {
    const left = objectsIn(compare.left, procedure, pointers)
    const right = objectsIn(compare.right, procedure, pointers)
    return left.size > 0 && right.size > 0 ? [{ edge, compare, left, right }] : []
  })

const objectsIn = (expr: Expr, procedure: Procedure, pointers: PointsTo): ReadonlySet<MemoryObject> =>
  new Set(pointers.targets(expr, procedure).map(({ object }) => object))

export const hasLabel = (program: Program, kind: Label['kind']): boolean =>
  [...program.templates.values()].some(({ edges }) =>
    edges.some(({ labels }) => labels.some((label) => label.kind === kind)),
  )
