// Generators of the SystemC models that esst.txt, 6.4 speaks of (token ring, producer and consumer, transmitter), written
// anew: the originals are not public. The paper prints no figures of theirs.
import type { Benchmark } from './fairthreads.js'

interface Process {
  readonly name: string
  readonly body: readonly string[]
}

interface Module {
  readonly events: readonly string[]
  readonly data: readonly string[]
  readonly processes: readonly Process[]
  /** First values. */
  readonly initial: readonly string[]
}

const model = ({ events, data, processes, initial }: Module): string =>
  [
    '#include <systemc.h>',
    '#include <cassert>',
    'extern int __VERIFIER_nondet_int(void);',
    '',
    'SC_MODULE(top) {',
    `  sc_event ${events.join(', ')};`,
    ...data.map((each) => `  ${each}`),
    ...processes.flatMap(({ name, body }) => ['', `  void ${name}() {`, ...body.map((line) => `    ${line}`), '  }']),
    '',
    `  SC_CTOR(top)${initial.length > 0 ? ` : ${initial.join(', ')}` : ''} {`,
    ...processes.map(({ name }) => `    SC_THREAD(${name});`),
    '  }',
    '};',
    '',
    'int sc_main(int argc, char *argv[]) {',
    '  top t("t");',
    '  sc_start();',
    '  return 0;',
    '}',
    '',
  ].join('\n')

const benchmark = (name: string, safe: boolean, module: Module): Benchmark => ({
  name,
  file: `${name}.cpp`,
  safe,
  text: model(module),
})

const numbers = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i + 1)

/** A master sends a token around n nodes, each of which adds one, one delta cycle after the other. */
export const systemCTokenRing = (n: number, isBuggy = false): Benchmark => {
  const master: Process = {
    name: 'master',
    body: [
      'int local;',
      'while (1) {',
      '  token = __VERIFIER_nondet_int();',
      '  local = token;',
      '  e1.notify(SC_ZERO_TIME);',
      '  wait(done);',
      `  assert(token == local + ${isBuggy ? n + 1 : n});`,
      '}',
    ],
  }
  const nodes = numbers(n).map(
    (i): Process => ({
      name: `node${i}`,
      body: [
        'while (1) {',
        `  wait(e${i});`,
        '  token = token + 1;',
        `  ${i < n ? `e${i + 1}` : 'done'}.notify(SC_ZERO_TIME);`,
        '}',
      ],
    }),
  )
  return benchmark(`token-ring${isBuggy ? '-bug' : ''}.${n}`, !isBuggy, {
    events: ['done', ...numbers(n).map((i) => `e${i}`)],
    data: ['int token;'],
    processes: [master, ...nodes],
    initial: ['token(0)'],
  })
}

/** A producer and a consumer with a buffer of one place; in the second version they take turns by time as well. */
export const systemCProducerConsumer = (version: 1 | 2): Benchmark => {
  const producer: Process = {
    name: 'producer',
    body: [
      'while (1) {',
      '  while (full)',
      '    wait(read);',
      '  buffer = __VERIFIER_nondet_int();',
      '  produced = buffer;',
      '  full = true;',
      `  written.notify(${version === 1 ? 'SC_ZERO_TIME' : ''});`,
      ...(version === 2 ? ['  wait(1, SC_NS);'] : []),
      '}',
    ],
  }
  const consumer: Process = {
    name: 'consumer',
    body: [
      'int consumed;',
      'while (1) {',
      '  while (!full)',
      '    wait(written);',
      '  consumed = buffer;',
      '  assert(consumed == produced);',
      '  full = false;',
      '  read.notify(SC_ZERO_TIME);',
      ...(version === 2 ? ['  wait(2, SC_NS);'] : []),
      '}',
    ],
  }
  return benchmark(`pc-sfifo${version}`, true, {
    events: ['read', 'written'],
    data: ['int buffer, produced;', 'bool full;'],
    processes: [producer, consumer],
    initial: ['full(false)'],
  })
}

/** A signal goes through n stages, each of which waits for the one before it; the last finds that it arrived. */
export const systemCTransmitter = (n: number): Benchmark => {
  const sender: Process = { name: 'sender', body: ['wait(SC_ZERO_TIME);', 'e1.notify();', 'wait(back);', 'assert(0);'] }
  const stages = numbers(n).map(
    (i): Process => ({
      name: `stage${i}`,
      body: ['while (1) {', `  wait(e${i});`, `  ${i < n ? `e${i + 1}` : 'back'}.notify(SC_ZERO_TIME);`, '}'],
    }),
  )
  return benchmark(`transmitter.${n}`, false, {
    events: ['back', ...numbers(n).map((i) => `e${i}`)],
    data: [],
    processes: [sender, ...stages],
    initial: [],
  })
}

export const systemCBenchmarks = (largest = 10): readonly Benchmark[] => [
  systemCProducerConsumer(1),
  systemCProducerConsumer(2),
  ...[3, 5, largest].map((n) => systemCTokenRing(n)),
  ...[3, 5, largest].map((n) => systemCTokenRing(n, true)),
  ...[3, 5, largest].map((n) => systemCTransmitter(n)),
]
