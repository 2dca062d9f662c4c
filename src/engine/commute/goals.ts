// What main asserts in the end, as formulas over what it reads: the opposite of what leads to an error along its last
// steps, after its last start or join. Often it holds at every round of the loops, or is close to what does.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { isInput, type Transition, type Transitions } from '../../symbolic/index.js'
import type { Edge, Location } from '../../xcfa/index.js'

const MAX_PATHS = 12
const MAX_LENGTH = 12
const MAX_SIZE = 120

export const goalsOf = (transitions: Transitions): readonly Term[] => {
  const { main } = transitions.program
  const found = new Set<Term>()
  let paths = 0
  const stepOf = (edge: Edge): Transition => {
    const at = { number: 0, template: main, location: edge.source }
    return transitions.of({ threads: [at], key: '' }, { thread: 0, edge })
  }
  const back = (location: Location, leads: Term, length: number): void => {
    const incoming = main.edges.filter(({ target }) => target === location)
    const isOver = incoming.length === 0 || incoming.some(waits) || length >= MAX_LENGTH
    if (isOver || paths >= MAX_PATHS) {
      paths++
      const goal = logic.not(leads)
      if (!logic.freeVariables(goal).some(isInput) && logic.size(goal) < MAX_SIZE) found.add(goal)
      return
    }
    for (const edge of incoming) {
      const { guard, updates } = stepOf(edge)
      back(edge.source, logic.and(guard, logic.substitute(leads, updates)), length + 1)
    }
  }
  for (const location of new Set(main.edges.map(({ target }) => target)))
    if (location.kind === 'error') back(location, logic.TRUE, 0)
  return [...found].filter((each) => each.op !== 'const')
}

const waits = ({ labels }: Edge): boolean => labels.some(({ kind }) => kind === 'start' || kind === 'join')
