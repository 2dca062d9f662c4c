// The part of a state that decides how an execution can go on: where the threads are, and what guards, addresses and joins
// depend on, through any number of steps. Two states that agree in it allow the same steps, with the same choices, to states
// that agree in it again. A round between two such states can therefore be repeated for ever, although a counter that
// nobody asks about goes on: the states that agree with them are a recurrent set.
import { type Label, type Program, type Region, type Variable, variablesOf } from '../xcfa/index.js'
import { read } from '../xcfa/passes/labels.js'
import type { Interpreter, Successor } from './interpreter.js'
import type { State, ThreadState } from './state.js'

type Part = Variable | Region

/** The same key for states that agree in what decides. */
export const decidingKey = (interpreter: Interpreter): ((state: State) => string) => {
  const { program, globals } = interpreter.layout
  const decides = decidingParts(program)
  const hasMemory = program.regions.some((region) => decides.has(region))
  const threadOf = (thread: ThreadState): ThreadState => {
    const { variables } = thread.template
    return { ...thread, locals: thread.locals.map((value, i) => (decides.has(variables[i]!) ? value : 0)) }
  }
  const shared = program.globals.filter((v) => decides.has(v)).map((v) => globals.get(v)!)
  const kept = new Set(shared)
  return (state) =>
    interpreter.key({
      globals: state.globals.map((value, i) => (kept.has(i) ? value : 0)),
      memory: hasMemory ? state.memory : [],
      threads: state.threads.map(threadOf),
    })
}

/** Steps that change which threads or instances in memory there are: then all of a state counts. */
export const changesInstances = ({ step }: Successor): boolean =>
  step.edge.labels.some(
    ({ kind }) => kind === 'start' || kind === 'allocate' || kind === 'free' || kind === 'primitive',
  )

const decidingParts = (program: Program): ReadonlySet<Part> => {
  const decides = new Set<Part>()
  const labels = [...program.templates.values()].flatMap(({ edges }) => edges.flatMap((edge) => edge.labels))
  for (let before = -1; before !== decides.size; ) {
    before = decides.size
    for (const label of labels) for (const part of needs(label, decides)) decides.add(part)
  }
  return decides
}

const needs = (label: Label, decides: ReadonlySet<Part>): Iterable<Part> => {
  switch (label.kind) {
    case 'assign':
      return decides.has(label.target) ? read(label) : []
    case 'load':
      // An access to nowhere stops its thread.
      return decides.has(label.target) ? [...read(label), label.region] : read(label)
    case 'store':
      return decides.has(label.region) ? read(label) : variablesOf(label.address)
    case 'havoc':
    case 'assume':
    case 'allocate':
    case 'free':
    case 'start':
    case 'join':
    case 'call':
    case 'fence':
    case 'primitive':
      return read(label)
  }
}
