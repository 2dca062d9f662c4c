// A FairThreads program as a sequential one, as in the first approach of esst.txt, 6.1: threads are functions that
// return where they would yield and go on at a label when they are called again; the scheduler is written in C beside
// them. It chooses its order anew in every pass, like `--order anew`.
import type { Benchmark, Parts, Thread } from './fairthreads.js'

/** States of a thread; an awaited event e is AWAIT + its number. */
const STATES = ['RUNNABLE', 'COOPERATE', 'ENDED', 'AWAIT']

export const sequentialised = ({ name, safe, parts }: Benchmark): Benchmark => ({
  name: `${name}-sequential`,
  file: `${name}-sequential.c`,
  safe,
  text: textOf(parts!),
})

const textOf = ({ globals, events, threads }: Parts): string => {
  const translated = threads.map((thread) => functionOf(thread, events, threads))
  return [
    '#include <assert.h>',
    'extern int __VERIFIER_nondet_int(void);',
    `enum { ${STATES.join(', ')} };`,
    ...globals,
    ...events.map((event) => `_Bool generated_${event};`),
    ...threads.map(({ name }) => `int state_${name}, place_${name}; _Bool done_${name};`),
    ...translated.flat(),
    '',
    'int main(void)',
    '{',
    '  while (1) {',
    `    while (${threads.map(({ name }) => `state_${name} == RUNNABLE`).join(' || ')}) {`,
    // A pass: everybody who is runnable, once, in any order.
    ...threads.map(({ name }) => `      done_${name} = 0;`),
    `      while (${threads.map(({ name }) => `(state_${name} == RUNNABLE && !done_${name})`).join(' || ')}) {`,
    '        int choice = __VERIFIER_nondet_int();',
    ...threads.map(
      ({ name }, i) =>
        `        ${i > 0 ? 'else ' : ''}if (choice == ${i} && state_${name} == RUNNABLE && !done_${name}) { done_${name} = 1; ${name}(); }`,
    ),
    '      }',
    '    }',
    // The end of the instant.
    ...events.map((event) => `    generated_${event} = 0;`),
    ...threads.map(({ name }) => `    if (state_${name} == COOPERATE) state_${name} = RUNNABLE;`),
    `    if (${threads.map(({ name }) => `state_${name} != RUNNABLE`).join(' && ')})`,
    '      return 0;',
    '  }',
    '}',
    '',
  ].join('\n')
}

const functionOf = (
  { name, body }: Thread,
  events: readonly string[],
  threads: readonly Thread[],
): readonly string[] => {
  // Locals live from one call to the next.
  const locals = body.filter((line) => /^int \w+;$/.test(line))
  const lines: string[] = []
  let places = 0
  const yieldAs = (state: string): string => `place_${name} = ${++places}; state_${name} = ${state}; return;`
  for (const line of body) {
    if (locals.includes(line)) continue
    const call = /^(\s*)ft_thread_(\w+)\((\w*)\);$/.exec(line)
    if (!call) {
      lines.push(line)
      continue
    }
    const [, space, primitive, event] = call
    const awaited = `AWAIT + ${events.indexOf(event!)}`
    if (primitive === 'await')
      lines.push(`${space}{ if (!generated_${event}) { ${yieldAs(awaited)} } place${places}: ; }`)
    else if (primitive === 'cooperate') lines.push(`${space}{ ${yieldAs('COOPERATE')} place${places}: ; }`)
    else
      lines.push(
        `${space}{ generated_${event} = 1;${threads.map((t) => ` if (state_${t.name} == ${awaited}) state_${t.name} = RUNNABLE;`).join('')} }`,
      )
  }
  const places_ = Array.from({ length: places }, (_, i) => `  if (place_${name} == ${i + 1}) goto place${i + 1};`)
  return [
    '',
    ...locals,
    `void ${name}(void)`,
    '{',
    ...places_,
    ...lines.map((l) => `  ${l}`),
    `  state_${name} = ENDED;`,
    '}',
  ]
}
