// The front end up to the typed tree, for tests: preprocess, parse, check.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type CheckedProgram, check, type Library } from '../../../src/frontend/c/check/index.js'
import * as library from '../../../src/frontend/c/library/index.js'
import { loadParser, type SyntaxTree } from '../../../src/frontend/c/parse/index.js'
import { preprocess } from '../../../src/frontend/c/preprocess/index.js'
import type { DataModel } from '../../../src/xcfa/index.js'

const require = createRequire(import.meta.url)

const parser = await loadParser({
  runtime: readFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm')),
  grammar: readFileSync(require.resolve('tree-sitter-c/tree-sitter-c.wasm')),
})

export const LIBRARY: Library = {
  model: library.model,
  ownedTypes: library.OWNED_TYPES,
  ownedTypesText: library.OWNED_TYPES_TEXT,
  initialise: library.initialise,
  aliases: library.ALIASES,
  overriding: library.OVERRIDING,
  nondetTypes: library.NONDET_TYPES,
}

export const parseText = (file: string, text: string, dataModel: DataModel = 'lp64'): SyntaxTree =>
  parser.parse(preprocess(file, text, { dataModel, header: library.header }))

export const checkText = (text: string, dataModel: DataModel = 'lp64', file = 'test.c'): CheckedProgram =>
  check([parseText(file, text, dataModel)], {
    dataModel,
    library: LIBRARY,
    sources: new Map([[file, text]]),
    parse: (name, source) => parseText(name, source, dataModel),
  })
