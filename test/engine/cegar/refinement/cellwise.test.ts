// Paths with memory cell by cell: an array a of four-byte cells from address 100 on, written and read at 100 + 4 * i.
import { describe, expect, it } from 'vitest'
import { cellwisePath } from '../../../../src/engine/cegar/refinement/index.js'
import {
  add,
  arraySort,
  constArray,
  eq,
  freeVariables,
  INT_SORT,
  intConst,
  le,
  mul,
  select,
  store,
  type Term,
  TRUE,
  variable,
} from '../../../../src/logic/index.js'
import type { Transition } from '../../../../src/symbolic/index.js'

const INTS = arraySort(INT_SORT, INT_SORT)
const a = variable('a', INTS)
const [i, j, v] = ['i', 'j', 'v'].map((name) => variable(name, INT_SORT)) as [Term, Term, Term]
const cell = (index: Term): Term => add(mul(index, intConst(4)), intConst(100))

let created = 0
const transition = (guard: Term, ...next: readonly (readonly [Term, Term])[]): Transition => ({
  ...{ id: created++, guard, updates: new Map(next), dead: new Set() },
  ...{ inputs: [], obligations: [], accesses: [] },
})

const zeros = constArray(INTS, intConst(0))
const initial = transition(TRUE, [a, zeros], [i, intConst(0)])
/** a[i] = v; i = i + 1 */
const push = transition(le(v, intConst(4)), [a, store(a, cell(i), v)], [i, add(i, intConst(1))])
/** a[i - 1] is 7 */
const pop = transition(eq(select(a, cell(add(i, intConst(-1)))), intConst(7)))

const variablesOf = ({ guard, updates }: Transition): readonly Term[] => [
  ...freeVariables(guard),
  ...[...updates].flatMap(([variable_, value]) => [variable_, ...freeVariables(value)]),
]

describe('a path that determines its addresses', () => {
  const path = cellwisePath(initial, [push, pop])

  it('speaks of cells, not of the region', () => {
    const variables = [path.initial, ...path.steps].flatMap(variablesOf)
    expect(variables.filter(({ sort }) => sort.kind === 'array')).toEqual([])
  })

  it('says the same of them', () => {
    expect(path.overRegions(path.steps[1]!.guard)).toBe(eq(select(a, intConst(100)), intConst(7)))
  })

  it('knows from what addresses are computed at each node', () => {
    const values = path.addressValues(new Set([a]))
    expect(values[0]!.get(i)).toBe(intConst(0))
    expect(values[1]!.get(i)).toBe(intConst(1))
    expect(path.addressValues(new Set()).every(({ size }) => size === 0)).toBe(true)
  })
})

it('a region stays whole where an address is open', () => {
  const anywhere = transition(TRUE, [a, store(a, cell(j), v)])
  const { steps } = cellwisePath(initial, [anywhere, pop])
  expect(steps[0]!.updates.has(a)).toBe(true)
})
