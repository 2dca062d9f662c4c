// Compiled exploration of six dining philosophers, two rounds each, written in C: transitions a second and bytes a
// stored state without reduction, beside the targets of docs/architecture; then what the reductions leave.
// Run: node scripts/run.mjs bench/core/explore.ts
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Exploration, explore } from '../../src/engine/explicit/explore.js'
import { exploreOptions, preparedFor } from '../../src/engine/explicit/index.js'
import { compile, loadParser } from '../../src/frontend/c/index.js'
import { stopwatch } from '../../test/stopwatch.js'

const TARGETS = { transitionsPerSecond: 3_000_000, bytesPerState: 30 } as const

const philosophers = (count: number, rounds: number): string => `
  #include <pthread.h>
  pthread_mutex_t forks[${count}];
  void *philosopher(void *argument) {
    long i = (long)argument;
    for (int round = 0; round < ${rounds}; round++) {
      pthread_mutex_lock(&forks[i]);
      pthread_mutex_lock(&forks[(i + 1) % ${count}]);
      pthread_mutex_unlock(&forks[(i + 1) % ${count}]);
      pthread_mutex_unlock(&forks[i]);
    }
    return 0;
  }
  int main(void) {
    pthread_t threads[${count}];
    for (long i = 0; i < ${count}; i++) pthread_create(&threads[i], 0, philosopher, (void *)i);
    return 0;
  }`

const require = createRequire(import.meta.url)
const parser = await loadParser({
  runtime: readFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm')),
  grammar: readFileSync(require.resolve('tree-sitter-c/tree-sitter-c.wasm')),
})
const { program: raw } = compile([{ name: 'philosophers.c', text: philosophers(6, 2) }], { dataModel: 'lp64' }, parser)
const program = preparedFor(raw, 'assert')
const env = { stopped: () => undefined, progress: () => {} }

/** Processor time, which neighbours on the machine disturb less than the clock. */
const measured = (por: 'none' | 'persistent' | 'sleep' | 'both'): { result: Exploration; seconds: number } => {
  const used = stopwatch()
  const result = explore(program, exploreOptions(program, 'assert', por), env)
  return { result, seconds: used() }
}

const number = (value: number): string => Math.round(value).toLocaleString('en').padStart(12)

const { result, seconds } = measured('none')
console.log(
  `transitions a second ${number(result.transitions / seconds)}   target ${number(TARGETS.transitionsPerSecond)}`,
)
console.log(`bytes a state        ${number(result.bytesPerState)}   target ${number(TARGETS.bytesPerState)}`)
console.log(`\n${'por'.padEnd(12)}${'states'.padStart(12)}${'transitions'.padStart(13)}${'seconds'.padStart(10)}`)
const row = (por: string, { states, transitions }: Exploration, time: number): void =>
  console.log(`${por.padEnd(12)}${number(states)} ${number(transitions)}${time.toFixed(2).padStart(10)}`)
row('none', result, seconds)
for (const por of ['sleep', 'persistent', 'both'] as const) {
  const reduced = measured(por)
  row(por, reduced.result, reduced.seconds)
}
