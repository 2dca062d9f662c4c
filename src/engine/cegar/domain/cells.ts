// Values of regions in abstract states: an array term whose stores have constant addresses, over a base that is either
// the same everywhere or the region itself, which stands for unknown contents. A cell of unknown value above a known
// base is a read of the region at its own address.
import { application, isConstant, select, type Term } from '../../../logic/index.js'

/** Longer values are forgotten: they cost more than they tell. */
const MAX_CELLS = 300

interface Cells {
  readonly base: Term
  readonly cells: ReadonlyMap<Term, Term>
}

/** The same contents in a normal form; undefined: nothing is known. `region` is the region's own variable. */
export const normalRegion = (region: Term, value: Term): Term | undefined => {
  const cells = new Map<Term, Term>()
  let base = value
  let forgetsBelow = false
  while (base.op === 'store') {
    const [below, address, element] = base.args as readonly [Term, Term, Term]
    if (!isConstant(address)) {
      forgetsBelow = true
      break
    }
    if (!cells.has(address)) cells.set(address, isConstant(element) ? element : unknownCell(region, address))
    if (cells.size > MAX_CELLS) return undefined
    base = below
  }
  const constantBase = !forgetsBelow && base.op === 'const-array' && isConstant(base.args[0]!)
  const from = constantBase ? base : region
  const kept = [...cells]
    .filter(([address, element]) =>
      constantBase ? element !== base.args[0] : element !== unknownCell(region, address),
    )
    .sort(([a], [b]) => a.id - b.id)
  const normal = kept.reduce(
    (array, [address, element]) => application('store', array.sort, [array, address, element]),
    from,
  )
  return normal === region ? undefined : normal
}

const unknownCell = (region: Term, address: Term): Term => select(region, address)

const cellsOf = (value: Term): Cells => {
  const cells = new Map<Term, Term>()
  let base = value
  while (base.op === 'store') {
    const [below, address, element] = base.args as readonly [Term, Term, Term]
    if (!cells.has(address)) cells.set(address, element)
    base = below
  }
  return { base, cells }
}

/** Whether all contents that `a` (undefined: any) stands for are among those of `b`. */
export const includesRegion = (a: Term | undefined, b: Term): boolean => {
  if (a === undefined) return false
  const left = cellsOf(a)
  const right = cellsOf(b)
  const baseIncluded = right.base.op === 'var' || left.base === right.base
  if (!baseIncluded) return false
  const cell = ({ base, cells }: Cells, address: Term): Term =>
    cells.get(address) ?? (base.op === 'const-array' ? base.args[0]! : select(base, address))
  return [...left.cells.keys(), ...right.cells.keys()].every((address) => {
    const wanted = cell(right, address)
    return !isConstant(wanted) || cell(left, address) === wanted
  })
}
