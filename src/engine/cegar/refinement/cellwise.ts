// A path with memory told apart cell by cell. Where the path determines the address of every access to a region (what
// addresses are computed from are constants along it), the region is as many variables as cells of it are accessed.
// What remains is arithmetic, which interpolation understands. A precision that is to follow such interpolants must also
// know what the addresses were computed from: `addressValues`.

import {
  and,
  conjuncts,
  freeVariables,
  isConstant,
  ite,
  print,
  select,
  store,
  substitute,
  type Term,
  transform,
  variable,
} from '../../../logic/index.js'
import type { Transition } from '../../../symbolic/index.js'
import { normalRegion } from '../domain/index.js'

export interface CellwisePath {
  readonly initial: Transition
  readonly steps: readonly Transition[]
  /** The region of a cell, or the variable itself. */
  regionOf(variable: Term): Term
  /** A formula over cells as one over regions. */
  overRegions(formula: Term): Term
  /** At each node: variables and cells by which accesses to these regions later on find their cell, with their values. */
  addressValues(regions: ReadonlySet<Term>): readonly ReadonlyMap<Term, Term>[]
}

/** Constants and contents of regions at a node. */
type Values = ReadonlyMap<Term, Term>

export const cellwisePath = (initial: Transition, steps: readonly Transition[]): CellwisePath => {
  const path = [initial, ...steps]
  const accesses = new Accesses()
  const values: Values[] = []
  const fixed = path.map((transition, k) => {
    const before = values[k - 1] ?? new Map<Term, Term>()
    values.push(valuesAfter(transition, before))
    return accesses.fix(transition, before, k)
  })
  const cells = new Cells(accesses)
  const [first, ...rest] = fixed.map((transition) => cells.inCells(transition)) as [Transition, ...Transition[]]
  return {
    initial: first,
    steps: rest,
    regionOf: (v) => cells.regionOf(v),
    overRegions: (formula) => cells.overRegions(formula),
    addressValues: (regions) => {
      const wanted = new Set(regions)
      // Addresses may have been read from memory, too.
      for (let before = -1; before !== wanted.size; ) {
        before = wanted.size
        for (const needed of addressesNeeded([first, ...rest], accesses, cells, wanted))
          for (const v of needed) if (cells.isCell(v)) wanted.add(cells.regionOf(v))
      }
      return addressesNeeded([first, ...rest], accesses, cells, wanted).map((needed, k) =>
        constantsAmong(needed, values[k]!, (v) => cells.overRegions(v)),
      )
    },
  }
}

/** What is constant after a step, by what was constant before it and by equations in its guard. */
const valuesAfter = ({ guard, updates }: Transition, before: Values): Values => {
  const during = new Map(before)
  for (const part of conjuncts(guard)) {
    const [a, b] = part.args
    if (part.op !== '=' || !a || !b) continue
    if (a.op === 'var' && isConstant(b)) during.set(a, b)
    else if (b.op === 'var' && isConstant(a)) during.set(b, a)
  }
  const after = new Map(during)
  for (const [v, value] of updates) {
    const known = substitute(value, during)
    const kept = v.sort.kind === 'array' ? normalRegion(v, known) : isConstant(known) ? known : undefined
    if (kept) after.set(v, kept)
    else after.delete(v)
  }
  return after
}

/** Addresses on the path, by region. */
class Accesses {
  /** Constant addresses; undefined for a region that is also accessed elsewhere. */
  readonly addresses = new Map<Term, Set<Term> | undefined>()
  private readonly computed: { readonly step: number; readonly region: Term; readonly address: Term }[] = []

  /** The same step with constant addresses where the path determines them. */
  fix(transition: Transition, before: Values, step: number): Transition {
    const fixTerm = (term: Term): Term => this.fixTerm(term, before, step)
    const updates = new Map([...transition.updates].map(([v, value]) => [v, fixTerm(value)]))
    return { ...transition, guard: fixTerm(transition.guard), updates }
  }

  /** What addresses of these regions are computed from in a step. */
  variables(step: number, regions: ReadonlySet<Term>): readonly Term[] {
    return this.computed.filter((each) => each.step === step && regions.has(each.region)).map(({ address }) => address)
  }

  private fixTerm(term: Term, before: Values, step: number): Term {
    return transform(term, (t) => {
      if (t.op !== 'select' && t.op !== 'store') return undefined
      const [array, index, ...rest] = t.args.map((arg, i) => (i === 1 ? arg : this.fixTerm(arg, before, step)))
      const address = this.fixAddress(array!, index!, before, step)
      return t.op === 'select' ? select(array!, address) : store(array!, address, rest[0]!)
    })
  }

  private fixAddress(array: Term, index: Term, before: Values, step: number): Term {
    const constant = substitute(index, before)
    const isFixed = isConstant(constant)
    const computed = this.fixTerm(index, before, step)
    for (const region of rootsOf(array)) {
      if (!isFixed) this.addresses.set(region, undefined)
      else if (!this.addresses.has(region)) this.addresses.set(region, new Set([constant]))
      else this.addresses.get(region)?.add(constant)
      if (!isConstant(index)) this.computed.push({ step, region, address: computed })
    }
    return isFixed ? constant : computed
  }
}

/** The array variables that a term may read from. */
const rootsOf = (array: Term): readonly Term[] => {
  switch (array.op) {
    case 'var':
      return [array]
    case 'store':
      return rootsOf(array.args[0]!)
    case 'ite':
      return [...rootsOf(array.args[1]!), ...rootsOf(array.args[2]!)]
    default:
      return []
  }
}

/** Cells as variables. */
class Cells {
  private readonly cells = new Map<Term, { readonly region: Term; readonly address: Term }>()

  constructor(private readonly accesses: Accesses) {}

  isCell(v: Term): boolean {
    return this.cells.has(v)
  }

  regionOf(v: Term): Term {
    return this.cells.get(v)?.region ?? v
  }

  overRegions(formula: Term): Term {
    const reads = freeVariables(formula).flatMap((v) => {
      const cell = this.cells.get(v)
      return cell ? [[v, select(cell.region, cell.address)] as const] : []
    })
    return reads.length > 0 ? substitute(formula, new Map(reads)) : formula
  }

  inCells(transition: Transition): Transition {
    const updates = new Map<Term, Term>()
    for (const [v, value] of transition.updates) {
      const addresses = v.sort.kind === 'array' && this.isCellwise(v) ? this.addressesOf(v) : undefined
      if (!addresses) updates.set(v, this.inCellsTerm(value))
      else
        for (const address of addresses) {
          const [before, after] = [this.read(v, address), this.read(value, address)]
          if (before !== after) updates.set(before, after)
        }
    }
    return { ...transition, guard: and(conjuncts(transition.guard).map((part) => this.inCellsTerm(part))), updates }
  }

  inCellsTerm(term: Term): Term {
    return transform(term, (t) =>
      t.op === 'select' && isConstant(t.args[1]!) && rootsOf(t.args[0]!).every((v) => this.isCellwise(v))
        ? this.read(t.args[0]!, t.args[1]!)
        : undefined,
    )
  }

  private isCellwise(region: Term): boolean {
    return !this.accesses.addresses.has(region) || this.accesses.addresses.get(region) !== undefined
  }

  private addressesOf(region: Term): Iterable<Term> {
    return this.accesses.addresses.get(region) ?? []
  }

  /** The cell of an array term whose stores all have constant addresses. */
  private read(array: Term, address: Term): Term {
    const [a, b, c] = array.args as readonly [Term, Term, Term]
    switch (array.op) {
      case 'store':
        return b === address ? this.inCellsTerm(c) : this.read(a, address)
      case 'const-array':
        return this.inCellsTerm(a)
      case 'ite':
        return ite(this.inCellsTerm(a), this.read(b, address), this.read(c, address))
      default: {
        const cell = variable(`${array.name}[${print(address)}]`, select(array, address).sort)
        if (!this.cells.has(cell)) this.cells.set(cell, { region: array, address })
        return cell
      }
    }
  }
}

const addressesNeeded = (
  path: readonly Transition[],
  accesses: Accesses,
  cells: Cells,
  regions: ReadonlySet<Term>,
): readonly ReadonlySet<Term>[] =>
  neededFor(path, (k) => accesses.variables(k, regions).map((address) => cells.inCellsTerm(address)))

/** At each node the variables from which these terms of the steps after it are computed. */
const neededFor = (
  path: readonly Transition[],
  wanted: (step: number) => readonly Term[],
): readonly ReadonlySet<Term>[] => {
  const needed: ReadonlySet<Term>[] = path.map(() => new Set())
  for (let k = path.length - 1; k > 0; k--) {
    const before = new Set(wanted(k).flatMap(freeVariables))
    for (const v of needed[k]!) for (const source of freeVariables(path[k]!.updates.get(v) ?? v)) before.add(source)
    for (const { term } of path[k]!.inputs) before.delete(term)
    needed[k - 1] = before
  }
  return needed
}

const constantsAmong = (needed: ReadonlySet<Term>, values: Values, plain: (v: Term) => Term): Values => {
  const found = new Map<Term, Term>()
  for (const v of needed) {
    const value = substitute(plain(v), values)
    if (isConstant(value)) found.set(v, value)
  }
  return found
}
