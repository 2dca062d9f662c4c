// Generators of the paper's FairThreads programs (esst.txt, 6.2), written anew from its description: the originals are
// not public. Parameters scale them; every program says by `safe` what brute reasoning says of it.

export interface Benchmark {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly safe: boolean
  /** Abstract states of Table 2: none, persistent, sleep, both; undefined is more than 1000 s. */
  readonly paper?: readonly (number | undefined)[]
  /** What a FairThreads program consists of. */
  readonly parts?: Parts
}

export interface Thread {
  readonly name: string
  readonly body: readonly string[]
}

export interface Parts {
  readonly globals: readonly string[]
  readonly events: readonly string[]
  readonly threads: readonly Thread[]
}

const program = ({ globals, events, threads }: Parts): string =>
  [
    '#include <fthread.h>',
    '#include <assert.h>',
    'extern int __VERIFIER_nondet_int(void);',
    ...(events.length > 0 ? [`ft_event_t ${events.join(', ')};`] : []),
    ...globals,
    ...threads.flatMap(({ name, body }) => [
      '',
      `void ${name}(void *argument)`,
      '{',
      ...body.map((l) => `  ${l}`),
      '}',
    ]),
    '',
    'int main(void)',
    '{',
    '  ft_scheduler_t scheduler = ft_scheduler_create();',
    ...events.map((event) => `  ${event} = ft_event_create(scheduler);`),
    ...threads.map(({ name }) => `  ft_thread_create(scheduler, ${name}, 0, 0);`),
    '  ft_scheduler_start(scheduler);',
    '  ft_exit();',
    '  return 0;',
    '}',
    '',
  ].join('\n')

const benchmark = (
  name: string,
  safe: boolean,
  parts: Parts,
  paper: readonly (number | undefined)[] | undefined,
): Benchmark => ({ name, file: `${name}.c`, safe, text: program(parts), parts, ...(paper ? { paper } : {}) })

/** A master sends a token around n nodes, each of which adds one. */
export const tokenRing = (n: number, isBuggy = false): Benchmark => {
  const events = ['done', ...Array.from({ length: n }, (_, i) => `e${i + 1}`)]
  const master: Thread = {
    name: 'master',
    body: [
      'int local;',
      'while (1) {',
      '  token = __VERIFIER_nondet_int();',
      '  local = token;',
      '  ft_thread_generate(e1);',
      '  ft_thread_await(done);',
      `  assert(token == local + ${isBuggy ? n + 1 : n});`,
      '  ft_thread_cooperate();',
      '}',
    ],
  }
  const nodes = Array.from(
    { length: n },
    (_, i): Thread => ({
      name: `node${i + 1}`,
      body: [
        'while (1) {',
        `  ft_thread_await(e${i + 1});`,
        '  token = token + 1;',
        `  ft_thread_generate(${i + 1 < n ? `e${i + 2}` : 'done'});`,
        '  ft_thread_cooperate();',
        '}',
      ],
    }),
  )
  const name = `ft-token-ring${isBuggy ? '-bug' : ''}.${n}`
  return benchmark(
    name,
    !isBuggy,
    { globals: ['int token;'], events, threads: [master, ...nodes] },
    (isBuggy ? BUGGY_RINGS : RINGS)[n],
  )
}

const RINGS: Readonly<Record<number, readonly (number | undefined)[]>> = {
  3: [1304, 575, 228, 180],
  4: [7464, 2483, 375, 266],
  5: [50364, 7880, 699, 395],
  6: [undefined, 32578, 1239, 518],
  7: [undefined, undefined, 2195, 963],
  8: [undefined, undefined, 4290, 1088],
  9: [undefined, undefined, 8863, 2628],
  10: [undefined, undefined, 16109, 3292],
}

const BUGGY_RINGS: Readonly<Record<number, readonly (number | undefined)[]>> = {
  3: [496, 223, 113, 89],
  4: [2698, 914, 179, 125],
  5: [17428, 2801, 328, 181],
  6: [undefined, 11302, 611, 251],
  7: [undefined, undefined, 1064, 457],
  8: [undefined, undefined, 2133, 533],
  9: [undefined, undefined, 4310, 1281],
  10: [undefined, undefined, 8039, 1632],
}

/** A producer and a consumer with a buffer of one place; the second version passes it through a stage in between. */
export const producerConsumer = (stages: 1 | 2): Benchmark => {
  const producer: Thread = {
    name: 'producer',
    body: [
      'while (1) {',
      '  while (full1)',
      '    ft_thread_await(read1);',
      '  buffer1 = __VERIFIER_nondet_int();',
      '  produced = buffer1;',
      '  full1 = 1;',
      '  ft_thread_generate(write1);',
      '  ft_thread_cooperate();',
      '}',
    ],
  }
  const stage: Thread = {
    name: 'stage',
    body: [
      'while (1) {',
      '  while (!full1)',
      '    ft_thread_await(write1);',
      '  while (full2)',
      '    ft_thread_await(read2);',
      '  buffer2 = buffer1;',
      '  full2 = 1;',
      '  ft_thread_generate(write2);',
      '  ft_thread_cooperate();',
      '}',
    ],
  }
  const consumer: Thread = {
    name: 'consumer',
    body: [
      'int consumed;',
      'while (1) {',
      `  while (!full${stages})`,
      `    ft_thread_await(write${stages});`,
      `  consumed = buffer${stages};`,
      '  assert(consumed == produced);',
      `  full${stages} = 0;`,
      ...(stages === 2 ? ['  full1 = 0;', '  ft_thread_generate(read1);'] : []),
      `  ft_thread_generate(read${stages});`,
      '  ft_thread_cooperate();',
      '}',
    ],
  }
  const name = `ft-pc-sfifo${stages}`
  const numbers = stages === 1 ? [1] : [1, 2]
  const globals = [...numbers.flatMap((i) => [`int buffer${i};`, `int full${i};`]), 'int produced;']
  const threads = stages === 1 ? [producer, consumer] : [producer, stage, consumer]
  const events = numbers.flatMap((i) => [`write${i}`, `read${i}`])
  const paper = stages === 1 ? [180, 180, 180, 180] : [540, 287, 310, 287]
  return benchmark(name, true, { globals, events, threads }, paper)
}

/** One thread multiplies while another counts down; a wrong meeting of the two is a failed assertion. */
export const factorial = (variant: 'fact1' | 'fact1-bug' | 'fact1-mod' | 'fact2'): Benchmark => {
  const paper = { fact1: 66, 'fact1-bug': 49, 'fact1-mod': 269, fact2: 49 }[variant]
  const counts = variant === 'fact1-mod' ? 4 : 2
  const request = [
    'while (n > 0) {',
    '  ft_thread_generate(ask);',
    '  ft_thread_await(answer);',
    '  n = n - 1;',
    '  ft_thread_cooperate();',
    '}',
  ]
  const serve = [
    'while (n > 0) {',
    '  ft_thread_await(ask);',
    '  served = served + 1;',
    '  ft_thread_generate(answer);',
    '  ft_thread_cooperate();',
    '}',
  ]
  const check = variant === 'fact1-bug' ? `served < ${counts}` : `served == ${counts}`
  const threads: readonly Thread[] =
    variant === 'fact2'
      ? [
          { name: 'left', body: ['ft_thread_generate(ask);', 'ft_thread_await(answer);', 'ft_thread_cooperate();'] },
          { name: 'right', body: ['ft_thread_await(ask);', 'ft_thread_generate(answer);', 'ft_thread_cooperate();'] },
          // The answer of the first instant is forgotten in the second: nobody comes here.
          { name: 'late', body: ['ft_thread_cooperate();', 'ft_thread_await(answer);', 'assert(0);'] },
        ]
      : [
          { name: 'client', body: [...request, `assert(${check});`] },
          { name: 'server', body: serve },
        ]
  const globals = variant === 'fact2' ? [] : [`int n = ${counts};`, 'int served;']
  const parts = { globals, events: ['ask', 'answer'], threads }
  const states = variant === 'fact2' ? [49, 49, 29, 29] : [paper, paper, paper, paper]
  return benchmark(variant, variant !== 'fact1-bug', parts, states)
}

/** Awaits each event in turn, and does its work when it is there. */
const server = (name: string, ...steps: readonly (readonly [string, readonly string[]])[]): Thread => ({
  name,
  body: [
    'while (1) {',
    ...steps.flatMap(([event, work]) => [`  ft_thread_await(${event});`, ...work.map((line) => `  ${line}`)]),
    '  ft_thread_cooperate();',
    '}',
  ],
})

/**
 * A five-speed gearbox with a dry clutch, as tasks of equal rank: lever, controller, clutch, synchroniser, selector,
 * engine, fuel and display. The controller opens the clutch, shifts through neutral, and closes it.
 */
export const gearBox = (): Benchmark => {
  const lever: Thread = {
    name: 'lever',
    body: [
      'int choice;',
      'while (1) {',
      '  choice = __VERIFIER_nondet_int();',
      '  if (choice >= 0 && choice <= 5) {',
      '    wanted = choice;',
      '    ft_thread_generate(request);',
      '    ft_thread_await(ready);',
      '    assert(gear == wanted);',
      '    assert(engaged == 1);',
      '  }',
      '  ft_thread_cooperate();',
      '}',
    ],
  }
  const controller: Thread = {
    name: 'controller',
    body: [
      'while (1) {',
      '  ft_thread_await(request);',
      '  if (wanted != gear) {',
      '    ft_thread_generate(open);',
      '    ft_thread_await(opened);',
      '    ft_thread_generate(neutral);',
      '    ft_thread_await(neutralised);',
      '    ft_thread_generate(shift);',
      '    ft_thread_await(shifted);',
      '    ft_thread_generate(close);',
      '    ft_thread_await(closed);',
      '  }',
      '  ft_thread_generate(ready);',
      '  ft_thread_cooperate();',
      '}',
    ],
  }
  const clutch = server(
    'clutch',
    ['open', ['engaged = 0;', 'ft_thread_generate(opened);']],
    ['close', ['engaged = 1;', 'ft_thread_generate(closed);']],
  )
  const synchroniser = server('synchroniser', [
    'neutral',
    ['assert(engaged == 0);', 'gear = 0;', 'ft_thread_generate(neutralised);'],
  ])
  const selector = server('selector', [
    'shift',
    ['assert(engaged == 0);', 'assert(gear == 0);', 'gear = wanted;', 'ft_thread_generate(shifted);'],
  ])
  const engine: Thread = {
    name: 'engine',
    body: [
      'while (1) {',
      '  if (engaged)',
      '    load = 1;',
      '  else',
      '    load = 0;',
      '  ft_thread_cooperate();',
      '}',
    ],
  }
  const fuel = server('fuel', ['opened', ['throttle = 0;']], ['closed', ['throttle = 1;']])
  const display = server('display', ['shifted', ['shown = gear;']])
  const events = ['request', 'open', 'opened', 'neutral', 'neutralised', 'shift', 'shifted', 'close', 'closed', 'ready']
  const globals = ['int wanted, gear, load, shown;', 'int engaged = 1, throttle = 1;']
  const threads = [lever, controller, clutch, synchroniser, selector, engine, fuel, display]
  return benchmark('gear-box', true, { globals, events, threads }, [undefined, 204178, 60823, 58846])
}

export const fairThreadsBenchmarks = (largest = 10): readonly Benchmark[] => [
  factorial('fact1'),
  factorial('fact1-bug'),
  factorial('fact1-mod'),
  factorial('fact2'),
  gearBox(),
  producerConsumer(1),
  producerConsumer(2),
  ...Array.from({ length: largest - 2 }, (_, i) => tokenRing(i + 3)),
  ...Array.from({ length: largest - 2 }, (_, i) => tokenRing(i + 3, true)),
]
