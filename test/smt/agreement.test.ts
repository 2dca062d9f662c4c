import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { and, BOOL_SORT, print, satisfies, simplify, type Term } from '../../src/logic/index.js'
import { createSmt, type Smt, type Status } from '../../src/smt/index.js'
import { randomModel, randomTerm, seeded } from '../logic/random.js'
import { libraryKinds } from './backends.js'

/** Conjunctions of raw and simplified formulas: about half of them are satisfiable. */
const formulas = (): readonly (readonly Term[])[] => {
  const random = seeded(42)
  return Array.from({ length: 300 }, () => {
    const parts = Array.from({ length: 3 + random(6) }, () => randomTerm(random, BOOL_SORT, 3))
    return random(2) === 0 ? parts : parts.map(simplify)
  })
}

describe('the libraries agree with each other and with evaluation', () => {
  const solvers: Smt[] = []
  beforeAll(async () => {
    for (const kind of libraryKinds) solvers.push(await createSmt(kind))
  })
  afterAll(() => {
    for (const smt of solvers) smt.dispose()
  })

  it('on 300 random formulas', () => {
    const random = seeded(43)
    const count: Record<Status, number> = { sat: 0, unsat: 0, unknown: 0 }
    for (const parts of formulas()) {
      const answers = solvers.map((smt) => {
        const solver = smt.solver({ rlimit: 4_000_000 })
        for (const part of parts) solver.add(part)
        const status = solver.check()
        if (status === 'sat') {
          const model = solver.model()
          for (const part of parts) expect(satisfies(part, model), `${smt.name}: ${print(part)}`).toBe(true)
        }
        solver.dispose()
        return status
      })
      const decided = new Set(answers.filter((answer) => answer !== 'unknown'))
      expect(decided.size, parts.map((part) => print(part)).join('\n')).toBeLessThanOrEqual(1)
      // A formula that some random model satisfies is satisfiable.
      if (decided.has('unsat'))
        for (let i = 0; i < 20; i++) expect(satisfies(and(parts), randomModel(random))).not.toBe(true)
      count[answers.includes('unknown') ? 'unknown' : answers[0]!]++
    }
    expect(count.unknown).toBeLessThan(30)
    expect(count.sat).toBeGreaterThan(50)
    expect(count.unsat).toBeGreaterThan(50)
  })
})
