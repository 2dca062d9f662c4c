// Random SystemC models, small enough for brute force: threads and methods that wait for events, signals and time,
// notify in every way, cancel, and change shared variables whose values stay few.
import { type Choices, seededChoices } from '../../generate/choices.js'

interface Place {
  readonly choices: Choices
  /** A method has no waits and no loops: it says when it is triggered again. */
  readonly isMethod: boolean
  /** Nested loops and branches that may still be opened. */
  readonly depth: number
}

const DATA = ['x', 'y']
const EVENTS = ['e', 'f']

const value = ({ choices, isMethod }: Place): string => choices.pick([...DATA, 's', ...(isMethod ? [] : ['r'])])

const condition = (place: Place): string => {
  const { choices } = place
  return `${value(place)} ${choices.pick(['==', '!=', '<'])} ${choices.below(3)}`
}

const assignment = (place: Place): string => {
  const { choices, isMethod } = place
  const target = choices.pick([...DATA, ...(isMethod ? [] : ['r'])])
  switch (choices.below(5)) {
    case 0:
      return `${target} = ${choices.below(3)};`
    case 1:
      return `${target} = ${value(place)};`
    case 2:
      return `${target} = ${value(place)} == ${choices.below(2)};`
    case 3:
      return `s.write(${choices.pick(['0', '1', 'x', 'y'])});`
    default:
      return `if (${target} < 2) ${target} = ${target} + 1;`
  }
}

const notification = ({ choices }: Place): string => {
  const event = choices.pick(EVENTS)
  switch (choices.below(5)) {
    case 0:
    case 1:
      return `${event}.notify();`
    case 2:
      return `${event}.notify(SC_ZERO_TIME);`
    case 3:
      return `${event}.notify(${choices.pick(['1', '2', 'x'])}, SC_NS);`
    default:
      return `${event}.cancel();`
  }
}

const waiting = ({ choices, isMethod }: Place): string => {
  const event = choices.pick(EVENTS)
  if (isMethod) return choices.pick([`next_trigger(${event});`, 'next_trigger(1, SC_NS);', 'next_trigger();'])
  switch (choices.below(9)) {
    case 0:
    case 1:
    case 2:
      return `wait(${event});`
    case 3:
      return 'wait(SC_ZERO_TIME);'
    case 4:
      return `wait(${choices.pick(['1', '2', 'y'])}, SC_NS);`
    case 5:
      return `wait(1, SC_NS, ${event});`
    case 6:
      return `wait(e ${choices.pick(['|', '&'])} f);`
    case 7:
      return 'wait(s.value_changed_event());'
    default:
      return 'wait();'
  }
}

const statement = (place: Place): string => {
  const { choices, depth, isMethod } = place
  switch (choices.below(depth > 0 ? 10 : 8)) {
    case 0:
    case 1:
    case 2:
      return assignment(place)
    case 3:
    case 4:
      return notification(place)
    case 5:
    case 6:
      return waiting(place)
    case 7:
      return choices.below(3) === 0 ? `assert(${condition(place)});` : assignment(place)
    case 8:
      return `if (${condition(place)}) { ${body({ ...place, depth: depth - 1 }, 2)} }`
    default:
      if (isMethod) return notification(place)
      return `while (${choices.below(3) === 0 ? '1' : condition(place)}) { ${body({ ...place, depth: depth - 1 }, 2)} ${waiting(place)} }`
  }
}

const body = (place: Place, most: number): string =>
  Array.from({ length: 1 + place.choices.below(most) }, () => statement(place)).join(' ')

const systemCModel = (choices: Choices): string => {
  const numbers = Array.from({ length: 2 + choices.below(2) }, (_, i) => i + 1)
  const processes = numbers.map((n) => {
    const isMethod = n > 1 && choices.below(4) === 0
    const place: Place = { choices, isMethod, depth: 1 }
    const last = choices.below(2) === 0 ? ` assert(${condition(place)});` : ''
    const sensitivity = choices.below(2) === 0 ? ` sensitive << ${choices.pick(['e', 'f', 's'])};` : ''
    const initialises = choices.below(4) === 0 ? ' dont_initialize();' : ''
    return {
      method: `  void run${n}() { ${isMethod ? '' : 'int r = 0; '}${body(place, 4)}${last} }`,
      created: `    ${isMethod ? 'SC_METHOD' : 'SC_THREAD'}(run${n});${sensitivity}${initialises}`,
    }
  })
  return [
    '#include <systemc.h>',
    'SC_MODULE(top) {',
    '  sc_event e, f;',
    '  sc_signal<int> s;',
    '  int x, y;',
    ...processes.map(({ method }) => method),
    '  SC_CTOR(top) : x(0), y(0) {',
    ...processes.map(({ created }) => created),
    '  }',
    '};',
    'int sc_main(int argc, char *argv[]) {',
    '  top t("t");',
    choices.below(3) === 0 ? `  sc_start(${1 + choices.below(3)}, SC_NS);` : '  sc_start();',
    ...(choices.below(4) === 0 ? ['  sc_start(1, SC_NS);'] : []),
    '  return 0;',
    '}',
    '',
  ].join('\n')
}

export const generateSystemC = (seed: number): string => systemCModel(seededChoices(seed))
