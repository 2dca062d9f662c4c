// valid-memsafety as SV-COMP defines it: valid-deref, valid-free, valid-memtrack; brute force and engines.
import { describe, expect, it } from 'vitest'
import { unprovedMemory } from '../../src/property/index.js'
import { bruteForce, byEngine, compiled } from './run.js'

const PRELUDE = `#include <stdlib.h>
#include <string.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
int x;
int a[4];
int *g;
struct node { int value; struct node *next; };
`
const inMain = (statements: string): string => `${PRELUDE}int main(void) { ${statements} return 0; }`

const EIGHTY = 'char *p[80]; for (int i = 0; i < 80; i++) p[i] = malloc(1);'

const SEQUENTIAL: readonly (readonly [string, string])[] = [
  ['int *p = 0; *p = 1;', 'false(deref)'],
  ['int *p = 0; if (__VERIFIER_nondet_bool()) p = &x; *p = 1;', 'false(deref)'],
  ['int *p = 0; if (__VERIFIER_nondet_bool()) p = &x; if (p) *p = 1;', 'true'],
  ['unsigned char i = __VERIFIER_nondet_uchar(); __VERIFIER_assume(i <= 4); a[i] = 1;', 'false(deref)'],
  ['unsigned char i = __VERIFIER_nondet_uchar(); __VERIFIER_assume(i < 4); a[i] = 1;', 'true'],
  ['int i = -1; a[i] = 1;', 'false(deref)'],
  // Far out of bounds is not another object, also where there is one.
  ['int b[300]; b[0] = 0; a[8] = 1; x = b[0];', 'false(deref)'],
  ['int b[3]; b[0] = 1; x = b[40];', 'false(deref)'],
  ['for (int *p = a + 3; p >= a; p--) *p = 1;', 'true'],
  ['for (int *p = a; p <= a + 4; p++) *p = 1;', 'false(deref)'],
  ['int b[2]; b[0] = 1; b[1] = b[0]; int i = x + 2; b[i] = 0;', 'false(deref)'],
  ['int *p = malloc(sizeof *p); *p = 1; free(p);', 'true'],
  ['int *p = malloc(sizeof *p); free(p); *p = 1;', 'false(deref)'],
  ['int *p = malloc(sizeof *p); int *q = p; free(p); x = *q;', 'false(deref)'],
  ['int *p = malloc(2 * sizeof *p); p[1] = 1; free(p);', 'true'],
  ['int *p = malloc(2 * sizeof *p); p[2] = 1; free(p);', 'false(deref)'],
  ['char *p = malloc(3); int *q = (int *)p; *q = 0; free(p);', 'false(deref)'],
  ['int n = __VERIFIER_nondet_bool(); char *p = malloc(n + 1); p[1] = 0; free(p);', 'false(deref)'],
  ['free(0);', 'true'],
  ['free(&x);', 'false(free)'],
  ['int *p = malloc(8); free(p + 1);', 'false(free)'],
  ['int *p = malloc(8); free(p); free(p);', 'false(free)'],
  ['int y = 0; int *p = &y; free(p);', 'false(free)'],
  ['int *p = malloc(4); p = malloc(4); free(p);', 'false(memtrack)'],
  ['int *p = malloc(4);', 'false(memtrack)'],
  // What a global points to when the program ends is tracked.
  ['g = malloc(4);', 'true'],
  ['struct node *n = malloc(sizeof *n); n->next = malloc(sizeof *n); n->value = 1; g = (int *)n;', 'true'],
  ['struct node *n = malloc(sizeof *n); n->next = malloc(sizeof *n); free(n);', 'false(memtrack)'],
  ['struct node *n = malloc(sizeof *n); n->next = 0; n->next->value = 1; free(n);', 'false(deref)'],
  // exit ends the program while its variables are still there.
  ['int *p = malloc(4); exit(0);', 'true'],
  ['int *p = malloc(4); pthread_exit(0);', 'false(memtrack)'],
  ['int n = 2 + __VERIFIER_nondet_bool(); int v[n]; v[n - 1] = 0;', 'true'],
  ['int n = 2 + __VERIFIER_nondet_bool(); int v[n]; v[2] = 0;', 'false(deref)'],
  ['void (*f)(void) = 0; if (__VERIFIER_nondet_bool()) f();', 'false(deref)'],
  ['char c[3]; strcpy(c, "abc");', 'false(deref)'],
  ['char c[4]; strcpy(c, "abc");', 'true'],
  [`${EIGHTY} for (int i = 0; i < 80; i++) free(p[i]);`, 'true'],
  [`${EIGHTY} for (int i = 1; i < 80; i++) free(p[i]);`, 'false(memtrack)'],
  [`${EIGHTY} free(p[79]); p[79][0] = 1; exit(0);`, 'false(deref)'],
]

describe('one thread, by brute force and by explicit', () => {
  it.each(SEQUENTIAL)('%s %s', async (statements, expected) => {
    const raw = await compiled(inMain(statements), 'valid-memsafety')
    expect(bruteForce(raw, 'valid-memsafety')).toBe(expected)
    expect(await byEngine(raw, 'valid-memsafety', 'explicit')).toBe(expected)
  })
})

const THREADS: readonly (readonly [string, string, string])[] = [
  [
    'one thread frees what the other uses',
    `int *shared;
void *user(void *arg) { *shared = 1; return 0; }
int main(void) { pthread_t t; shared = malloc(4); pthread_create(&t, 0, user, 0); free(shared); pthread_join(t, 0); return 0; }`,
    'false(deref)',
  ],
  [
    'freed after the join',
    `int *shared;
void *user(void *arg) { *shared = 1; return 0; }
int main(void) { pthread_t t; shared = malloc(4); pthread_create(&t, 0, user, 0); pthread_join(t, 0); free(shared); return 0; }`,
    'true',
  ],
  [
    'both free',
    `int *shared;
void *user(void *arg) { if (shared) { free(shared); shared = 0; } return 0; }
int main(void) { pthread_t t; shared = malloc(4); pthread_create(&t, 0, user, 0); user(0); pthread_join(t, 0); return 0; }`,
    'false(free)',
  ],
  [
    'both free under a lock',
    `int *shared; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *user(void *arg) { pthread_mutex_lock(&m); if (shared) { free(shared); shared = 0; } pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; shared = malloc(4); pthread_create(&t, 0, user, 0); user(0); pthread_join(t, 0); return 0; }`,
    'true',
  ],
  [
    'each thread has memory of its own',
    `void *user(void *arg) { int *mine = malloc(4); *mine = 1; free(mine); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, user, 0); user(0); pthread_join(t, 0); return 0; }`,
    'true',
  ],
  [
    'an index that the other thread moves',
    `int index_;
void *user(void *arg) { index_ = 4; index_ = 0; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, user, 0); a[index_] = 1; pthread_join(t, 0); return 0; }`,
    'false(deref)',
  ],
]

describe.each(THREADS)('%s', (_, text, expected) => {
  it('brute force', async () => {
    expect(bruteForce(await compiled(PRELUDE + text, 'valid-memsafety'), 'valid-memsafety')).toBe(expected)
  })
  it.each(['explicit', 'bmc', 'cegar', 'impact'])('%s', { timeout: 60_000 }, async (name) => {
    const raw = await compiled(PRELUDE + text, 'valid-memsafety')
    expect(await byEngine(raw, 'valid-memsafety', name)).toBe(expected)
  })
})

describe('addresses of locals that are kept', () => {
  const kept = async (text: string): Promise<string | undefined> =>
    unprovedMemory(await compiled(`#include <stdarg.h>\n#include <stdio.h>\n${text}`, 'valid-memsafety'))

  it('not those of the arguments of a function of the library', async () => {
    expect(await kept('int main(void) { char b[8]; snprintf(b, 8, "%d", 1); return b[0]; }')).toBeUndefined()
  })

  it('those of the arguments of a function of the program, which may keep them', async () => {
    const keep = 'static va_list saved; static void keep(int n, ...) { va_start(saved, n); }'
    expect(await kept(`${keep} int main(void) { keep(1, 2); return va_arg(saved, int); }`)).toMatch(/arguments/)
  })
})
