// Random FairThreads programs, small enough for brute force: threads that await and generate events, cooperate, join,
// and change shared variables whose values stay few; some arguments of primitives are computed.
import { type Choices, seededChoices } from '../../generate/choices.js'

interface Place {
  readonly choices: Choices
  readonly thread: number
  readonly threads: number
  /** Nested loops and branches that may still be opened. */
  readonly depth: number
}

const SHARED = ['x', 'y']
const EVENTS = ['e', 'f']

const condition = ({ choices }: Place): string => {
  const left = choices.pick([...SHARED, 'r'])
  return `${left} ${choices.pick(['==', '!=', '<'])} ${choices.below(3)}`
}

const assignment = ({ choices }: Place): string => {
  const target = choices.pick([...SHARED, 'r'])
  switch (choices.below(5)) {
    case 0:
      return `${target} = ${choices.below(3)};`
    case 1:
      return `${target} = ${choices.pick(SHARED)};`
    case 2:
      return `${target} = ${choices.pick(['x', 'y', 'r'])} == ${choices.below(2)};`
    case 3:
      return `${target} = 1 - r;`
    default:
      return `if (${target} < 2) ${target} = ${target} + 1;`
  }
}

const scheduling = ({ choices, thread, threads }: Place): string => {
  const event = choices.pick(EVENTS)
  switch (choices.below(10)) {
    case 8:
      return `ft_thread_cooperate_n(${choices.pick(SHARED)});`
    case 9:
      return `${choices.pick(['ft_thread_await', 'ft_thread_generate'])}(${choices.pick(SHARED)} == 1 ? e : f);`
    case 0:
    case 1:
      return `ft_thread_generate(${event});`
    case 2:
    case 3:
      return `ft_thread_await(${event});`
    case 4:
      return 'ft_thread_cooperate();'
    case 5:
      return `ft_thread_cooperate_n(${1 + choices.below(2)});`
    case 6:
      return `r = ft_thread_await_n(${event}, ${1 + choices.below(2)}) == ETIMEOUT;`
    default:
      return thread > 1 ? `ft_thread_join(t${1 + choices.below(thread - 1)});` : `r = ${threads};`
  }
}

const statement = (place: Place): string => {
  const { choices, depth } = place
  switch (choices.below(depth > 0 ? 9 : 7)) {
    case 0:
    case 1:
    case 2:
      return assignment(place)
    case 3:
    case 4:
    case 5:
      return scheduling(place)
    case 6:
      return choices.below(3) === 0 ? `assert(${condition(place)});` : assignment(place)
    case 7:
      return `if (${choices.below(3) === 0 ? '__VERIFIER_nondet_bool()' : condition(place)}) { ${body({ ...place, depth: depth - 1 }, 2)} }`
    default: {
      const yields = choices.pick(['ft_thread_cooperate();', `ft_thread_await(${choices.pick(EVENTS)});`])
      return `while (${choices.below(3) === 0 ? '1' : condition(place)}) { ${body({ ...place, depth: depth - 1 }, 2)} ${yields} }`
    }
  }
}

const body = (place: Place, most: number): string =>
  Array.from({ length: 1 + place.choices.below(most) }, () => statement(place)).join(' ')

const fairThreadsProgram = (choices: Choices): string => {
  const threads = 2 + choices.below(2)
  const numbers = Array.from({ length: threads }, (_, i) => i + 1)
  const functions = numbers.map((thread) => {
    const place: Place = { choices, thread, threads, depth: 1 }
    return `void run${thread}(void *a) { int r = 0; ${body(place, 4)} ${choices.below(2) === 0 ? `assert(${condition(place)});` : ''} }`
  })
  return [
    '#include <fthread.h>',
    '#include <assert.h>',
    'extern _Bool __VERIFIER_nondet_bool(void);',
    'ft_event_t e, f;',
    `ft_thread_t ${numbers.map((n) => `t${n}`).join(', ')};`,
    'int x, y;',
    ...functions,
    'int main(void) {',
    '  ft_scheduler_t s = ft_scheduler_create();',
    '  e = ft_event_create(s); f = ft_event_create(s);',
    ...numbers.map((n) => `  t${n} = ft_thread_create(s, run${n}, 0, 0);`),
    choices.below(4) === 0 ? '  ft_scheduler_broadcast(e);' : '',
    '  ft_scheduler_start(s);',
    choices.below(4) === 0 ? '  ft_scheduler_broadcast(f);' : '',
    '  ft_exit();',
    '  return 0;',
    '}',
    '',
  ].join('\n')
}

export const generateFairThreads = (seed: number): string => fairThreadsProgram(seededChoices(seed))
