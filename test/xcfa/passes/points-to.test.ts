// Points-to analysis comes to an end on pointers that walk through memory, and still sees where they come back from
// outside of their object or array.
import { expect, test } from 'vitest'
import { oracle } from '../../../src/semantics/exploration/oracle.js'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { reuseAddresses } from '../../../src/xcfa/passes/memory/reuse.js'
import { compileText } from '../../frontend/lower/support.js'

const prepared = (text: string) => prepare(compileText(text).program)
const verdicts = (text: string): readonly string[] => {
  const { program } = compileText(text)
  return [program, prepare(program)].map((each) => oracle(each, 'assert').verdict)
}

test('a pointer that walks along an array inside a record on the heap', () => {
  const program = prepared(`#include <stdlib.h>
    #include <pthread.h>
    typedef struct { int n; char data[14]; } ref;
    static ref *r;
    static void *th(void *a) { for (char *s = r->data; *s; s++) ; return NULL; }
    int main(void) { r = malloc(sizeof(ref)); pthread_t t; pthread_create(&t, NULL, th, 0); return 0; }`)
  expect(program.templates.size).toBe(2)
})

test('two walking pointers that are exchanged through memory', () => {
  const program = prepared(`char a[6], b[40], *p = a, *q = b, **pp = &p;
    int main(void) { while (*p) { char *t = q; q = p + 1; p = t + 3; *pp = q; pp = *q ? &q : &p; (*pp)--; } return 0; }`)
  expect(program.templates.size).toBe(1)
})

test('the place after an array, moved back by less than the step', () => {
  expect(
    verdicts(`#include <assert.h>
      extern _Bool __VERIFIER_nondet_bool(void);
      int arr[4], *volatile p;
      int main(void) { int i = 2 - __VERIFIER_nondet_bool(); p = arr + 2 * i; p[-1] = 1; assert(arr[3] == 0); }`),
  ).toEqual(['false', 'false'])
})

test('the place before an array, moved into it', () => {
  expect(
    verdicts(`#include <assert.h>
      extern _Bool __VERIFIER_nondet_bool(void);
      int arr[4], *volatile p, *volatile q;
      int main(void) { int i = __VERIFIER_nondet_bool(); p = arr; q = p - 1; q = q + 2 * i; q[1] = 1; assert(arr[0] == 0); }`),
  ).toEqual(['false', 'false'])
})

test('a table of functions on the heap, filled by constants and called by an index', () => {
  expect(
    verdicts(`#include <assert.h>
      #include <stdlib.h>
      extern _Bool __VERIFIER_nondet_bool(void);
      int hit;
      void f(void) { hit = 1; }
      void g(void) { hit = 2; }
      struct table { int size; void (*call[3])(void); };
      int main(void) {
        struct table *t = malloc(sizeof *t);
        t->call[1] = f;
        t->call[2] = g;
        int i = 2 - __VERIFIER_nondet_bool();
        t->call[i]();
        assert(hit == 2);
      }`),
  ).toEqual(['false', 'false'])
})

const RECORD_ON_THE_HEAP = `#include <assert.h>
  #include <stdlib.h>
  extern _Bool __VERIFIER_nondet_bool(void);
  static int any_of_4(void) { int i = 2 * __VERIFIER_nondet_bool(); return i + __VERIFIER_nondet_bool(); }`

test('a masked index stays in its array, so that pointers there are not in the numbers behind it', () => {
  const { program } = compileText(`${RECORD_ON_THE_HEAP}
    struct node { struct node *next; };
    struct table { struct node *buckets[4]; long used, most; };
    int main(void) {
      struct table *t = calloc(1, sizeof *t);
      struct node *n = calloc(1, sizeof *n);
      t->buckets[t->used & 3] = n;
      t->used++;
      t->most = 1;
      if (t->used == t->most) free(t->buckets[(unsigned)t->used % 4]);
    }`)
  expect(reuseAddresses(program, false)).toEqual({ program })
})

test('an array at the end of its record goes on behind it', () => {
  expect(
    verdicts(`${RECORD_ON_THE_HEAP}
      struct text { int length; long words[2]; };
      int main(void) {
        struct text *t = calloc(1, sizeof *t + 2 * sizeof(long));
        t->words[any_of_4()] = 1;
        assert(((long *)(t + 1))[1] == 0);
      }`),
  ).toEqual(['false', 'false'])
})

test('an index that leaves its array reaches the next member', () => {
  expect(
    verdicts(`${RECORD_ON_THE_HEAP}
      struct pair { long first[2], second[2]; };
      int main(void) {
        struct pair *p = calloc(1, sizeof *p);
        p->first[any_of_4() & 3] = 1;
        assert(p->second[0] == 0);
      }`),
  ).toEqual(['false', 'false'])
})
