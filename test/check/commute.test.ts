// The checker of proofs up to commutativity accepts what the engine proves, in every order, and nothing that was broken.
import { afterAll, describe, expect, test } from 'vitest'
import { createSmt } from '../../src/smt/index.js'
import { testParser } from '../frontend/parse/load.js'
import { seededChoices } from '../generate/choices.js'
import { compileProgram } from '../generate/harness.js'
import { proofOf, reducedAnswer, TWINS, tampered } from './tampered.js'

const parser = await testParser()
const smt = await createSmt('auto')
afterAll(() => smt.dispose())

/** Tampered proofs of each program. */
const CHANGES = 50

describe.each(TWINS)('%s', (_, safe, unsafe) => {
  test('accepted in every order; of the other program never', () => {
    const [raw, other] = [safe, unsafe].map((text) => compileProgram(parser, text))
    for (const order of ['sequential', 'lockstep', '2|1', '1*2|2', '2;1', 'random:4']) {
      const proof = proofOf(raw!, order, smt)
      expect({ order, answer: reducedAnswer(raw!, proof, smt) }).toEqual({ order, answer: 'accepted' })
      expect(reducedAnswer(other!, proof, smt)).toMatch(/^rejected/)
    }
  })

  test('rejected with any change that breaks a rule', () => {
    const raw = compileProgram(parser, safe)
    const proof = proofOf(raw, 'sequential', smt)
    for (let seed = 0, tried = 0; tried < CHANGES; seed++) {
      const change = tampered(proof, seededChoices(seed), raw)
      if (!change) continue
      tried++
      expect({ seed, what: change.what, answer: reducedAnswer(raw, change.certificate, smt) }).toMatchObject({
        answer: expect.stringMatching(/^rejected/),
      })
    }
  })
})
