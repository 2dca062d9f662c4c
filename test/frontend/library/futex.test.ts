// futex(2) by its system call: to wait looks at the word and sleeps in one step, to wake lets go as many as it is told.
import { expect, test } from 'vitest'
import { explicitEngine } from '../../../src/engine/explicit/index.js'
import { oracle } from '../../../src/semantics/index.js'
import { compileProgram } from '../../generate/harness.js'
import { testParser } from '../parse/load.js'

const parser = await testParser()

const HEADERS = `
#include <assert.h>
#include <errno.h>
#include <err.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
`
const env = { stopped: () => undefined, progress: () => {} }
const verdict = (text: string, property: 'assert' | 'no-deadlock'): string =>
  oracle(compileProgram(parser, HEADERS + text), property).verdict

/** One thread waits for what another one sets. */
const handOver = (wait: string, wake: string): string => `
  atomic_int ready; int data;
  void *set(void *arg) { data = 1; atomic_store(&ready, 1); ${wake} return 0; }
  int main(void) {
    pthread_t t; pthread_create(&t, 0, set, 0);
    ${wait} (atomic_load(&ready) == 0) syscall(SYS_futex, &ready, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
    assert(data == 1);
    pthread_join(t, 0);
    return 0;
  }`
const WAKE_ONE = 'syscall(SYS_futex, &ready, FUTEX_WAKE, 1);'

test('who waits in a loop and is woken goes on with what was set', () => {
  expect(verdict(handOver('while', WAKE_ONE), 'assert')).toBe('true')
  expect(verdict(handOver('while', WAKE_ONE), 'no-deadlock')).toBe('true')
})

test('who waits once may wake by itself', () => {
  expect(verdict(handOver('if', WAKE_ONE), 'assert')).toBe('false')
})

test('who is not woken waits for ever, unless the time is over', () => {
  expect(verdict(handOver('while', ''), 'no-deadlock')).toBe('false')
  const timed = handOver('while', '').replace('0, 0, 0, 0)', '0, &until, 0, 0)')
  expect(verdict(`struct timespec until;\n${timed}`, 'no-deadlock')).toBe('true')
})

test('a word that has changed already is not waited on', () => {
  const text = `int word = 1;
    int main(void) {
      assert(syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0) == -1 && errno == EAGAIN);
      assert(syscall(SYS_futex, &word, FUTEX_WAKE, 1) == 0);
      return 0;
    }`
  expect(verdict(text, 'assert')).toBe('true')
})

test('to wake one of two leaves the other one waiting', () => {
  const waiting = (count: string): string => `atomic_int go;
    void *wait(void *arg) { while (!atomic_load(&go)) syscall(SYS_futex, &go, FUTEX_WAIT, 0, 0, 0, 0); return 0; }
    int main(void) {
      pthread_t a, b; pthread_create(&a, 0, wait, 0); pthread_create(&b, 0, wait, 0);
      atomic_store(&go, 1);
      syscall(SYS_futex, &go, FUTEX_WAKE, ${count});
      pthread_join(a, 0); pthread_join(b, 0);
      return 0;
    }`
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const explored = (count: string): string => {
    const raw = compileProgram(parser, HEADERS + waiting(count))
    return explicitEngine.verify({ raw, property: 'no-deadlock', settings }, {}, env).verdict
  }
  expect(explored('1')).toBe('false')
  expect(explored('2')).toBe('true')
})

test('err and errx end the program', () => {
  const text = 'int main(void) { warnx("%d", 1); errx(1, "no %s", "way"); assert(0); return 0; }'
  expect(verdict(text, 'assert')).toBe('true')
})
