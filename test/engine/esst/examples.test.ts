// The programs in examples/cooperative have the verdicts that they claim.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CParser } from '../../../src/frontend/c/index.js'
import type { CxxParser } from '../../../src/frontend/cooperative/index.js'
import { createSmt, type Smt } from '../../../src/smt/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { cxxParser, decided, modelOf, programOf } from './support.js'

const folder = fileURLToPath(new URL('../../../examples/cooperative/', import.meta.url))

let parser: CParser
let cxx: CxxParser
let smt: Smt
beforeAll(async () => {
  parser = await testParser()
  cxx = await cxxParser()
  smt = await createSmt('auto')
})

describe('cooperative examples', () => {
  for (const name of readdirSync(folder))
    it(name, () => {
      const text = readFileSync(`${folder}${name}`, 'utf8')
      const [, verdict] = /^ \* Verdicts: assert (TRUE|FALSE)$/m.exec(text)!
      const raw = name.endsWith('.cpp') ? modelOf(parser, cxx, text) : programOf(parser, text)
      expect(decided(raw, smt).verdict).toBe(verdict!.toLowerCase())
    })
})
