// Generated C programs: every pass keeps what brute force finds on the raw program.
import { expect, it } from 'vitest'
import { compileText } from '../../frontend/lower/support.js'
import { generate } from '../../generate/index.js'
import { disagreements, outcomes } from './outcomes.js'

const PROGRAMS = Number(process.env['HEDDLE_PROGRAMS'] ?? 10)
const FIRST = Number(process.env['HEDDLE_SEED'] ?? 1)

it('generated programs have the same outcomes after every pass', () => {
  let decided = 0
  for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
    const { program } = compileText(generate(seed))
    const expected = outcomes(program)
    if (!expected) continue
    decided++
    expect(disagreements(program, expected), `seed ${seed}`).toEqual([])
  }
  expect(decided).toBeGreaterThan(PROGRAMS / 2)
}, 120_000)
