// Rules of semantics.md that lowering decides: what is known by name, what is arbitrary, what is noted or refused.
import { describe, expect, it } from 'vitest'
import { InputError, WEAK_ORDER } from '../../../src/frontend/c/index.js'
import { oracle } from '../../../src/semantics/index.js'
import { compileText, edgesOf, texts } from './support.js'

const verdict = (text: string, property = 'assert'): string => oracle(compileText(text).program, property).verdict

describe('names', () => {
  it('reach_error is the violation, even if the program defines it', () => {
    const program = 'void reach_error(void) { } int main(void) { reach_error(); return 0; }'
    expect(verdict(program, 'unreach-call')).toBe('false')
  })

  it('assert is no violation of unreach-call', () => {
    const program = '#include <assert.h>\nint main(void) { assert(0); return 0; }'
    expect(verdict(program, 'unreach-call')).toBe('true')
    expect(verdict(program, 'assert')).toBe('false')
  })

  it.each(['abort()', 'exit(1)', '_Exit(0)'])('nothing happens after %s', (end) => {
    const head = '#include <assert.h>\n#include <stdlib.h>\n'
    expect(verdict(`${head}int main(void) { ${end}; assert(0); return 0; }`)).toBe('true')
  })

  it('the text of an assertion is the asserted expression', () => {
    const { program } = compileText('#include <assert.h>\nint x; int main(void) { assert(x == 1); return 0; }')
    expect(program.main.locations.find((location) => location.kind === 'error')?.violation).toEqual({
      kind: 'assert',
      text: 'x == 1',
    })
    expect(program.main.edges[0]!.text).toBe('assert(x == 1);')
  })
})

describe('arbitrary values', () => {
  it('an uninitialised local is arbitrary where it may be read', () => {
    const choice = '#include <assert.h>\nint main(void) { _Bool b; assert(b != VALUE); return 0; }'
    expect(verdict(choice.replace('VALUE', '0'))).toBe('false')
    expect(verdict(choice.replace('VALUE', '1'))).toBe('false')
  })

  it('in each iteration anew', () => {
    const program = `#include <assert.h>
      int main(void) {
        int seen = 0;
        for (int i = 0; i < 2; i++) { _Bool b; seen = seen * 2 + b; }
        assert(seen != 2);
        return 0;
      }`
    expect(verdict(program)).toBe('false')
    expect(verdict(program.replace('_Bool b;', '_Bool b, *p = &b;').replace('+ b', '+ *p'))).toBe('false')
  })

  it('also where a jump passes by the declaration, and in the head of a loop', () => {
    const jump = 'int main(void) { int x = 1; switch (x) { _Bool b; case 1: assert(!b); } return 0; }'
    expect(verdict(`#include <assert.h>\n${jump}`)).toBe('false')
    const head = 'int main(void) { for (_Bool b, *p = &b; ; ) { assert(!*p); return 0; } }'
    expect(verdict(`#include <assert.h>\n${head}`)).toBe('false')
  })

  it('nothing is chosen for a local that is always written first', () => {
    expect(texts(edgesOf('int x;', 'int r; if (x) r = 1; else r = 2; x = r;')).join()).not.toContain('havoc')
    expect(texts(edgesOf('int x;', 'int r; if (x) r = 1; x = r;')).join()).toContain('havoc')
  })

  it('nor for an object in memory that is', () => {
    const set = 'static void set(int *p) { *p = 1; } int x;'
    const { program } = compileText(`${set} int main(void) { for (;;) { int r; set(&r); x = r; } }`)
    expect(texts(program.main.edges).join()).not.toContain('havoc')
    expect(program.objects.find((object) => object.name === 'r')!.contents).toBe('zero')
  })
})

describe('threads', () => {
  it('a thread-local variable is one a thread', () => {
    const program = `#include <assert.h>
      #include <pthread.h>
      _Thread_local int mine;
      void *run(void *unused) { mine++; assert(mine == 1); return 0; }
      int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, run, 0);
        pthread_create(&b, 0, run, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        assert(mine == 0);
        return 0;
      }`
    expect(verdict(program)).toBe('true')
  })

  it('a result comes through join, also that of pthread_exit, and main may end before its threads', () => {
    const program = `#include <assert.h>
      #include <pthread.h>
      int done;
      void *run(void *value) { if (value) pthread_exit((void *)5); return (void *)7; }
      void *late(void *unused) { done = 1; assert(!done); return 0; }
      int main(void) {
        pthread_t a, b;
        void *first, *second;
        pthread_create(&a, 0, run, 0);
        pthread_create(&b, 0, run, &done);
        pthread_join(a, &first);
        pthread_join(b, &second);
        assert(first == (void *)7 && second == (void *)5);
        LATE
      }`
    expect(verdict(program.replace('LATE', 'return 0;'))).toBe('true')
    const late = 'pthread_create(&a, 0, late, 0); pthread_exit(0);'
    expect(verdict(program.replace('LATE', late))).toBe('false')
  })

  it('each instance has its own locals, also those in memory', () => {
    const program = `#include <assert.h>
      #include <pthread.h>
      void *run(void *n) { long own = (long)n, *p = &own; *p += 1; assert(own == (long)n + 1); return 0; }
      int main(void) {
        pthread_t t[2];
        for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, run, (void *)i);
        for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
        return 0;
      }`
    expect(verdict(program)).toBe('true')
  })
})

describe('what is refused', () => {
  it('a program without main is wrong input', () => {
    expect(() => compileText('int f(void) { return 0; }')).toThrow(InputError)
    expect(() => compileText('int main(void) { return 0; }', { entry: 'start' })).toThrow(/no function start/)
  })

  it('a function without a definition is unsupported where it is reached, and only there', () => {
    const call = 'int unknown(int); int main(void) { CONDITION return unknown(1); return 0; }'
    expect(() => compileText(call.replace('CONDITION', ''))).toThrow(/unsupported: .*unknown.* at test.c:1/)
    expect(() => compileText(call.replace('CONDITION', 'if (0)'))).not.toThrow()
    expect(() =>
      compileText(`${call.replace('main', 'unused').replace('CONDITION', '')} int main(void) { return 0; }`),
    ).not.toThrow()
  })

  it('who joins itself is told so, and goes on', () => {
    const head = '#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <threads.h>\n'
    const self = (claim: string): string => verdict(`${head}int main(void) { assert(${claim}); return 0; }`)
    expect(self('pthread_join(pthread_self(), 0) != EDEADLK')).toBe('false')
    expect(self('pthread_join(pthread_self(), 0) == EDEADLK')).toBe('true')
    expect(self('thrd_join(thrd_current(), 0) == thrd_error')).toBe('true')
  })

  it.each(['p[1] == 0', 'p[k] == 0', 'p[0] == 0'])(
    'a cleared block at the address of a freed one is cleared: %s',
    (claim) => {
      const text = (condition: string): string => `#include <assert.h>
#include <stdlib.h>
struct tail { int n; short items[]; };
int main(void) {
  struct tail *t = malloc(8); t->n = 1; free(t);
  int *p = calloc(2, 4); int k = 0; while (k < 1 && p[k] == 0) k++;
  assert(${condition}); free(p); return 0; }`
      expect(verdict(text(`(void *)p != (void *)t || ${claim}`))).toBe('true')
      expect(verdict(text(`(void *)p != (void *)t`))).toBe('false')
    },
  )

  it('of two threads that main has started one is told so, if they join each other', () => {
    const text = (first: string, second: string): string => `#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_t a, b; int r;
void *f(void *p) { r = pthread_join(${first}, 0); return p; }
void *g(void *p) { pthread_join(${second}, 0); return p; }
int main(void) { pthread_create(&a, 0, f, &b); pthread_create(&b, 0, g, &a); assert(r != EDEADLK); pthread_exit(0); }`
    expect(verdict(text('b', 'a'))).toBe('false')
    expect(verdict(text('*(pthread_t *)p', 'a'))).toBe('false')
    expect(verdict(text('b', '*(pthread_t *)p'))).toBe('false')
    // What a compiler has read from its standard input is no library of ours, whatever its line markers say.
    expect(verdict(`# 1 "<stdin>"\n${text('b', 'a')}`)).toBe('false')
  })

  it('of two threads that join each other one is told so, or they wait for ever', () => {
    const text = (claim: string): string => `#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_t other, self; int mine, its;
void *f(void *p) { its = pthread_join(self, 0); return p; }
int main(void) { self = pthread_self(); pthread_create(&other, 0, f, 0);
  mine = pthread_join(other, 0); assert(${claim}); return 0; }`
    expect(verdict(text('mine == 0'))).toBe('false')
    expect(verdict(text('mine == EDEADLK'))).toBe('false')
    expect(verdict(text('mine == EDEADLK || its == EDEADLK'))).toBe('true')
    expect(verdict(text('1'), 'no-deadlock')).toBe('false')
  })

  it.each(['(void)(y != 2);', 'y;', 'y && z;', 'y || z;', 'y ? 1 : 2;', 'y, 0;', '-y;'])(
    'inside an atomic block %s reads y, and races',
    (statement) => {
      const text = (other: string): string => `#include <pthread.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
int y, z; void *f(void *p) { ${other} return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  __VERIFIER_atomic_begin(); ${statement} __VERIFIER_atomic_end(); return 0; }`
      expect(verdict(text('y = 1;'), 'no-data-race')).toBe('false')
      expect(verdict(text('int own = y; own = 1;'), 'no-data-race')).toBe('true')
    },
  )

  it('that the value of an assignment is not read again is noted where another thread could tell', () => {
    const notes = (statement: string): readonly string[] =>
      compileText(
        `#include <pthread.h>\n#include <stdatomic.h>\nint x, y; atomic_int a;
void *f(void *p) { int r = 0; ${statement} return p; }
int main(void) { pthread_t t; return pthread_create(&t, 0, f, 0); }`,
      ).notes
    expect(notes('x = 1; x++; x += 2; r = r = 2; y = a = 1; y = x++;')).toEqual([])
    for (const statement of ['y = x = 1;', 'y = x += 1;', 'y = ++x;', 'if (x = r) y = 2;'])
      expect(notes(statement)).toEqual([expect.stringMatching(/^the value of an assignment is what was assigned/)])
  })

  it('a weak memory order is noted', () => {
    const load = (order: string): readonly string[] =>
      compileText(`#include <stdatomic.h>\natomic_int x; int main(void) { return atomic_load_explicit(&x, ${order}); }`)
        .notes
    expect(load('memory_order_seq_cst')).toEqual([])
    expect(load('memory_order_relaxed')).toEqual([WEAK_ORDER])
  })
})
