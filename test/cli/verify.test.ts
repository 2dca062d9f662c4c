// The command line's contract (docs/cli.md), run as a user runs it: exit status, last line, diagnostics, bad input.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'heddle-cli-'))

const heddle = (...args: readonly string[]): { status: number | null; out: string; err: string } => {
  const { status, stdout, stderr } = spawnSync('node', ['dist/cli/main.js', ...args], { cwd: root, encoding: 'utf8' })
  return { status, out: stdout, err: stderr }
}

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

describe('verdicts', () => {
  test('FALSE: status 1, an interleaving that was replayed', () => {
    const { status, out } = heddle('verify', 'examples/lost_update.c')
    expect(status).toBe(1)
    expect(lastLine(out)).toBe('VERDICT: FALSE(assert)')
    expect(out).toContain('assertion can fail: balance == 200')
    expect(out).toContain('Replayed: yes')
  })
  test('TRUE: status 0', () => {
    const { status, out } = heddle('verify', 'examples/counter_mutex.c')
    expect([status, lastLine(out)]).toEqual([0, 'VERDICT: TRUE'])
  })
  test('a verdict ends the other engines, and no further one is started', () => {
    const { out } = heddle('verify', 'examples/counter_mutex.c', '--json')
    expect((JSON.parse(out) as { attempts: readonly unknown[] }).attempts.length).toBeLessThanOrEqual(2)
  })
  test('orders weaker than seq_cst mean what rc11 says, unless sequential consistency is asked for', () => {
    const program = file(
      'relaxed.c',
      `#include <stdatomic.h>
       #include <pthread.h>
       atomic_int ready; int data;
       void *writer(void *arg) { data = 1; atomic_store_explicit(&ready, 1, memory_order_relaxed); return arg; }
       int main(void) {
         pthread_t t; pthread_create(&t, 0, writer, 0);
         while (!atomic_load_explicit(&ready, memory_order_relaxed)) ;
         return data;
       }`,
    )
    const weak = heddle('verify', program, '--property', 'no-data-race', '--fix')
    expect(weak.status).toBe(1)
    // Both are needed, and nothing stronger.
    expect(weak.out).toMatch(/\+.*store_explicit\(&ready, 1, memory_order_release\)/)
    expect(weak.out).toMatch(/\+.*load_explicit\(&ready, memory_order_acquire\)/)
    expect(weak.out).toContain('would order them')
    expect(weak.out).toContain('the memory model rc11')
    const { status, out } = heddle('verify', program, '--property', 'no-data-race', '--memory-model', 'sc')
    expect(status).toBe(3)
    expect(lastLine(out)).toMatch(/^VERDICT: UNKNOWN\(atomic operations weaker than sequential consistency/)
  })
  test('what inline assembly orders is what the machine orders', () => {
    // Store buffering: both threads may read the old value unless something between store and load is a full fence.
    const buffering = (write: (variable: string) => string): string => `#include <assert.h>
       #include <pthread.h>
       int x, y, r, s;
       static int see(int *p) { int v; __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(*p) : "memory"); return v; }
       void *one(void *a) { ${write('x')} r = see(&y); return a; }
       void *two(void *a) { ${write('y')} s = see(&x); return a; }
       int main(void) {
         pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
         pthread_join(a, 0); pthread_join(b, 0); assert(r || s); return 0;
       }`
    const moved = (fence: string) => (variable: string) =>
      `__asm__ volatile("movl $1, %0" : "=m"(${variable}) : : "memory"); __asm__ volatile("${fence}" ::: "memory");`
    const locked = (variable: string): string => `__asm__ volatile("lock; incl %0" : "+m"(${variable}) : : "memory");`
    const verdictOf = (name: string, text: string): string =>
      lastLine(heddle('verify', file(name, text), '--engine', 'graphs', '--memory-model', 'rc11').out)
    expect(verdictOf('locked.c', buffering(locked))).toBe('VERDICT: TRUE')
    expect(verdictOf('mfence.c', buffering(moved('mfence')))).toBe('VERDICT: TRUE')
    // The machine allows it; of what the model allows it may exclude some, so that this is no FALSE by itself.
    for (const fence of ['sfence', 'lfence', ''])
      expect(verdictOf('weak.c', buffering(moved(fence)))).toMatch(
        /^VERDICT: UNKNOWN\(a violation that inline assembly/,
      )
  })
  test('__sync_lock_release is a releasing store only', () => {
    const text = `#include <assert.h>
      #include <pthread.h>
      int x = 1, y = 1, r, s;
      void *one(void *a) { __sync_lock_release(&x); r = __atomic_load_n(&y, __ATOMIC_SEQ_CST); return a; }
      void *two(void *a) { __sync_lock_release(&y); s = __atomic_load_n(&x, __ATOMIC_SEQ_CST); return a; }
      int main(void) {
        pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
        pthread_join(a, 0); pthread_join(b, 0); assert(!r || !s); return 0;
      }`
    expect(lastLine(heddle('verify', file('sync.c', text)).out)).toBe('VERDICT: FALSE(assert)')
  })
  test('a proof under rc11 that nobody asked for by name is not called rejected', () => {
    const text = `#include <assert.h>
      #include <stdatomic.h>
      atomic_int x;
      int main(void) {
        atomic_store_explicit(&x, 1, memory_order_relaxed);
        assert(atomic_load_explicit(&x, memory_order_relaxed) == 1); return 0;
      }`
    const { out } = heddle('verify', file('unasked.c', text), '--engine', 'graphs', '--check')
    expect(lastLine(out)).toMatch(/^VERDICT: UNKNOWN\(.* proofs under the memory model rc11 are not checked\)$/)
  })
  test('UNKNOWN when unsupported: status 3, named, with its place', () => {
    const path = file('recursion.c', 'int f(int n) { return f(n + 1); }\nint main(void) { return f(0); }\n')
    const { status, out } = heddle('verify', path)
    expect(status).toBe(3)
    expect(lastLine(out)).toMatch(/^VERDICT: UNKNOWN\(unsupported: recursion.*recursion\.c:1\)$/)
  })
  test('UNKNOWN(timeout) when time is up', () => {
    const text = 'unsigned x;\nint main(void) { while (1) { x++; if (x == 4000000000u) return 0; } }\n'
    const { status, out } = heddle('verify', file('long.c', text), '--timeout', '300ms', '--engine', 'explicit')
    expect([status, lastLine(out)]).toEqual([3, 'VERDICT: UNKNOWN(timeout)'])
  })
  test('--json is one object with the names of the contract', () => {
    const { status, out } = heddle('verify', 'examples/lost_update.c', '--json', '--engine', 'explicit')
    const report = JSON.parse(out) as Record<string, unknown>
    expect(status).toBe(1)
    expect(report).toMatchObject({
      verdict: 'false',
      property: 'assert',
      engine: 'explicit',
      file: 'examples/lost_update.c',
    })
    for (const name of ['options', 'time_ms', 'memory_mb', 'stats', 'assumptions', 'trace'])
      expect(report).toHaveProperty(name)
  })
})

describe('bad input is a diagnostic and status 2, never a stack trace', () => {
  const cases: readonly [string, () => readonly string[], RegExp][] = [
    ['syntax error', () => [file('syntax.c', 'int main(void) {\n  int x = ;\n}\n')], /syntax\.c:2:\d+: error: /],
    [
      'unknown identifier',
      () => [file('name.c', 'int main(void) {\n  return cuont;\n}\n')],
      /name\.c:2:10: error: .*cuont/,
    ],
    [
      'type error',
      () => [file('type.c', 'struct s { int a; };\nint main(void) { struct s v; return v + 1; }\n')],
      /type\.c:2:\d+: error: /,
    ],
    ['missing file', () => [join(folder, 'missing.c')], /missing\.c: no such file/],
    ['a directory', () => [folder], /is a directory/],
    ['binary rubbish', () => [file('rubbish.c', '\u0000\u0001\u0002\ufffd\u0000abc\u0000')], /rubbish\.c.*error: /],
    ['an empty file', () => [file('empty.c', '')], /main/],
    ['no main', () => [file('nomain.c', 'int f(void) { return 0; }\n')], /main/],
    [
      '100,000 nested parentheses',
      () => [file('nested.c', `int main(void) { return ${'('.repeat(100_000)}0${')'.repeat(100_000)}; }\n`)],
      /nested\.c:1:\d+: error: .*nested/,
    ],
    [
      'a 20 MB file',
      () => [file('huge.c', `int main(void) { return 0; }\n${'/* padding padding padding */\n'.repeat(700_000)}`)],
      /huge\.c.*error: /,
    ],
    [
      'an unknown option',
      () => ['examples/lost_update.c', '--timout', '3s'],
      /unknown option --timout \(did you mean --timeout\?\)/,
    ],
    [
      'an option of another engine',
      () => ['examples/lost_update.c', '--engine', 'explicit', '--encoding', 'partial-order'],
      /--encoding has no meaning for --engine explicit/,
    ],
  ]
  test.each(cases)('%s', (_, args, message) => {
    const { status, err } = heddle('verify', ...args())
    expect(err).toMatch(message)
    expect(err).not.toMatch(/^\s+at /m)
    expect(status).toBe(2)
  })
})
