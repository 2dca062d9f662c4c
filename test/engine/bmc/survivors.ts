// The interleavings that the encoding admits, enumerated by blocking clauses.
import { Frames } from '../../../src/engine/bmc/interleaving/frames.js'
import { type GirEncoding, Peephole, type Reduction } from '../../../src/engine/bmc/interleaving/peephole.js'
import { Transitions } from '../../../src/engine/bmc/interleaving/transitions.js'
import { and, not } from '../../../src/logic/index.js'
import type { Smt } from '../../../src/smt/index.js'
import { createEncoding } from '../../../src/xcfa/terms/index.js'
import { programOf, type Statement } from './statements.js'
import { type ConcreteStep, wordOf } from './traces.js'

/** Words of all surviving executions with this many steps besides the one in which main starts the threads. */
export const survivorsOf = (
  threads: readonly (readonly Statement[])[],
  length: number,
  smt: Smt,
  reduction: Reduction,
  girEncoding: GirEncoding,
): readonly string[] => {
  const program = programOf(threads)
  const transitions = new Transitions(program, { encoding: createEncoding('bv'), threads: threads.length + 1, heap: 0 })
  const solver = smt.solver(transitions.logic())
  const frames = new Frames(transitions, solver)
  const peephole = new Peephole(frames, reduction, girEncoding)
  for (let k = 0; k <= length; k++) {
    const previous = frames.frames.at(-1)
    const frame = frames.extend()
    if (previous) peephole.constrain(previous, frame)
  }
  const found: string[] = []
  while (solver.check() === 'sat') {
    const moves = frames.taken(solver.model())
    const steps = moves.slice(1).map(({ transition: { source, edge } }): ConcreteStep => {
      const edges = source.template.edges
      const index = [...new Set(edges.map((e) => e.source))].indexOf(edge.source)
      const way = edges.filter((e) => e.source === edge.source).indexOf(edge)
      return { thread: source.thread, index, way }
    })
    found.push(wordOf(steps))
    solver.add(not(and(moves.map((m) => m.taken))))
  }
  solver.dispose()
  return found
}
