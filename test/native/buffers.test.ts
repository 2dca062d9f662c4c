// What the C library reads and writes for the program: as much an access as the program's own, and no more.
import { describe, expect, it } from 'vitest'
import { findIn, hasCompiler, hasCxx, SKIPPED } from './harness.js'

const two = (first: string, second: string, before = ''): string => `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
char text[32], other[32], *heap; int numbers[4];
int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void *f(void *u) { ${first}; return u; }
void *g(void *u) { ${second}; return u; }
int main(void) { pthread_t s, t; ${before}; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
`
const READS = 'char c = text[1]; (void)c'
const HALF = '"abc", 3'

/** Where both threads do this at a time, or one does and the other reads the text. */
const ACCESSES: readonly (readonly [string, string, string])[] = [
  ['snprintf', 'snprintf(text, sizeof text, "%d", 42)', READS],
  ['sprintf', 'sprintf(text, "%d", 42)', READS],
  ['fgets', 'FILE *in = fmemopen("line", 4, "r"); fgets(text, 8, in); fclose(in)', READS],
  ['fread', 'FILE *in = fmemopen("line", 4, "r"); fread(text, 1, 4, in); fclose(in)', READS],
  ['fwrite', 'fwrite(text, 1, 4, stderr)', 'text[1] = 0'],
  ['fputs', 'fputs(text, stderr)', 'text[0] = 0'],
  ['strncat', `strncat(text, ${HALF})`, READS],
  ['strdup', 'free(strdup(text))', 'text[0] = 0'],
  ['strstr', 'heap = strstr(text, "x")', 'text[0] = 0'],
  ['qsort', 'qsort(numbers, 4, sizeof *numbers, less)', 'numbers[3] = 5'],
  ['strtok', 'char s[] = "a b"; strtok(s, " ")', 'char s[] = "c d"; strtok(s, " ")'],
  ['localtime', 'time_t t = 0; localtime(&t)', 'time_t t = 0; gmtime(&t)'],
  ['ctime', 'time_t t = 0; ctime(&t)', 'time_t t = 0; ctime(&t)'],
  ['setenv', 'setenv("A", "b", 1)', 'getenv("PATH")'],
]

const QUIET: readonly (readonly [string, string, string])[] = [
  ['what is printed ends where the text does', 'snprintf(text, sizeof text, "a")', 'text[2] = 1'],
  ['two that read the environment', 'getenv("PATH")', 'getenv("HOME")'],
  ['two that print into places of their own', 'sprintf(text, "a")', 'sprintf(other, "b")'],
  [
    'two that sort places of their own',
    'int a[2] = {2, 1}; qsort(a, 2, 4, less)',
    'int a[2] = {2, 1}; qsort(a, 2, 4, less)',
  ],
]

/** What is freed while another thread still uses the lock or the condition in it. */
const FREED = [
  ['a condition', 'pthread_cond_signal(&q->c)'],
  ['a lock', 'pthread_mutex_lock(&q->m); pthread_mutex_unlock(&q->m)'],
] as const
const freed = (use: string): string => `#include <pthread.h>
#include <stdlib.h>
struct queue { pthread_mutex_t m; pthread_cond_t c; int done; };
void *f(void *p) { struct queue *q = p; pthread_mutex_lock(&q->m); q->done = 1; pthread_cond_signal(&q->c); pthread_mutex_unlock(&q->m); ${use}; return 0; }
int main(void) { struct queue *q = calloc(1, sizeof *q); pthread_t t; pthread_create(&t, 0, f, q);
  pthread_mutex_lock(&q->m); while (!q->done) pthread_cond_wait(&q->c, &q->m); pthread_mutex_unlock(&q->m);
  free(q); pthread_join(t, 0); return 0; }
`

describe.skipIf(!hasCompiler)(`calls of the C library${hasCompiler ? '' : ` (${SKIPPED})`}`, () => {
  it.each(ACCESSES)('%s is an access', async (_, first, second) => {
    expect(await findIn(two(first, second), { maxRuns: 40 })).toBe('no-data-race')
  })
  it.each(QUIET)('%s', async (_, first, second) => {
    expect(await findIn(two(first, second), { maxRuns: 40 })).toBe('nothing')
  })
  it('the block of strdup is told if nobody frees it', async () => {
    const keep = 'pthread_mutex_lock(&m); heap = strdup("a"); pthread_mutex_unlock(&m)'
    expect(await findIn(two(keep, keep), { maxRuns: 20 })).toBe('leak')
    expect(await findIn(two('free(strdup("a"))', 'free(strndup("abc", 2))'), { maxRuns: 20 })).toBe('nothing')
  })
  it.each(FREED)('%s in a block that was freed is a use after free', async (_, use) => {
    expect(await findIn(freed(use), { maxRuns: 200 })).toBe('crash')
  })
  it('who was woken may find the condition gone', async () => {
    const text = freed('').replace(
      'pthread_mutex_unlock(&q->m); ;',
      'pthread_cond_broadcast(&q->c); pthread_mutex_unlock(&q->m);',
    )
    expect(await findIn(text, { maxRuns: 200 })).toBe('nothing')
  })
})

const threads = (first: string, second: string, before = ''): string => `${before}
#include <iostream>
#include <string>
#include <thread>
std::string text = "a text that is too long to be kept inside", own[2];
int main() { std::thread a([] { ${first}; }), b([] { ${second}; }); a.join(); b.join(); }
`

describe.skipIf(!hasCxx)(`std::string${hasCxx ? '' : ` (${SKIPPED})`}`, { timeout: 30_000 }, () => {
  it('is accessed where it is used', async () => {
    expect(await findIn(threads('own[0] = "a"', '(void)own[0].size()'), { maxRuns: 20 }, 's.cpp')).toBe('no-data-race')
    const together = threads('own[0] = text + "b"', 'own[1] = text.substr(3)')
    expect(await findIn(together, { maxRuns: 100 }, 's.cpp')).toBe('nothing')
  })
  it('streams of the library may be used by several threads', async () => {
    const both = threads('std::cout << text << 1 << std::endl', 'std::cout << text << "b" << std::endl')
    expect(await findIn(both, { maxRuns: 100 }, 's.cpp')).toBe('nothing')
  })
  it('a file that sets macros of the library first is compiled all the same', async () => {
    const debug = threads(
      'own[0] = "a"',
      'own[1] = "b"',
      '#define _GLIBCXX_DEBUG\n#include <vector>\nstd::vector<int> v(3);',
    )
    expect(await findIn(debug, { maxRuns: 20 }, 's.cpp')).toBe('nothing')
  })
})
