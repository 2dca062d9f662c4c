// Each example has the verdicts that it claims, by brute force with spurious wake-ups.
import { describe, expect, it } from 'vitest'
import { compile } from '../../src/frontend/c/index.js'
import { oracle } from '../../src/semantics/index.js'
import { testParser } from '../frontend/parse/load.js'
import { EXAMPLES } from './verdicts.js'

const parser = await testParser()

describe('examples have the verdicts that they claim', () => {
  for (const { name, text, verdicts } of EXAMPLES)
    it(name, { timeout: 60_000 }, () => {
      for (const [property, holds] of verdicts) {
        const checks = {
          checkOverflow: property === 'no-overflow',
          checkMemory: property === 'valid-memsafety',
          checkRaces: property === 'no-data-race',
        }
        const { program } = compile([{ name, text }], { dataModel: 'lp64', ...checks }, parser)
        const result = oracle(program, property)
        expect([property, result.verdict, result.reason]).toEqual([property, `${holds}`, undefined])
        if (verdicts.get('valid-memsafety') !== false) expect(result.undefined).toEqual([])
      }
    })
})
