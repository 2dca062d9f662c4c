// Accesses through pointers that were made from numbers which no address flowed into: an input that happens to be the
// address of an object, a sum of them. Points-to analysis knows no object for them, and the access would end its thread
// as undefined; on a machine it may well hit an object. Of such programs nothing is proved.
import { children, type Expr } from '../../expr.js'
import type { Position, Program, Variable } from '../../model.js'
import { expressionsOf } from '../labels.js'
import { pointsTo } from './points-to.js'

/** Where the first of them is. */
export const guessedPointer = (program: Program): Position | undefined => {
  const edges = [...program.templates.values()].flatMap((procedure) =>
    procedure.edges.map((edge) => ({ edge, procedure })),
  )
  const labels = edges.flatMap(({ edge }) => edge.labels)
  if (!labels.some((label) => expressionsOf(label).some(hasCastOfNumber))) return undefined
  const made = new Set<Variable>()
  for (let before = -1; before !== made.size; ) {
    before = made.size
    for (const label of labels) if (label.kind === 'assign' && isMade(label.value, made)) made.add(label.target)
  }
  const accesses = edges.flatMap(({ edge, procedure }) =>
    edge.labels.flatMap((label) =>
      (label.kind === 'load' || label.kind === 'store') && isMade(label.address, made)
        ? [{ label, edge, procedure }]
        : [],
    ),
  )
  if (accesses.length === 0) return undefined
  const pointers = pointsTo(program)
  return accesses.find(({ label, procedure }) => pointers.targets(label.address, procedure).length === 0)?.edge.position
}

const isCastOfNumber = (e: Expr): boolean =>
  (e.kind === 'cast' || e.kind === 'bitcast') &&
  e.type.kind === 'pointer' &&
  e.arg.type.kind === 'int' &&
  e.arg.kind !== 'const'

const hasCastOfNumber = (e: Expr): boolean => isCastOfNumber(e) || children(e).some(hasCastOfNumber)

/** A pointer computed from one that was made from a number. */
const isMade = (e: Expr, made: ReadonlySet<Variable>): boolean => {
  if (e.kind === 'var') return made.has(e.variable)
  if (e.type.kind !== 'pointer') return false
  return isCastOfNumber(e) || children(e).some((child) => isMade(child, made))
}
