// The whole front end on a text, and its edges as text, for tests.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Compiled, type CompileOptions, compile, loadParser } from '../../../src/frontend/c/index.js'
import type { Edge, Location, Procedure } from '../../../src/xcfa/index.js'
import { labelText } from '../../../src/xcfa/print/index.js'

const require = createRequire(import.meta.url)

const parser = await loadParser({
  runtime: readFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm')),
  grammar: readFileSync(require.resolve('tree-sitter-c/tree-sitter-c.wasm')),
})

export const compileText = (text: string, options: Partial<CompileOptions> = {}, name = 'test.c'): Compiled =>
  compile([{ name, text }], { dataModel: 'lp64', ...options }, parser)

export const edgeText = (edge: Edge): string => edge.labels.map((label) => labelText(label)).join('; ')

/** The edges of main whose C text contains the piece, as text. */
export const edgesAt = (compiled: Compiled, piece: string, template = 'main'): readonly Edge[] =>
  compiled.program.templates.get(template)!.edges.filter((edge) => edge.text.includes(piece))

/** main with this body, over these globals; the edges of its statements. */
export const edgesOf = (globals: string, body: string, options: Partial<CompileOptions> = {}): readonly Edge[] => {
  const { program } = compileText(`${globals}\nint main(void)\n{\n${body}\n}\n`, options)
  return program.main.edges.filter((edge) => !edge.text.startsWith('end of'))
}

export const texts = (edges: readonly Edge[]): readonly string[] => edges.map(edgeText)

export const outgoing = (procedure: Procedure, location: Location): readonly Edge[] =>
  procedure.edges.filter((edge) => edge.source === location)
