// Programs for agreement tests: each with the verdicts that C and POSIX give it, and why.
export interface Known {
  readonly name: string
  readonly text: string
  readonly verdicts: Readonly<Record<string, 'true' | 'false'>>
}

const HEADERS = `
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
`

const known = (name: string, verdicts: Known['verdicts'], text: string): Known => ({
  name,
  verdicts,
  text: HEADERS + text,
})

/** Starts f and g, joins both, then `check`. */
const twoThreads = (check: string): string => `
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  ${check}
}`

const THREADS: readonly Known[] = [
  known(
    'x = y + z reads y, then z, then writes x',
    { assert: 'false' },
    `int x = 1, y = 1;
     void *f(void *p) { x = x + y; return 0; }
     void *g(void *p) { x = 2; y = 2; return 0; }
     // f reads x == 1, then y == 2: only possible because the reads are two steps.
     ${twoThreads('assert(x != 3);')}`,
  ),
  known(
    'a mutex makes an update whole',
    { assert: 'true', 'no-data-race': 'true', 'no-deadlock': 'true' },
    `int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
     void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
     #define g f
     ${twoThreads('assert(x == 2);')}`,
  ),
  known(
    'a lock around one side only does not',
    { assert: 'false', 'no-data-race': 'false' },
    `int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
     void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
     void *g(void *p) { x++; return 0; }
     ${twoThreads('assert(x == 2);')}`,
  ),
  known(
    'a mutex blocks also its owner',
    { 'no-deadlock': 'false', assert: 'true' },
    `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
     int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(0); }`,
  ),
  known(
    'a recursive mutex does not',
    { 'no-deadlock': 'true', assert: 'true' },
    `int main(void) {
       pthread_mutex_t m; pthread_mutexattr_t a;
       pthread_mutexattr_init(&a);
       pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
       pthread_mutex_init(&m, &a);
       pthread_mutex_lock(&m); pthread_mutex_lock(&m);
       pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);
       assert(pthread_mutex_trylock(&m) == 0);
     }`,
  ),
  known(
    'threads made in a loop are as many as the loop runs, each with its argument',
    { assert: 'true' },
    `int sum; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
     void *f(void *p) { pthread_mutex_lock(&m); sum += *(int *)p; pthread_mutex_unlock(&m); return 0; }
     int main(void) {
       pthread_t t[2]; int arg[2];
       for (int i = 0; i < 2; i++) { arg[i] = i + 5; pthread_create(&t[i], 0, f, &arg[i]); }
       for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
       assert(sum == 11);
     }`,
  ),
  known(
    'join delivers what the thread returned, also by pthread_exit',
    { assert: 'true' },
    `void *f(void *p) { return (void *)7; }
     void *g(void *p) { pthread_exit((void *)8); }
     int main(void) {
       pthread_t t, u; void *r, *s;
       pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);
       pthread_join(t, &r); pthread_join(u, &s);
       assert(r == (void *)7 && s == (void *)8);
     }`,
  ),
  known(
    'abort() beside assert(0): the assertion can come first',
    { assert: 'false' },
    `void *f(void *p) { assert(0); return 0; }
     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); abort(); }`,
  ),
  known(
    'returning from main ends the program: nobody waits then',
    { 'no-deadlock': 'true' },
    `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
     void *f(void *p) { pthread_mutex_lock(&m); return 0; }
     int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, f, 0); return 0; }`,
  ),
  known(
    'pthread_exit in main does not',
    { 'no-deadlock': 'false' },
    `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
     void *f(void *p) { pthread_mutex_lock(&m); return 0; }
     int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, f, 0); pthread_exit(0); }`,
  ),
  known(
    'a wait in a loop is right',
    { assert: 'true', 'no-deadlock': 'true', 'no-data-race': 'true' },
    `int ready; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
     void *f(void *p) {
       pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0;
     }
     int main(void) {
       pthread_t t; pthread_create(&t, 0, f, 0);
       pthread_mutex_lock(&m);
       while (!ready) pthread_cond_wait(&c, &m);
       assert(ready);
       pthread_mutex_unlock(&m); pthread_join(t, 0);
     }`,
  ),
  known(
    'a wait under if fails by a spurious wake-up',
    { assert: 'false' },
    `int ready; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
     void *f(void *p) {
       pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0;
     }
     int main(void) {
       pthread_t t; pthread_create(&t, 0, f, 0);
       pthread_mutex_lock(&m);
       if (!ready) pthread_cond_wait(&c, &m);
       assert(ready);
     }`,
  ),
  known(
    'a signal that comes too early is lost: only spurious wake-ups are left, a deadlock',
    { 'no-deadlock': 'false' },
    `int woken; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
     void *f(void *p) { pthread_cond_signal(&c); return 0; }
     int main(void) {
       pthread_t t; pthread_create(&t, 0, f, 0);
       pthread_mutex_lock(&m);
       while (!woken) pthread_cond_wait(&c, &m);
     }`,
  ),
  known(
    'thread-local variables are each thread’s own',
    { assert: 'true', 'no-data-race': 'true' },
    `_Thread_local int mine = 1; int other;
     void *f(void *p) { mine++; mine++; other = mine; return 0; }
     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); mine++; pthread_join(t, 0); assert(mine == 2 && other == 3); }`,
  ),
]

const ATOMICITY: readonly Known[] = [
  known(
    'an atomic block is one step',
    { assert: 'true', 'no-data-race': 'true' },
    `int x;
     void *f(void *p) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }
     #define g f
     ${twoThreads('assert(x == 2);')}`,
  ),
  known(
    'an atomic block races with a plain access',
    { 'no-data-race': 'false' },
    `int x;
     void *f(void *p) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }
     void *g(void *p) { x = 5; return 0; }
     ${twoThreads('')}`,
  ),
  known(
    'who fails an assumption inside an atomic block shows nobody the half of it',
    { assert: 'true' },
    `int x;
     void *f(void *p) { __VERIFIER_atomic_begin(); x = 1; __VERIFIER_assume(x == 2); __VERIFIER_atomic_end(); return 0; }
     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 0); }`,
  ),
  known(
    'outside an atomic block the others see it',
    { assert: 'false' },
    `int x;
     void *f(void *p) { x = 1; __VERIFIER_assume(x == 2); return 0; }
     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 0); }`,
  ),
  known(
    'C11 atomics neither race nor lose updates; a load and a store apart do',
    { assert: 'true', 'no-data-race': 'true' },
    `#include <stdatomic.h>
     atomic_int x;
     void *f(void *p) { x++; atomic_fetch_add(&x, 2); return 0; }
     #define g f
     ${twoThreads('assert(x == 6);')}`,
  ),
  known(
    'x = x + 1 on an atomic is a load and a store',
    { assert: 'false', 'no-data-race': 'true' },
    `#include <stdatomic.h>
     atomic_int x;
     void *f(void *p) { x = x + 1; return 0; }
     #define g f
     ${twoThreads('assert(x == 2);')}`,
  ),
]

const MEMORY: readonly Known[] = [
  known(
    'fields of a struct are apart, bytes of a union together',
    { assert: 'true', 'no-data-race': 'true' },
    `struct { int a, b; } s; union { unsigned int word; unsigned char byte[4]; } both;
     void *f(void *p) { s.a = 1; return 0; }
     void *g(void *p) { s.b = 2; return 0; }
     ${twoThreads('both.word = 0x01020304; assert(s.a == 1 && s.b == 2 && both.byte[0] == 4 && both.byte[3] == 1);')}`,
  ),
  known(
    'adjacent bit-fields are one location',
    { 'no-data-race': 'false' },
    `struct { unsigned a : 4, b : 4; } s;
     void *f(void *p) { s.a = 1; return 0; }
     void *g(void *p) { s.b = 2; return 0; }
     ${twoThreads('')}`,
  ),
  known(
    'a local whose address escapes is shared',
    { assert: 'false', 'no-data-race': 'false' },
    `void *f(void *p) { *(int *)p = 1; return 0; }
     int main(void) { int x = 0; pthread_t t; pthread_create(&t, 0, f, &x); assert(x == 0); }`,
  ),
  known(
    'each execution of malloc gives another object',
    { assert: 'true' },
    `struct node { int value; struct node *next; };
     int main(void) {
       struct node *list = 0;
       for (int i = 1; i <= 3; i++) { struct node *n = malloc(sizeof *n); n->value = i; n->next = list; list = n; }
       int sum = 0;
       while (list) { struct node *next = list->next; sum = sum * 10 + list->value; free(list); list = next; }
       assert(sum == 321);
     }`,
  ),
  known(
    'a structure is copied by assignment',
    { assert: 'true' },
    `struct pair { int a, b; char c[3]; };
     int main(void) {
       struct pair x = { 1, 2, "ab" }, y = x; x.a = 5; x.c[0] = 'z';
       assert(y.a == 1 && y.b == 2 && y.c[0] == 'a' && y.c[2] == 0);
     }`,
  ),
]

const NUMBERS: readonly Known[] = [
  known(
    'conversions and arithmetic are those of C',
    { assert: 'true' },
    `int main(void) {
       unsigned char c = 255; signed char s = (signed char)200; unsigned int u = 0; long long big = 1LL << 40;
       c++; u--;
       assert(c == 0); assert(s == -56); assert(u == 4294967295u);
       assert(-1 > 0u); assert(-7 / 2 == -3 && -7 % 2 == -1);
       assert((int)big == 0); assert((-1 >> 1) == -1); assert((unsigned)-1 >> 31 == 1);
       assert(1.5 + 1 == 2.5); assert((int)-2.9 == -2); assert((float)16777217 == 16777216.0f);
       assert(sizeof(long) == 8 && (char)65 == 'A');
     }`,
  ),
  known(
    'unsigned multiplication of 64 bits wraps exactly',
    { assert: 'true' },
    `int main(void) { unsigned long x = 0x9E3779B97F4A7C15ul; x *= x; assert(x == 0xDF442D22CE4859B9ul); x = 3; x -= 4; assert(x + 1 == 0); }`,
  ),
  known(
    'operators that do not evaluate their right side do not',
    { assert: 'true' },
    `int calls; int f(void) { calls++; return 1; }
     int main(void) { int a = 0 && f(); int b = 1 || f(); assert(!a && b && calls == 0); assert((f(), calls) == 1); }`,
  ),
  known(
    'switch falls through, goto jumps, loops break and continue',
    { assert: 'true' },
    `int main(void) {
       int n = 0;
       for (int i = 0; i < 6; i++) {
         switch (i) { case 0: continue; case 1: n += 1; case 2: n += 10; break; case 4: goto out; default: n += 100; }
       }
     out:
       assert(n == 121);
     }`,
  ),
]

const CHOICES: readonly Known[] = [
  known(
    'an assumption bounds a choice',
    { assert: 'true' },
    `int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 2 && x < 6); int y[6] = {0}; y[x] = 1; assert(y[3] + y[4] + y[5] == 1); }`,
  ),
  known(
    'every value within the bounds is tried',
    { assert: 'false' },
    `int y; int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 2 && x < 6); y = x; assert(y != 5); }`,
  ),
  known(
    'a test of a choice has both outcomes',
    { assert: 'false', 'unreach-call': 'true' },
    `int a, b;
     int main(void) { if (__VERIFIER_nondet_int()) a = 1; if (__VERIFIER_nondet_bool()) b = 1; assert(!(a && b)); if (a > 1) reach_error(); }`,
  ),
  known(
    'reach_error violates both properties, assert only one',
    { assert: 'false', 'unreach-call': 'false' },
    `int main(void) { if (__VERIFIER_nondet_bool()) reach_error(); }`,
  ),
]

export const PROGRAMS: readonly Known[] = [...THREADS, ...ATOMICITY, ...MEMORY, ...NUMBERS, ...CHOICES]
