// Undefined behaviour that no model notices, and orders that POSIX leaves open: the ledger of every verdict says what is
// taken for granted, and only where the program could tell.
import { describe, expect, test } from 'vitest'
import { compileText } from '../lower/support.js'

const HEAD = `#include <pthread.h>
#include <string.h>
#include <stdlib.h>
`
const notesOf = (text: string): string => compileText(HEAD + text).notes.join('\n')

describe('the handle of a thread', () => {
  const NOTE = 'stores the handle before the new thread runs'
  test('is read by the new thread', () => {
    expect(
      notesOf(`pthread_t h; void *t(void *p) { return (void *)(h == pthread_self()); }
        int main(void) { pthread_create(&h, 0, t, 0); return 0; }`),
    ).toContain(NOTE)
  })
  test('is read by its creator only', () => {
    expect(
      notesOf(`pthread_t h[2]; void *t(void *p) { pthread_t own; return 0; }
        int main(void) { pthread_create(&h[0], 0, t, 0); pthread_create(&h[1], 0, t, 0); pthread_join(h[0], 0); return 0; }`),
    ).not.toContain(NOTE)
  })
  test('is on the stack of a thread that creates one', () => {
    expect(
      notesOf(`void *u(void *p) { return 0; }
        void *t(void *p) { pthread_t own; pthread_create(&own, 0, u, 0); pthread_join(own, 0); return 0; }
        int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); return 0; }`),
    ).not.toContain(NOTE)
  })
})

describe('the address of a local variable', () => {
  const NOTE = 'after its function has returned'
  test.each([
    ['is returned', 'int *f(void) { int x = 1; int *p = &x; return p; } int main(void) { return *f(); }'],
    ['goes to a global variable', 'int *g; void f(void) { int x = 1; g = &x; } int main(void) { f(); return *g; }'],
    [
      "goes to the caller's variable",
      'void f(int **r) { int x = 1; *r = &x; } int main(void) { int *p; f(&p); return *p; }',
    ],
    [
      'goes to the heap',
      'void f(int **r) { int x = 1; *r = &x; } int main(void) { int **p = malloc(8); f(p); return **p; }',
    ],
    [
      'is the result of a thread',
      `void *t(void *p) { int x = 1; pthread_exit(&x); }
      int main(void) { pthread_t h; void *r; pthread_create(&h, 0, t, 0); pthread_join(h, &r); return *(int *)r; }`,
    ],
    [
      'is given to a thread that may run longer',
      `void *t(void *p) { return (void *)(long)*(int *)p; } pthread_t h;
      void f(void) { int x = 1; pthread_create(&h, 0, t, &x); } int main(void) { f(); pthread_join(h, 0); return 0; }`,
    ],
  ])('%s', (_, text) => expect(notesOf(text)).toContain(NOTE))

  test.each([
    [
      'goes to a function that it calls',
      'void f(int *p) { *p = 1; } int g(void) { int x; f(&x); return x; } int main(void) { return g(); }',
    ],
    [
      'goes to another local variable of the function',
      `struct l { struct l *next; }; void put(struct l *a, struct l *b) { a->next = b; }
      int f(void) { struct l a, b; put(&a, &b); return a.next == &b; } int main(void) { return f(); }`,
    ],
    [
      'of main is given to a thread',
      `void *t(void *p) { return (void *)(long)*(int *)p; } pthread_t h;
      int main(void) { int x = 1; pthread_create(&h, 0, t, &x); pthread_join(h, 0); return 0; }`,
    ],
  ])('%s', (_, text) => expect(notesOf(text)).not.toContain(NOTE))
})

describe('a lock', () => {
  const COPY = 'no copy of a lock'
  test.each([
    'struct s { int x; pthread_mutex_t m; } a, b; int main(void) { b = a; return 0; }',
    'pthread_cond_t a, b; int main(void) { memcpy(&a, &b, sizeof a); return 0; }',
    'struct s { pthread_rwlock_t l[2]; } a; void f(struct s x) {} int main(void) { f(a); return 0; }',
  ])('is copied: %s', (text) => expect(notesOf(text)).toContain(COPY))
  test('is initialised by a list', () => {
    const text = 'pthread_mutex_t m; int main(void) { m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; return 0; }'
    expect(notesOf(text)).not.toContain(COPY)
  })

  const IDLE = 'no lock is initialised while it is held'
  test('is initialised by a thread, or after it may have been taken', () => {
    const late = 'pthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); pthread_mutex_init(&m, 0); return 0; }'
    const elsewhere = `pthread_mutex_t m; void *t(void *p) { pthread_mutex_init(&m, 0); return 0; }
      int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); return 0; }`
    for (const text of [late, elsewhere]) expect(notesOf(text)).toContain(IDLE)
  })
  test('is initialised before anything else', () => {
    const text = `pthread_mutex_t m; void *t(void *p) { pthread_mutex_lock(&m); return 0; }
      int main(void) { pthread_t h; pthread_mutex_init(&m, 0); pthread_create(&h, 0, t, 0); return 0; }`
    expect(notesOf(text)).not.toContain(IDLE)
  })
})

describe('bytes that are compared', () => {
  test('may be padding or pointers', () => {
    const text = 'struct s { char c; int *p; } a, b; int main(void) { return memcmp(&a, &b, sizeof a) == 0; }'
    expect(notesOf(text)).toContain('bytes of padding')
    expect(notesOf(text)).toContain('pointers whose bytes are compared')
  })
  test('are all of numbers', () => {
    const text = 'struct s { int c, d; } a, b; int main(void) { return memcmp(&a, &b, sizeof a) == 0; }'
    expect(notesOf(text)).not.toContain('compared')
  })
})

describe('objects that may touch', () => {
  const END = 'no object begins where another one ends'
  const INSIDE = 'no block begins inside of one that was freed'
  const FREED = 'char *p = malloc(2000); size_t at = (size_t)p; free(p); char *a = malloc(16), *b = malloc(16);'
  test.each([
    ['the end of one and another one', END, 'int x[2], y[2]; int main(void) { int *p = x; p++; p++; return p == y; }'],
    [
      'a place in a freed block',
      INSIDE,
      `int main(void) { ${FREED} int r = (size_t)b == at + 32; free(a); return r; }`,
    ],
  ])('%s', (_, note, text) => expect(notesOf(text)).toContain(note))

  test.each([
    [
      'the end of the same object',
      'int x[2]; int main(void) { int n = 0; for (int *p = x; p != x + 2; p++) n++; return n; }',
    ],
    ['beginnings', 'int x, y; int main(int n, char **a) { int *p = n > 1 ? &x : &y; return p == &x; }'],
    ['beginnings of blocks', `int main(void) { ${FREED} int r = (size_t)b == at; free(a); return r; }`],
  ])('not by %s', (_, text) => {
    expect(notesOf(text)).not.toContain(END)
    expect(notesOf(text)).not.toContain(INSIDE)
  })
})
