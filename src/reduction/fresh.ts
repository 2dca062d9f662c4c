// Objects that nobody else knows yet: a thread's variables that point into memory it has allocated and whose address it
// has stored nowhere. One class for each place that allocates: as soon as one of a class escapes, or two ways to a location
// disagree on it, none of the class is known to be fresh. An access through such a pointer stays in its object, if
// dereferences are valid.
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

/** The variables, with the label that allocated what they point into. */
export type Fresh = ReadonlyMap<Variable, Label>

const NONE: Fresh = new Map()

/** On every way to the location; of variables that are not used any more, no matter. */
export const freshAt = (template: Procedure): ReadonlyMap<Location, Fresh> => {
  const from = outgoing(template.edges)
  const live = liveAt(template)
  const fresh = new Map<Location, Fresh>([[template.initial, NONE]])
  const work = [template.initial]
  for (let location = work.pop(); location; location = work.pop())
    for (const edge of from.get(location) ?? []) {
      const isLive = live.get(edge.target)!
      const after = new Map([...edge.labels.reduce(afterLabel, fresh.get(location)!)].filter(([v]) => isLive.has(v)))
      const known = fresh.get(edge.target)
      const met = known ? agreed(known, after) : after
      if (known && met.size === known.size) continue
      fresh.set(edge.target, met)
      work.push(edge.target)
    }
  return fresh
}

/** Classes of which both have the same variables. */
const agreed = (a: Fresh, b: Fresh): Fresh => {
  const differing = new Set<Label>()
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    for (const [variable, label] of one) if (other.get(variable) !== label) differing.add(label)
  return new Map([...a].filter(([, label]) => !differing.has(label)))
}

/** Labels of the edge whose access is to a fresh object. */
export const freshLabels = (edge: Edge, before: Fresh): ReadonlySet<Label> => {
  const found = new Set<Label>()
  let fresh = before
  for (const label of edge.labels) {
    if ((label.kind === 'load' || label.kind === 'store') && placeOf(label.address, fresh)) found.add(label)
    fresh = afterLabel(fresh, label)
  }
  return found
}

const afterLabel = (before: Fresh, label: Label): Fresh => {
  const escaped = escaping(label, before)
  const fresh = escaped.size === 0 ? before : new Map([...before].filter(([, place]) => !escaped.has(place)))
  const targets = written(label)
  if (targets.length === 0) return fresh
  const place = label.kind === 'allocate' ? label : label.kind === 'assign' ? placeOf(label.value, fresh) : undefined
  const others = [...fresh].filter(([variable]) => !targets.includes(variable))
  const added = place ? targets.filter((target) => target.scope === 'local') : []
  return new Map([...others, ...added.map((target) => [target, place!] as const)])
}

/** Classes of which an address may be anywhere but in the thread's fresh variables after the label. */
const escaping = (label: Label, fresh: Fresh): ReadonlySet<Label> => {
  const mentioned = expressionsOf(label).flatMap((e) => placesIn(e, fresh))
  switch (label.kind) {
    case 'assume':
    case 'load':
    case 'free':
      return NOWHERE
    case 'assign':
      return label.target.scope !== 'local' || !placeOf(label.value, fresh) ? new Set(mentioned) : NOWHERE
    case 'store':
      return new Set(placesIn(label.value, fresh))
    default:
      return new Set(mentioned)
  }
}

const NOWHERE: ReadonlySet<Label> = new Set()

/** Of one fresh pointer, and a distance that no other has a part in, where the object was allocated. */
const placeOf = (e: Expr, fresh: Fresh): Label | undefined => {
  switch (e.kind) {
    case 'var':
      return fresh.get(e.variable)
    case 'cast':
      return e.type.kind === 'pointer' || e.arg.type.kind === 'pointer' ? placeOf(e.arg, fresh) : undefined
    case 'binary': {
      if ((e.op !== 'add' && e.op !== 'sub') || placesIn(e.right, fresh).length > 0) return undefined
      return placeOf(e.left, fresh)
    }
    default:
      return undefined
  }
}

const placesIn = (e: Expr, fresh: Fresh): readonly Label[] =>
  fresh.size === 0 ? [] : [...variablesOf(e)].flatMap((variable) => fresh.get(variable) ?? [])
