// The guarded independence relation (peephole.txt, section 2.2): for two transitions of different threads the condition
// on the state under which they are independent (Definition 2), by rules 1 to 4c. A pair with several conflicts gets
// the conjunction over all of them (soundness.md 11); a conflict in memory the disjunction of "different places" and
// "same value". Departures: reads are those on which guards and assigned values depend, not all that the text names;
// rule 4c is asked of the whole enabling condition at once, for several assigned variables, too.
import {
  add,
  and,
  bvAdd,
  bvConst,
  bvUle,
  eq,
  FALSE,
  freeVariables,
  iff,
  intConst,
  le,
  not,
  or,
  select,
  substitute,
  type Term,
  TRUE,
  widthOf,
} from '../logic/index.js'
import type { Region } from '../xcfa/index.js'
import { type Encoding, regionTerm } from '../xcfa/terms/index.js'
import type { MemoryRead, MemoryWrite, Summary } from './guarded-independence-summary.js'

/** static: only what is independent in every state; simple: rules 1 to 3; full: rules 1 to 4. */
export type IndependenceRules = 'static' | 'simple' | 'full'

/** c_G: if it holds before both, the transitions can be taken in either order, with the same effect. */
export const independence = (a: Summary, b: Summary, rules: IndependenceRules, encoding: Encoding): Term => {
  if (entersBlock(a) || entersBlock(b) || freesOther(a, b) || freesOther(b, a)) return FALSE
  const condition =
    rules === 'full'
      ? and(
          keepsData(a, b, encoding),
          keepsEnabled(a, b, encoding),
          keepsData(b, a, encoding),
          keepsEnabled(b, a, encoding),
          writesAgree(a, b, encoding),
        )
      : and(unrelated(a, b), unrelated(b, a), placesDiffer(a, b, encoding))
  return rules === 'static' && condition !== TRUE ? FALSE : condition
}

/** A thread inside an atomic block stops all others: that depends on everything. */
const entersBlock = ({ edge }: Summary): boolean => edge.source.atomic || edge.target.atomic

/** The end of an object's life beside an access to the heap. */
const freesOther = (a: Summary, b: Summary): boolean =>
  a.frees &&
  (b.frees || [...b.loads, ...b.stores].some(({ region }) => region.slots.some((s) => s.object.storage === 'heap')))

/** What the effects of a transition are computed from; its enabling condition apart. */
const dataOf = ({ effects, stores, starts }: Summary): readonly Term[] => [
  ...effects.values(),
  ...stores.flatMap(({ address, value }) => [address, value]),
  ...starts.flatMap(({ args }) => args),
]

const readsIn = (terms: readonly Term[]): ReadonlySet<Term> => new Set(terms.flatMap((t) => freeVariables(t)))

// ---- rules 1 to 3

/** Rule 1: no variable is assigned by b and read or assigned by a. */
const unrelated = (a: Summary, b: Summary): Term => {
  const reads = readsIn([a.guard, ...dataOf(a)])
  return [...b.effects.keys()].some((x) => reads.has(x) || a.effects.has(x)) ? FALSE : TRUE
}

/** Rules 2 and 3: every two conflicting accesses go to different places. */
const placesDiffer = (a: Summary, b: Summary, encoding: Encoding): Term =>
  and(
    conflicts(a.stores, b.stores).map(([p, q]) => disjoint(p, q, encoding)),
    conflicts(a.loads, b.stores).map(([p, q]) => disjoint(p, q, encoding)),
    conflicts(a.stores, b.loads).map(([p, q]) => disjoint(p, q, encoding)),
  )

// ---- rules 4a to 4c

/** Rule 4a: b does not change what a's effects are computed from, or changes it to what it was. */
const keepsData = (a: Summary, b: Summary, encoding: Encoding): Term => {
  const data = readsIn(dataOf(a))
  const values = [...b.effects].filter(([x]) => data.has(x)).map(([x, value]) => eq(x, value))
  const cells = conflicts(a.loads, b.stores)
    .filter(([p]) => data.has(memoryOf(p.region, encoding)))
    .map(([p, q]) =>
      or(
        disjoint(p, q, encoding),
        sameElement(p, q) ? eq(select(memoryOf(p.region, encoding), p.address), q.value) : FALSE,
      ),
    )
  return and(values, cells)
}

/** Rule 4c, of the whole enabling condition: b neither enables nor disables a. */
const keepsEnabled = (a: Summary, b: Summary, encoding: Encoding): Term => {
  const changes = new Map(b.effects)
  for (const [region, after] of b.memories)
    if (region.scope === 'global') changes.set(memoryOf(region, encoding), after)
  return iff(a.guard, substitute(a.guard, changes))
}

const memoryOf = (region: Region, encoding: Encoding): Term => regionTerm(region, 0, encoding)

/** Rule 4b: what both assign gets the same value. */
const writesAgree = (a: Summary, b: Summary, encoding: Encoding): Term =>
  and(
    [...a.effects].filter(([x]) => b.effects.has(x)).map(([x, value]) => eq(value, b.effects.get(x)!)),
    conflicts(a.stores, b.stores).map(([p, q]) =>
      or(disjoint(p, q, encoding), sameElement(p, q) ? eq(p.value, q.value) : FALSE),
    ),
  )

// ---- places in memory

const conflicts = <A extends MemoryRead, B extends MemoryWrite | MemoryRead>(
  as: readonly A[],
  bs: readonly B[],
): readonly [A, B][] =>
  as.flatMap((a) => bs.filter((b) => a.region === b.region && a.region.scope === 'global').map((b): [A, B] => [a, b]))

const sameElement = (a: MemoryRead, b: MemoryRead): boolean => a.region.element !== 'bytes' && a.region === b.region

/** The bytes of the accesses do not overlap. Accesses to a region of cells hit whole cells. */
const disjoint = (a: MemoryRead, b: MemoryRead, encoding: Encoding): Term => {
  if (a.region.element !== 'bytes') return not(eq(a.address, b.address))
  return or(endsBefore(a, b, encoding), endsBefore(b, a, encoding))
}

const endsBefore = (a: MemoryRead, b: MemoryRead, encoding: Encoding): Term => {
  const { address } = a
  return encoding.arithmetic === 'int'
    ? le(add(address, intConst(a.size)), b.address)
    : bvUle(bvAdd(address, bvConst(a.size, widthOf(address))), b.address)
}
