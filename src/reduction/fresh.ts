// Objects that nobody else knows yet: a thread's variables that point into memory it has allocated and whose address it
// has stored nowhere. One class for all of them: as soon as one escapes, or two ways to a location disagree, none is
// known to be fresh. An access through such a pointer stays in its object, if dereferences are valid.
import {
  type Edge,
  type Expr,
  type Label,
  type Location,
  type Procedure,
  type Variable,
  variablesOf,
} from '../xcfa/index.js'
import { expressionsOf, outgoing, written } from '../xcfa/passes/index.js'
import { liveAt } from '../xcfa/passes/inline/liveness.js'

export type Fresh = ReadonlySet<Variable>

const NONE: Fresh = new Set()

/** On every way to the location; of variables that are not used any more, no matter. */
export const freshAt = (template: Procedure): ReadonlyMap<Location, Fresh> => {
  const from = outgoing(template.edges)
  const live = liveAt(template)
  const fresh = new Map<Location, Fresh>([[template.initial, NONE]])
  const work = [template.initial]
  for (let location = work.pop(); location; location = work.pop())
    for (const edge of from.get(location) ?? []) {
      const after = [...edge.labels.reduce(afterLabel, fresh.get(location)!)].filter((v) =>
        live.get(edge.target)!.has(v),
      )
      const known = fresh.get(edge.target)
      if (known && (known.size === 0 || (known.size === after.length && after.every((v) => known.has(v))))) continue
      fresh.set(edge.target, known ? NONE : new Set(after))
      work.push(edge.target)
    }
  return fresh
}

/** Labels of the edge whose access is to a fresh object. */
export const freshLabels = (edge: Edge, before: Fresh): ReadonlySet<Label> => {
  const found = new Set<Label>()
  let fresh = before
  for (const label of edge.labels) {
    if ((label.kind === 'load' || label.kind === 'store') && isFresh(label.address, fresh)) found.add(label)
    fresh = afterLabel(fresh, label)
  }
  return found
}

const afterLabel = (fresh: Fresh, label: Label): Fresh => {
  if (escapes(label, fresh)) return NONE
  const targets = written(label)
  if (targets.length === 0) return fresh
  const isNew = label.kind === 'allocate' || (label.kind === 'assign' && isFresh(label.value, fresh))
  const others = [...fresh].filter((variable) => !targets.includes(variable))
  return new Set(isNew ? [...others, ...targets.filter((target) => target.scope === 'local')] : others)
}

/** Whether an address may be anywhere but in the thread's fresh variables after the label. */
const escapes = (label: Label, fresh: Fresh): boolean => {
  const mentioned = expressionsOf(label).some((e) => mentionsAny(e, fresh))
  switch (label.kind) {
    case 'assume':
    case 'load':
    case 'free':
      return false
    case 'assign':
      return mentioned && (label.target.scope !== 'local' || !isFresh(label.value, fresh))
    case 'store':
      return mentionsAny(label.value, fresh)
    default:
      return mentioned
  }
}

/** One fresh pointer, and a distance that no other has a part in. */
const isFresh = (e: Expr, fresh: Fresh): boolean => {
  switch (e.kind) {
    case 'var':
      return fresh.has(e.variable)
    case 'cast':
      return e.type.kind === 'pointer' || e.arg.type.kind === 'pointer' ? isFresh(e.arg, fresh) : false
    case 'binary':
      return (e.op === 'add' || e.op === 'sub') && isFresh(e.left, fresh) && !mentionsAny(e.right, fresh)
    default:
      return false
  }
}

const mentionsAny = (e: Expr, fresh: Fresh): boolean => fresh.size > 0 && [...variablesOf(e)].some((v) => fresh.has(v))
