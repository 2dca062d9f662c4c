// The door of the cooperative front ends: FairThreads programs in C, SystemC models in C++. A program is cooperative
// exactly if it calls primitives of a scheduler; which scheduler that is, the names of the primitives say.
import type { Edge, Program } from '../../xcfa/index.js'
import { type Compiled, type CompileOptions, type CParser, compile, type SourceFile } from '../c/index.js'
import { FAIRTHREADS } from './fairthreads.js'
import { isolatePrimitives } from './isolate.js'
import { isCxx } from './source.js'
import { type CxxParser, spelled, systemCToC } from './systemc/index.js'

export { isolatePrimitives } from './isolate.js'
export { isCxx } from './source.js'
export { type CxxParser, loadCxxParser } from './systemc/index.js'

export type Interface = 'fairthreads' | 'systemc'

/** Like `compile`, and knows the cooperative libraries, too. */
export const compileCooperative = (
  files: readonly SourceFile[],
  options: CompileOptions,
  parser: CParser,
  cxx?: CxxParser,
): Compiled => {
  const events: string[] = []
  const sources = files.map((file) => {
    if (!isCxx(file.name)) return file
    if (!cxx) throw new Error('C++ needs its parser')
    const translated = systemCToC(file, cxx)
    events.push(...translated.events)
    return translated
  })
  const compiled = compile(sources, { ...options, parts: [...(options.parts ?? []), FAIRTHREADS] }, parser)
  const api = interfaceOf(compiled.program)
  if (!api) return compiled
  const program = isolatePrimitives(compiled.program)
  return { ...compiled, program: api === 'systemc' ? spelled(program, events) : program }
}

const PREFIXES: readonly (readonly [string, Interface])[] = [
  ['ft_', 'fairthreads'],
  ['sc_', 'systemc'],
]

/** The first step that calls a primitive, and the library it belongs to. */
export const firstPrimitive = (program: Program): { readonly api: Interface; readonly edge: Edge } | undefined => {
  for (const { edges } of program.templates.values())
    for (const edge of edges)
      for (const label of edge.labels)
        if (label.kind === 'primitive')
          for (const [prefix, api] of PREFIXES) if (label.name.startsWith(prefix)) return { api, edge }
  return undefined
}

/** The library whose primitives the program calls; undefined: its threads are scheduled by preemption. */
export const interfaceOf = (program: Program): Interface | undefined => firstPrimitive(program)?.api
