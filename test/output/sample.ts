// Reports of small programs, made in this process: read by the front end, decided by brute force, told as for a user.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OutputContext } from '../../src/output/index.js'
import { isProperty } from '../../src/property/index.js'
import { loadProgram } from '../../src/run/program/load.js'
import { oracle } from '../../src/semantics/index.js'
import { type Report, type Result, reportOf, type TaskReport } from '../../src/verdict/index.js'
import type { Program } from '../../src/xcfa/index.js'

export interface Sample extends OutputContext {
  readonly raw: Program
  readonly path: string
}

export const sampleOf = async (text: string, property = 'assert', name = 'sample.c'): Promise<Sample> => {
  if (!isProperty(property)) throw new Error(property)
  const path = join(mkdtempSync(join(tmpdir(), 'heddle-output-')), name)
  writeFileSync(path, text)
  const task: TaskReport = {
    ...{ files: [path], dataModel: 'lp64', entry: 'main', defines: [], includeDirs: [] },
    ...{ spuriousWakeups: true, mallocMayFail: false },
  }
  const { program: raw } = await loadProgram({ ...task, property })
  const found = oracle(raw, property)
  if (found.verdict === 'unknown') throw new Error(found.reason)
  const common = { stats: { nodes: found.states }, assumptions: [] }
  const result: Result = found.trace
    ? { verdict: 'false', trace: found.trace, ...common }
    : {
        verdict: 'true',
        certificate: { kind: 'exploration', data: { states: found.states, transitions: 0, por: 'none' } },
        ...common,
      }
  const report: Report = reportOf(result, {
    ...{ raw, property, file: path, engine: 'explicit', options: {}, time_ms: 1 },
    ...{ memoryModel: 'sc', spuriousWakeups: true, mallocMayFail: false, notes: [] },
  })
  return {
    ...{ raw, path, report: { ...report, task }, task, version: '1.2.3' },
    sources: new Map([[path, text]]),
    hashes: new Map([[path, 'ab'.repeat(32)]]),
    creationTime: '2026-01-02T03:04:05Z',
    uuid: '01234567-89ab-4cde-8f01-23456789abcd',
  }
}

export const LOST_UPDATE = `#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int x;
int amount;
void *add(void *p) {
  int t = x;
  x = t + amount;
  return 0;
}
int main(void) {
  pthread_t a, b;
  _Bool n = __VERIFIER_nondet_bool();
  if (!n) return 0;
  amount = n;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2 && "a < b & c -- d");
  return 0;
}
`

export const RACE = `#include <pthread.h>
int x;
void *write(void *p) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, write, 0);
  return x;
}
`

export const PROOF = `#include <assert.h>
int main(void) {
  int x = 1;
  assert(x == 1);
  return 0;
}
`

/** A long execution, most of which repeats itself: ROUNDS is a number. */
export const LONG = `#include <pthread.h>
#include <assert.h>
int x, done;
void *count(void *p) {
  for (int i = 0; i < ROUNDS; i++) {
    x = x + 1;
  }
  done = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, count, 0);
  pthread_join(a, 0);
  assert(!done);
  return 0;
}
`

/** Five threads, main among them: four that wait for each other in a circle, and main for the first. */
export const PHILOSOPHERS = `#include <pthread.h>
pthread_mutex_t forks[4];
void *philosopher(void *left) {
  pthread_mutex_t *first = left;
  pthread_mutex_t *second = first == &forks[3] ? &forks[0] : first + 1;
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_mutex_init(&forks[i], 0);
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, philosopher, &forks[i]);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
`
