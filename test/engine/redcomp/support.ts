// Programs of redcomp.txt through the front end, and the engine on them.
import { redcompEngine } from '../../../src/engine/redcomp/index.js'
import { type Inference, inferBlocks } from '../../../src/engine/redcomp/program/reduce.js'
import { specialise, type Thread } from '../../../src/engine/redcomp/program/specialise.js'
import { errorsOf, type Property } from '../../../src/property/index.js'
import { createSmt } from '../../../src/smt/index.js'
import type { Result } from '../../../src/verdict/index.js'
import type { Edge, Program } from '../../../src/xcfa/index.js'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'

export const rawOf = async (text: string): Promise<Program> => compileProgram(await testParser(), text)

/** Threads as the inference sees them; every access is kept. */
export const threadsOf = async (text: string) =>
  specialise(prepare(errorsOf(await rawOf(text), 'assert'), { slice: false }))

export interface Inferred extends Inference {
  thread(name: string): Thread
  /** Edges of a thread by the beginning of their text. */
  edges(name: string, text: string): readonly Edge[]
  /** Names of the locks held before an edge. */
  held(edge: Edge): readonly string[]
}

export const inferred = async (text: string): Promise<Inferred> => {
  const { program, threads } = await threadsOf(text)
  const inference = inferBlocks(threads)
  const thread = (name: string): Thread => threads.find((t) => t.template.name.split(' ')[0] === name)!
  return {
    ...inference,
    thread,
    edges: (name, start) => thread(name).template.edges.filter((e) => e.text.startsWith(start)),
    held: (edge) =>
      [...inference.movers.held(edge.source)].map((a) => program.objects.find((o) => o.base === a)!.name).sort(),
  }
}

const env = { stopped: () => undefined, progress: () => {} }

export const run = async (
  text: string,
  options: Record<string, string> = {},
  property: Property = 'assert',
): Promise<Result> => runRaw(await rawOf(text), options, property)

export const runRaw = async (
  raw: Program,
  options: Record<string, string> = {},
  property: Property = 'assert',
): Promise<Result> => {
  const smt = await createSmt('auto')
  try {
    const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
    return redcompEngine.verify({ raw, property, settings, smt }, options, env)
  } finally {
    smt.dispose()
  }
}
