// C programs whose memory is more than scalars: every pass keeps what brute force finds on the raw program, and
// memory is split as far as C's rules allow.
import { describe, expect, it } from 'vitest'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { compileText } from '../../frontend/lower/support.js'
import { disagreements, outcomes } from './outcomes.js'

const HEADERS = '#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n'

interface Sample {
  readonly name: string
  readonly text: string
  /** Whether an assertion can fail. */
  readonly fails: boolean
  /** Element types of the regions that are left, sorted. */
  readonly regions?: readonly string[]
}

const SAMPLES: readonly Sample[] = [
  {
    name: 'a lost update under no lock',
    text: `int x; void *f(void *a) { x = x + 1; return 0; }
      int main() { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, f, 0);
        pthread_join(s, 0); pthread_join(t, 0); assert(x == 2); }`,
    fails: true,
    regions: [],
  },
  {
    name: 'the same under a mutex in a struct that a pointer leads to',
    text: `struct account { pthread_mutex_t m; int balance; } a;
      void add(struct account *p, int n) { pthread_mutex_lock(&p->m); p->balance += n; pthread_mutex_unlock(&p->m); }
      void *f(void *p) { add(p, 1); return 0; }
      int main() { pthread_t s, t; pthread_create(&s, 0, f, &a); pthread_create(&t, 0, f, &a);
        pthread_join(s, 0); pthread_join(t, 0); assert(a.balance == 2); }`,
    fails: false,
    regions: [],
  },
  {
    name: 'a queue: the array keeps apart from the indices beside it',
    text: `struct { int data[4]; int head, tail; } q;
      void *f(void *a) { int i; for (i = 0; i < 2; i++) { q.data[q.tail] = i + 1; q.tail++; } return 0; }
      int main() { pthread_t t; int seen = 0; pthread_create(&t, 0, f, 0);
        while (q.head < 2) { if (q.head < q.tail) { seen = q.data[q.head]; q.head++; assert(seen == q.head); } } }`,
    fails: false,
    regions: ['int'],
  },
  {
    name: 'an element of an array of arrays, by two indices',
    text: `int m[2][3];
      int main() { int i, j; for (i = 0; i < 2; i++) for (j = 0; j < 3; j++) m[i][j] = 10 * i + j; assert(m[1][1] != 11); }`,
    fails: true,
  },
  {
    name: 'all rows of an array with one index',
    text: `int m[2][3]; int main() { int *p = &m[0][0]; int i; for (i = 0; i < 6; i++) p[i] = i; assert(m[1][2] != 5); }`,
    fails: true,
  },
  {
    name: 'an array in the elements of an array',
    text: `struct { int head; int data[3]; } s[2];
      int main() { int i, j; for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) s[i].data[j] = 1; assert(s[1].data[1] == 0); }`,
    fails: true,
  },
  {
    name: 'the same place in the array of each element',
    text: `struct { int head; int data[3]; } s[2];
      int main() { int i; for (i = 0; i < 2; i++) s[i].data[0] = 1; assert(s[1].data[0] == 0); }`,
    fails: true,
  },
  {
    name: 'an element by a pointer to its record',
    text: `struct item { int head; int data[3]; } s[2];
      int main() { int i; for (i = 0; i < 6; i++) { struct item *p = &s[i / 3]; p->data[i % 3] = i; } assert(s[1].data[2] != 5); }`,
    fails: true,
  },
  {
    name: 'a record from an element of an array in it',
    text: `struct item { int head; int data[3]; } s;
      int main() { int i; for (i = 0; i < 3; i++) { int *p = &s.data[i]; struct item *q = (struct item *)((char *)(p - i) - 4);
        q->head = i; } assert(s.head != 2); }`,
    fails: true,
  },
  {
    name: 'all bytes of a record that begins with an array',
    text: `struct { int data[2]; int tail; } s;
      int main() { char *p = (char *)&s; int i; s.tail = 7; for (i = 0; i < 12; i++) p[i] = 0; assert(s.tail == 7); }`,
    fails: true,
  },
  {
    name: 'all bytes of a record that begins with characters',
    text: `struct { struct { char name[2]; } key; char tail; } s[2];
      int main() { char *p = (char *)&s[1]; int i; s[1].tail = 7; for (i = 0; i < 3; i++) p[i] = 0; assert(s[1].tail == 7); }`,
    fails: true,
  },
  {
    name: 'two pointers that may be equal',
    text: `int x, y; int *p = &x;
      void *f(void *a) { p = &y; return 0; }
      int main() { pthread_t t; pthread_create(&t, 0, f, 0); *p = 1; assert(x == 1); }`,
    fails: true,
    regions: ['int'],
  },
  {
    name: 'a list on the heap',
    text: `struct node { int value; struct node *next; } *list;
      void push(int v) { struct node *n = malloc(sizeof *n); n->value = v; n->next = list; list = n; }
      void *f(void *a) { push(1); return 0; }
      int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); push(2);
        assert(list->value == 2 && list->next->value == 1 && list->next->next == 0); }`,
    fails: false,
    regions: ['int', 'pointer'],
  },
  {
    name: 'function pointers in a table',
    text: `int r; int one(int x) { return x + 1; } int two(int x) { return x + 2; } int three(int x) { assert(0); return 3; }
      int (*table[2])(int) = { one, two }; int (*unused)(int) = three;
      void *f(void *a) { r = table[(long)a](10); return 0; }
      int main() { pthread_t t; pthread_create(&t, 0, f, (void *)1); pthread_join(t, 0); assert(r == 12); }`,
    fails: false,
  },
  {
    name: 'an argument that each thread gets by the address of an element',
    text: `int ids[2]; int sum; void *f(void *a) { int *id = a; __VERIFIER_atomic_begin(); sum += *id; __VERIFIER_atomic_end(); return 0; }
      int main() { pthread_t t[2]; int i; for (i = 0; i < 2; i++) { ids[i] = i + 1; pthread_create(&t[i], 0, f, &ids[i]); }
        for (i = 0; i < 2; i++) pthread_join(t[i], 0); assert(sum == 3); }`,
    fails: false,
  },
  {
    name: 'a local whose address another thread gets',
    text: `void *f(void *a) { *(int *)a = 1; return 0; }
      int main() { int x = 0; pthread_t t; pthread_create(&t, 0, f, &x); assert(x == 0); pthread_join(t, 0); assert(x == 1); }`,
    fails: true,
  },
  {
    name: 'a local whose address stays in its thread',
    text: `int g; void set(int *p, int v) { *p = v; } void *f(void *a) { int x; set(&x, 3); g = x; return 0; }
      int main() { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, f, 0);
        pthread_join(s, 0); pthread_join(t, 0); assert(g == 3); }`,
    fails: false,
    regions: [],
  },
  {
    name: 'a struct in the frame of main that others get, written before they start',
    text: `struct s { pthread_mutex_t m; int n; };
      void *f(void *a) { struct s *p = a; pthread_mutex_lock(&p->m); p->n++; pthread_mutex_unlock(&p->m); return 0; }
      int main() { struct s v; pthread_t t, u; pthread_mutex_init(&v.m, 0); v.n = 0;
        pthread_create(&t, 0, f, &v); pthread_create(&u, 0, f, &v); pthread_join(t, 0); pthread_join(u, 0);
        assert(v.n == 2); }`,
    fails: false,
    regions: [],
  },
  {
    name: 'a local that is read before it is written',
    text: `int g; void *f(void *a) { int x; int *p = &x; if (g) *p = 1; assert(*p == 1); return 0; }
      int main() { pthread_t t; pthread_create(&t, 0, f, 0); g = 1; }`,
    fails: true,
    regions: ['int'],
  },
  {
    name: 'a local array of one thread with a computed index',
    text: `int g; void *f(void *a) { int seen[2] = { 0, 0 }; int i; for (i = 0; i < 2; i++) seen[g] = 1;
        assert(seen[0] + seen[1] < 2); return 0; }
      int main() { pthread_t t; pthread_create(&t, 0, f, 0); g = 1; }`,
    fails: true,
    regions: ['int'],
  },
  {
    name: 'thread-local storage',
    text: `_Thread_local int mine = 5; int g; void *f(void *a) { mine++; g = mine; return 0; }
      int main() { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, f, 0);
        pthread_join(s, 0); pthread_join(t, 0); assert(g == 6 && mine == 5); }`,
    fails: false,
    regions: [],
  },
  {
    name: 'a union and bytes of an integer',
    text: `union { unsigned int word; unsigned char bytes[4]; } u;
      void *f(void *a) { u.bytes[1] = 2; return 0; }
      int main() { pthread_t t; u.word = 0x01010101; pthread_create(&t, 0, f, 0); pthread_join(t, 0);
        assert(u.word == 0x01010201); }`,
    fails: false,
    regions: ['bytes'],
  },
  {
    name: 'a value that a joined thread returns',
    text: `void *f(void *a) { return (void *)((long)a + 1); }
      int main() { pthread_t t; void *r; pthread_create(&t, 0, f, (void *)41); pthread_join(t, &r); assert((long)r == 42); }`,
    fails: false,
  },
  {
    name: 'a condition variable',
    text: `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;
      void *f(void *a) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }
      int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m);
        while (!ready) pthread_cond_wait(&c, &m); assert(ready); pthread_mutex_unlock(&m); }`,
    fails: false,
  },
  {
    name: 'two locks in opposite order',
    text: `pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
      void *f(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
      int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&a); pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); pthread_join(t, 0); }`,
    fails: false,
    regions: [],
  },
]

describe.each(SAMPLES)('$name', ({ text, fails, regions }) => {
  const { program } = compileText(HEADERS + text)

  it('has the same outcomes after every pass', () => {
    const expected = outcomes(program)
    expect(expected).toBeDefined()
    const failures = [...expected!].filter((outcome) => !outcome.startsWith('no-'))
    expect(failures.length > 0).toBe(fails)
    expect(disagreements(program, expected!)).toEqual([])
  })

  if (regions === undefined) return
  it('leaves only the memory that needs addresses', () => {
    const prepared = prepare(program)
    const elements = prepared.regions.map(({ element }) => (element === 'bytes' ? element : element.kind))
    expect(elements.sort()).toEqual(regions)
  })
})
