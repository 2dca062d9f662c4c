// heddle harness: a client that compiles, and that tells right libraries from wrong ones.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

const HEDDLE = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const LIBRARIES = fileURLToPath(new URL('../../bench/harness', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'heddle-harness-'))
afterAll(() => rmSync(folder, { recursive: true }))

const heddle = (...args: readonly string[]) => spawnSync('node', [HEDDLE, ...args], { cwd: folder, encoding: 'utf8' })

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

/** The client of a library of ours, whose text is changed. */
const clientOf = (name: string, change: (text: string) => string, ...options: readonly string[]): void => {
  for (const file of [`${name}.h`, `${name}.c`]) {
    const text = readFileSync(join(LIBRARIES, file), 'utf8')
    write(file, file.endsWith('.c') ? change(text) : text)
  }
  write(
    'client.c',
    execFileSync('node', [HEDDLE, 'harness', `${name}.h`, `${name}.c`, ...options], { cwd: folder, encoding: 'utf8' }),
  )
}

const same = (text: string): string => text

describe('the client', () => {
  test('begins with what creates the object and ends with what destroys it', () => {
    clientOf('stack', same, '--threads', '3', '--functions', 'stack_push')
    const client = readFileSync(join(folder, 'client.c'), 'utf8')
    expect(client).toMatch(/made = &instance;\s*stack_init\(made\)/)
    expect(client).toMatch(/stack_push\(object, c->argument\)/)
    expect(client).not.toMatch(/stack_pop/)
    expect(client).toMatch(/pthread_join[^}]*stack_destroy\(object\);\s*return 0;/)
    expect(client).toContain('#define THREADS 3')
  })

  test('lets go those who wait while the threads run, unless threads do that themselves', () => {
    clientOf('channel', same)
    const client = readFileSync(join(folder, 'client.c'), 'utf8')
    expect(client).toMatch(/pthread_create[^}]*channel_close\(object\);[^}]*pthread_join/)
    expect(client.match(/channel_close/g)).toHaveLength(2)
    clientOf('channel', same, '--functions', 'channel_receive,channel_close')
    expect(readFileSync(join(folder, 'client.c'), 'utf8')).not.toMatch(/pthread_create[^}]*channel_close/)
  })

  test('passes what callbacks, keys, items and results need', () => {
    write(
      'pool.h',
      `typedef struct pool pool; struct entry { int x; };
       pool *pool_create(int thread_count); void pool_free(pool *p, int flags);
       int pool_add(pool *p, void (*run)(void *), void *data); void *pool_get(pool *p, const char *key);
       int pool_put(pool *p, struct entry *e, unsigned index); double pool_load(pool *p); int pool_odd(pool *p, double d);`,
    )
    write(
      'pool.c',
      `#include "pool.h"
       struct pool { int n; } one;
       pool *pool_create(int thread_count) { return &one; } void pool_free(pool *p, int flags) {}
       int pool_add(pool *p, void (*run)(void *), void *data) { return 0; }
       void *pool_get(pool *p, const char *key) { return 0; }
       int pool_put(pool *p, struct entry *e, unsigned index) { return 0; }
       double pool_load(pool *p) { return 0; } int pool_odd(pool *p, double d) { return 0; }`,
    )
    const { stdout } = heddle('harness', 'pool.h', 'pool.c')
    expect(stdout).toContain('return pool_create(2);')
    expect(stdout).toContain('c->result = pool_add(object, task1, &items[c->argument]);')
    expect(stdout).toContain('void *r = pool_get(object, c->key ? "b" : "a");')
    expect(stdout).toContain('c->result = pool_put(object, &values1[c->argument], c->key);')
    expect(stdout).toContain('pool_free(object, 0);')
    expect(stdout).toContain('Left out: pool_odd')
  })

  test('cannot be written for a header without an object', () => {
    write('plain.h', 'int f(int x);')
    const { status, stderr } = heddle('harness', 'plain.h')
    expect([status, stderr]).toEqual([2, expect.stringContaining('declares no function that creates an object')])
    expect(heddle('harness', 'plain.h', '--functions', 'g').stderr).toContain('no function g in plain.h')
  })
})

describe('some order of the calls explains the results', () => {
  const verdictOf = (change: (text: string) => string): string => {
    clientOf('stack', change, '--linearizable')
    return heddle('verify', 'client.c', 'stack.c', '--engine', 'explicit', '--timeout', '60s')
      .stdout.trim()
      .split('\n')
      .at(-1)!
  }

  test('of a stack under a lock', () => {
    expect(verdictOf(same)).toBe('VERDICT: TRUE')
  })

  test('not of one whose pop takes no lock', () => {
    const wrong = verdictOf((text) => {
      const [push, pop] = text.split('int stack_pop') as [string, string]
      return `${push}int stack_pop${pop.replaceAll(/ {2}pthread_mutex_(un)?lock.*\n/g, '')}`
    })
    expect(wrong).toBe('VERDICT: FALSE(assert)')
  })

  /** A write that finds the lock taken is seen late: by the second read after it, though the write has returned. */
  test('only of one in which no call comes before one that had returned', () => {
    write(
      'reg.h',
      `#include <pthread.h>
       #include <stdatomic.h>
       struct reg { pthread_mutex_t lock; int value; atomic_int pending; };
       void reg_init(struct reg *r); void reg_set(struct reg *r, int v); int reg_settle(struct reg *r);
       int reg_get(struct reg *r); void reg_destroy(struct reg *r);`,
    )
    write(
      'reg.c',
      `#include "reg.h"
       void reg_init(struct reg *r) { pthread_mutex_init(&r->lock, 0); r->value = 0; r->pending = 0; }
       static void late(struct reg *r) { int v = r->pending; if (v) { r->value = v; r->pending = 0; } }
       void reg_set(struct reg *r, int v) {
         if (pthread_mutex_trylock(&r->lock) != 0) { r->pending = v; return; }
         r->value = v; pthread_mutex_unlock(&r->lock); }
       int reg_settle(struct reg *r) {
         pthread_mutex_lock(&r->lock); late(r); pthread_mutex_unlock(&r->lock); return 0; }
       int reg_get(struct reg *r) {
         pthread_mutex_lock(&r->lock); int seen = r->value; late(r); pthread_mutex_unlock(&r->lock); return seen; }
       void reg_destroy(struct reg *r) { pthread_mutex_destroy(&r->lock); }`,
    )
    // One thread sets and settles, the other one reads twice.
    const client = heddle('harness', 'reg.h', 'reg.c', '--linearizable').stdout
    expect(client).toContain('function = choose(3)')
    write('client.c', client.replace('function = choose(3)', 'function = t == 1 ? 2 : i'))
    const told = heddle('verify', 'client.c', 'reg.c', '--engine', 'explicit', '--timeout', '60s')
    expect(told.stdout).toContain('VERDICT: FALSE(assert)')
  })
})
