// The programs in examples/cooperative have the verdicts that they claim.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createSmt } from '../../../src/smt/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { cxxParser, decided, modelOf, programOf } from './support.js'

const folder = fileURLToPath(new URL('../../../examples/cooperative/', import.meta.url))

const parser = await testParser()
const cxx = await cxxParser()
const smt = await createSmt('auto')

describe('cooperative examples', () => {
  for (const name of readdirSync(folder))
    it(name, () => {
      const text = readFileSync(`${folder}${name}`, 'utf8')
      const [, verdict] = /^ \* Verdicts: assert (TRUE|FALSE)$/m.exec(text)!
      const raw = name.endsWith('.cpp') ? modelOf(parser, cxx, text) : programOf(parser, text)
      expect(decided(raw, smt).verdict).toBe(verdict!.toLowerCase())
    })
})
