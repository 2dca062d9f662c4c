// The whole front end on a text, for tests.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Compiled, type CompileOptions, compile, loadParser } from '../../../src/frontend/c/index.js'

const require = createRequire(import.meta.url)

const parser = await loadParser({
  runtime: readFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm')),
  grammar: readFileSync(require.resolve('tree-sitter-c/tree-sitter-c.wasm')),
})

export const compileText = (text: string, options: Partial<CompileOptions> = {}, name = 'test.c'): Compiled =>
  compile([{ name, text }], { dataModel: 'lp64', ...options }, parser)
