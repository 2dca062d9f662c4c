import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECKS } from '../../src/native/index.js'
import { BASE, compiler, findIn, hasCompiler, hasCxx, SKIPPED, search, withProgram } from './harness.js'

const HEAD =
  '#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <semaphore.h>\n#include <unistd.h>\n'
const two = (first: string, second: string, globals = '', end = ''): string =>
  `${HEAD}${globals}
void *a(void *u) { ${first} return 0; }
void *b(void *u) { ${second} return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0);
  pthread_join(s, 0); pthread_join(t, 0); ${end} return 0; }\n`
const LOCKS = 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x, y;\n'
const LOCK = 'pthread_mutex_lock(&m);'
const UNLOCK = 'pthread_mutex_unlock(&m);'

describe.skipIf(!hasCompiler)(`the runtime${hasCompiler ? '' : ` (${SKIPPED})`}`, { timeout: 120_000 }, () => {
  it('compiles without a warning', () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-warnings-'))
    const flags = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Werror', '-c', 'src/native/runtime/heddle-runtime.c']
    const { status, stderr } = spawnSync(compiler, [...flags, '-o', join(folder, 'all.o')], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })

  const cases: readonly (readonly [string, string, string])[] = [
    ['a lost update', two('x++;', 'x++;', LOCKS, 'assert(x == 2);'), 'no-data-race'],
    [
      'an update under a lock',
      two(`${LOCK} x++; ${UNLOCK}`, `${LOCK} x++; ${UNLOCK}`, LOCKS, 'assert(x == 2);'),
      'nothing',
    ],
    [
      'locks in both orders',
      two(
        `${LOCK} pthread_mutex_lock(&n); pthread_mutex_unlock(&n); ${UNLOCK}`,
        `pthread_mutex_lock(&n); ${LOCK} ${UNLOCK} pthread_mutex_unlock(&n);`,
        LOCKS,
      ),
      'no-deadlock',
    ],
    [
      'a lost wake-up',
      two(
        `${LOCK} if (!x) pthread_cond_wait(&c, &m); ${UNLOCK}`,
        'pthread_cond_signal(&c);',
        `${LOCKS}pthread_cond_t c = PTHREAD_COND_INITIALIZER;`,
      ),
      'no-deadlock',
    ],
    ['a leak', two('', '', '', 'char *p = malloc(10); p[0] = 1; p = 0;'), 'leak'],
    [
      'a use after free',
      two(
        'sem_wait(&s1); if (p) *p = 1;',
        'free(p); sem_post(&s1);',
        'sem_t s1; int *p; __attribute__((constructor)) void i(void) { p = malloc(4); sem_init(&s1, 0, 0); }\n',
      ),
      'crash',
    ],
    ['a null pointer', two('if (x == 1) *q = 1;', 'x = 1;', '_Atomic int x; int *q;'), 'crash'],
    [
      'an ordering that relaxed atomics do not give',
      two(
        'd = 1; atomic_store_explicit(&f, 1, memory_order_relaxed);',
        'if (atomic_load_explicit(&f, memory_order_relaxed)) d = 2;',
        '#include <stdatomic.h>\nint d; atomic_int f;\n',
      ),
      'no-data-race',
    ],
    [
      'an ordering by release and acquire',
      two(
        'd = 1; atomic_store_explicit(&f, 1, memory_order_release);',
        'if (atomic_load_explicit(&f, memory_order_acquire)) d = 2;',
        '#include <stdatomic.h>\nint d; atomic_int f;\n',
      ),
      'nothing',
    ],
    [
      'an exchange that fails is no write',
      two('__sync_val_compare_and_swap(&x, 1, 2);', 'int r = x;', 'int x;'),
      'nothing',
    ],
    ['adjacent bytes', two('s.a = 1;', 's.b = 1;', 'struct { char a, b; } s;'), 'nothing'],
    [
      'a barrier',
      `${HEAD}pthread_barrier_t b; int x;\nvoid *t(void *u) { x = 1; pthread_barrier_wait(&b); return 0; }\nint main(void) { pthread_t h; pthread_barrier_init(&b, 0, 2); pthread_create(&h, 0, t, 0); pthread_barrier_wait(&b); assert(x == 1); pthread_join(h, 0); return 0; }\n`,
      'nothing',
    ],
    [
      'a byte behind the last block',
      `${HEAD}int main(void) { char *p = malloc(16); p[16] = 1; free(p); return 0; }\n`,
      'crash',
    ],
    ['a fork', `${HEAD}int main(void) { return fork(); }\n`, 'nothing: the program starts another process: fork'],
  ]
  it.each(cases)('%s', async (_, text, expected) => {
    expect(await findIn(text)).toBe(expected)
  })

  it('runs the orders of two writes to one place, and no more', async () => {
    const text = two('x = 1;', 'x = 2;', 'int x;')
    const { campaign } = await withProgram(text, (runner) =>
      search(runner, { strategy: 'systematic', findings: new Set(['assert']) }),
    )
    expect(campaign.exploration.isComplete).toBe(true)
    expect(campaign.exploration.distinct).toBe(2)
  })

  it('reaches what only one order of three threads shows', async () => {
    const text = `${HEAD}_Atomic int x, y;
void *a(void *u) { if (x == 1) y = 1; return 0; }
void *b(void *u) { x = 1; return 0; }
void *c(void *u) { if (y == 1) assert(0); return 0; }
int main(void) { pthread_t t[3]; pthread_create(t, 0, a, 0); pthread_create(t + 1, 0, b, 0); pthread_create(t + 2, 0, c, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }\n`
    expect(await findIn(text, { strategy: 'systematic' })).toBe('assert')
  })

  it.each(['random', 'pct', 'systematic'] as const)('%s schedules alone find a lost update', async (strategy) => {
    const text = two('int r = x; x = r + 1;', 'int r = x; x = r + 1;', 'int x;', 'assert(x == 2);')
    expect(await findIn(text, { strategy, findings: new Set(['assert']) })).toBe('assert')
  })

  it('spinning threads wait for the others', async () => {
    expect(
      await findIn(two('while (!x);', 'x = 1;', '_Atomic int x;'), { findings: new Set(['step-limit', 'assert']) }),
    ).toBe('nothing')
    expect(await findIn(two('while (!x);', '', '_Atomic int x;'), { findings: new Set(['step-limit']) })).toBe(
      'step-limit',
    )
  })

  it('of thousands of threads some begin, and those of every loop', async () => {
    const many = (
      first: string,
      second: string,
    ): string => `${HEAD}pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
void *one(void *u) { pthread_mutex_lock(&m); ${first} pthread_mutex_unlock(&m); free(u); return 0; }
void *two(void *u) { pthread_mutex_lock(&m); ${second} pthread_mutex_unlock(&m); free(u); return 0; }
int main(void) {
  static pthread_t t[6000];
  for (int i = 0; i < 3000; i++) pthread_create(&t[i], 0, one, malloc(4));
  for (int i = 3000; i < 6000; i++) pthread_create(&t[i], 0, two, malloc(4));
  for (int i = 0; i < 6000; i++) pthread_join(t[i], 0);
  return 0;
}\n`
    const options = { strategy: 'random', maxRuns: 620, isOver: () => false } as const
    expect(await findIn(many('x = 1;', 'assert(x == 0);'), options)).toBe('assert')
    // Who has not begun is neither stuck nor has lost what it was given.
    expect(await findIn(many('x = 1;', 'x = 2;'), options)).toBe('nothing')
  })

  it.each([
    ['one after the other', 1500, 'for (int i = 0; i < 1500; i++) START(i), JOIN(i);'],
    ['at a time', 700, 'for (int i = 0; i < 700; i++) START(i); for (int i = 0; i < 700; i++) JOIN(i);'],
  ])('a run has hundreds of threads, %s', async (_, count, body) => {
    const text = `${HEAD}#define START(i) pthread_create(&t[i], 0, add, 0)\n#define JOIN(i) pthread_join(t[i], 0)
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n; static pthread_t t[1500];
void *add(void *u) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return u; }
int main(void) { ${body} assert(n != ${count}); return 0; }\n`
    const bounds = { maxSteps: 50_000, maxThreads: 2000, runMs: 60_000, checks: CHECKS.races }
    expect((await withProgram(text, (runner) => runner.run({ ...BASE, ...bounds }))).outcome).toBe('assert')
  })

  it('a loop that asks for inputs until it likes one comes to its end', async () => {
    const text = `${HEAD}int __VERIFIER_nondet_int(void);
int main(void) { int i; do i = __VERIFIER_nondet_int(); while (i != 3); assert(0); return 0; }\n`
    const options = { strategy: 'systematic', openValues: [], maxRuns: 1, runMs: 2000 } as const
    expect(await findIn(text, options)).toBe('assert')
    const never = text.replace('i != 3', '1')
    expect(await findIn(never, { ...options, findings: new Set(['step-limit']), maxSteps: 5000 })).toBe('step-limit')
  })

  it('a run that is cut because the search is over says nothing', async () => {
    const text = `${HEAD}int main(void) { for (;;); }\n`
    const limit = { strategy: 'random', findings: new Set(['step-limit'] as const), maxRuns: 1 } as const
    expect(await findIn(text, { ...limit, runMs: 300 })).toBe('step-limit')
    const began = Date.now()
    expect(await findIn(text, { ...limit, runMs: 60_000, remainingMs: () => 300 })).toBe('nothing')
    expect(Date.now() - began).toBeLessThan(20_000)
  })

  it.skipIf(!hasCxx)('C++: a queue of std::mutex and std::condition_variable', async () => {
    const queue = (wait: string): string => `#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m; std::condition_variable c; bool ready;
int main() { std::thread t([] { std::unique_lock<std::mutex> l(m); ${wait} });
  { std::lock_guard<std::mutex> l(m); ready = true; } c.notify_one(); t.join(); }\n`
    expect(await findIn(queue('c.wait(l, [] { return ready; });'), {}, 'q.cpp')).toBe('nothing')
    expect(await findIn(queue('c.wait(l);'), {}, 'q.cpp')).toBe('no-deadlock')
  })
})

it('tests of the runtime are not skipped where there is a compiler', () => {
  expect(hasCompiler || spawnSync('sh', ['-c', 'command -v cc gcc clang']).status !== 0).toBe(true)
})
