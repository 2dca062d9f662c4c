// valid-memtrack: in states where a thread may end the program next, whether something is lost then. Only there the
// state is decoded and the definition of the concrete semantics asked.
import { memoryErrorAt } from '../../property/index.js'
import { interpreterOf, isLossDisputedAt } from '../../semantics/index.js'
import type { Location, Program } from '../../xcfa/index.js'
import type { Compiled } from './compile/generator.js'
import { decodeState } from './decode.js'
import type { StateCheck } from './explore.js'

export const hasHeap = ({ objects }: Program): boolean =>
  objects.some(({ storage, automatic }) => storage === 'heap' && !automatic)

/** `onDisputed` is told of ends at which it is a matter of definition whether memory is lost. */
export const leakCheck = (program: Program, onDisputed: () => void): ((compiled: Compiled) => StateCheck) => {
  const interpreter = interpreterOf(program)
  const lasts = new Set<Location>()
  for (const { edges } of program.templates.values())
    for (const { source, target } of edges) if (target.reason?.kind === 'exit') lasts.add(source)
  return ({ layout }) => {
    const { slots } = layout
    return (state, visited, counters) => {
      const locations = [...counters].map((counter, slot) =>
        counter === 0 ? undefined : slots[slot]!.locations[counter],
      )
      const isEnd = locations.every((location) => location === undefined || location.kind === 'final')
      if (!isEnd && !locations.some((location) => location && lasts.has(location))) return false
      const decoded = decodeState(layout, interpreter, visited.words, state * visited.width)
      const successors = interpreter.successors(decoded)
      if (memoryErrorAt(interpreter, decoded, successors) !== undefined) return true
      if (isLossDisputedAt(interpreter, decoded, successors)) onDisputed()
      return false
    }
  }
}
