// The door of the cooperative front ends: FairThreads programs in C, SystemC models in C++. A program is cooperative
// exactly if it calls primitives of a scheduler; which scheduler that is, the names of the primitives say.
import type { Program } from '../../xcfa/index.js'
import { type Compiled, type CompileOptions, type CParser, compile, type SourceFile } from '../c/index.js'
import { FAIRTHREADS } from './fairthreads.js'
import { isolatePrimitives } from './isolate.js'
import { type CxxParser, systemCToC } from './systemc/index.js'

export { FAIRTHREADS } from './fairthreads.js'
export { isolatePrimitives } from './isolate.js'
export { type CxxParser, loadCxxParser, systemCToC } from './systemc/index.js'

export type Interface = 'fairthreads' | 'systemc'

/** Like `compile`, and knows the cooperative libraries, too. */
export const compileCooperative = (
  files: readonly SourceFile[],
  options: CompileOptions,
  parser: CParser,
  cxx?: CxxParser,
): Compiled => {
  const sources = files.map((file) => {
    if (!isCxx(file.name)) return file
    if (!cxx) throw new Error('C++ needs its parser')
    return systemCToC(file, cxx)
  })
  const compiled = compile(sources, { ...options, parts: [...(options.parts ?? []), FAIRTHREADS] }, parser)
  return interfaceOf(compiled.program) ? { ...compiled, program: isolatePrimitives(compiled.program) } : compiled
}

const PREFIXES: readonly (readonly [string, Interface])[] = [
  ['ft_', 'fairthreads'],
  ['sc_', 'systemc'],
]

/** The library whose primitives the program calls; undefined: its threads are scheduled by preemption. */
export const interfaceOf = (program: Program): Interface | undefined => {
  for (const { edges } of program.templates.values())
    for (const { labels } of edges)
      for (const label of labels)
        if (label.kind === 'primitive')
          for (const [prefix, api] of PREFIXES) if (label.name.startsWith(prefix)) return api
  return undefined
}

/** Whether a file asks for a cooperative scheduler by what it includes. */
export const isCooperativeSource = (name: string, text: string): boolean =>
  /^\s*#\s*include\s*[<"](?:fthread\.h|systemc(?:\.h)?)[>"]/m.test(text) || isCxx(name)

/** SystemC is C++, and C++ is SystemC here. */
export const isCxx = (name: string): boolean => /\.(?:cpp|cc|cxx|C)$/.test(name)
