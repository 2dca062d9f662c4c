// heddle replay as a user runs it: what verify wrote in each form executes again; what it did not write is refused.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'heddle-replay-'))

const heddle = (...args: readonly string[]): { status: number | null; out: string; err: string } => {
  const { status, stdout, stderr } = spawnSync('node', ['dist/cli/main.js', ...args], { cwd: root, encoding: 'utf8' })
  return { status, out: stdout, err: stderr }
}

const written = (name: string, program: string, ...options: readonly string[]): string => {
  const path = join(folder, name)
  if (name.endsWith('.json')) writeFileSync(path, heddle('verify', program, '--json', ...options).out)
  else heddle('verify', program, '--witness', path, ...options)
  return path
}

const hasCompiler = spawnSync('cc', ['--version']).status === 0

describe.skipIf(!hasCompiler)('replay --native: the program itself fails on real threads', () => {
  test.each([
    ['examples/lost_update.c', 'assert', 'failed its assertion: balance == 200, examples/lost_update.c:24'],
    ['examples/struct_field_race.c', 'no-data-race', 'both threads stand before their accesses'],
    ['examples/dining_philosophers_deadlock.c', 'no-deadlock', 'every thread is blocked'],
  ])('%s, %s', (example, property, message) => {
    const { status, out } = heddle('replay', '--native', example, written('n.json', example, '--property', property))
    expect(out).toContain(message)
    expect([status, out.trimEnd().split('\n').at(-1)]).toEqual([1, 'REPLAYED NATIVELY'])
  })
})

// Each needs one order, one choice or one input of many: chance would not find it.
const INPUTS = `#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
double __VERIFIER_nondet_double(void);
int sum[2], turn;
void *f(void *p) { int a = __VERIFIER_nondet_int(); int b = __VERIFIER_nondet_int(); sum[(long)p] = a - b; return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, f, (void *)0);
  pthread_create(&t, 0, f, (void *)1);
  pthread_join(s, 0);
  pthread_join(t, 0);
  double x = __VERIFIER_nondet_double();
  assert(!(sum[0] == 123456 && sum[1] == -777 && x > 1.5 && x < 1.625));
  return 0;
}
`
const SIGNALS = `#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int waiting, signals, order;
void *f(void *p) {
  pthread_mutex_lock(&m);
  waiting++;
  pthread_cond_wait(&c, &m);
  order = order * 10 + (int)(long)p + 10 * (signals == 0);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, f, (void *)(i + 1));
  pthread_mutex_lock(&m);
  int all = waiting == 3;
  if (all) { signals = 1; pthread_cond_signal(&c); }
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  if (all && order) pthread_cond_broadcast(&c);
  assert(order != 3);
  pthread_mutex_unlock(&m);
  return 0;
}
`
const FREED = `#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
int *p;
atomic_int go, seen;
void *f(void *q) { if (atomic_load(&go)) { int *mine = p; atomic_store(&seen, 1); if (mine) *mine = 1; } return q; }
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, f, 0);
  atomic_store(&go, 1);
  if (atomic_load(&seen)) free(p);
  pthread_join(t, 0);
  return 0;
}
`
const WEAK = `#include <stdatomic.h>
#include <assert.h>
atomic_int x;
int main(void) {
  int e = 0, failures = 0;
  while (!atomic_compare_exchange_weak(&x, &e, 1)) failures++;
  assert(failures != 2);
  return 0;
}
`
describe.skipIf(!hasCompiler)('replay --native: inputs, choices and places come from the trace', () => {
  test.each([
    ['inputs of each thread', INPUTS, 'assert', 'failed its assertion'],
    ['which waiter a signal wakes', SIGNALS, 'assert', 'order != 3'],
    ['an access to freed memory', FREED, 'valid-memsafety', 'write to freed memory'],
    ['an exchange that fails for no reason', WEAK, 'assert', 'failures != 2'],
  ])('%s', (name, text, property, message) => {
    const program = join(folder, `${name.replaceAll(' ', '-')}.c`)
    writeFileSync(program, text)
    const report = written(`${name.replaceAll(' ', '-')}.json`, program, '--property', property)
    const { status, out } = heddle('replay', '--native', program, report)
    expect(out).toContain(message)
    expect(out).toContain('in the order of the trace')
    expect([status, out.trimEnd().split('\n').at(-1)]).toEqual([1, 'REPLAYED NATIVELY'])
  })
})

describe('replay', () => {
  test.each(['a.json', 'a.yml', 'a.graphml'])('%s: every step with its values, status 1', (name) => {
    const { status, out } = heddle('replay', 'examples/lost_update.c', written(name, 'examples/lost_update.c'))
    expect(status).toBe(1)
    expect(out.trimEnd().split('\n').at(-1)).toBe('REPLAYED: assert is violated')
    // Both threads read 0 and write 100; main reads 100.
    expect(out.match(/int tmp = balance;\s+reads balance: 0/g)).toHaveLength(2)
    expect(out.match(/balance = tmp \+ 100;\s+balance = 100/g)).toHaveLength(2)
    expect(out).toMatch(/assert\(balance == 200\);\s+reads balance: 100/)
  })
  test('a deadlock, and the property comes from the witness', () => {
    const example = 'examples/dining_philosophers_deadlock.c'
    const { status, out } = heddle('replay', example, written('b.yml', example, '--property', 'no-deadlock'))
    expect([status, out.trimEnd().split('\n').at(-1)]).toEqual([1, 'REPLAYED: no-deadlock is violated'])
    expect(out).toContain('waits')
  })
  test('a schedule that another program has is not an execution of this one', () => {
    const path = written('c.json', 'examples/lost_update.c')
    const report = JSON.parse(readFileSync(path, 'utf8'))
    report.trace.schedule.steps = report.trace.schedule.steps.filter((s: { thread: number }) => s.thread !== 2)
    writeFileSync(path, JSON.stringify(report))
    const { status, out } = heddle('replay', 'examples/lost_update.c', path)
    expect(status).toBe(3)
    expect(out).toContain('NOT REPLAYED')
  })
  test.each([
    ['nothing', '', 'no schedule'],
    ['a proof', '{"verdict": "true"}', 'no execution to replay'],
  ])('%s is wrong input: status 2', (_, text, message) => {
    const path = join(folder, 'wrong.json')
    writeFileSync(path, text)
    const { status, err } = heddle('replay', 'examples/lost_update.c', path)
    expect(status).toBe(2)
    expect(err).toContain(message)
  })
})
