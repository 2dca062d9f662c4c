// Executions that are cut before what is not modelled: violations without it are found, and it is named.
import { describe, expect, it } from 'vitest'
import { compile } from '../../../src/frontend/c/index.js'
import { oracle } from '../../../src/semantics/index.js'
import { testParser } from '../parse/load.js'

const parser = await testParser()

const compiled = (text: string, cutUnsupported: boolean) =>
  compile([{ name: 'test.c', text: `#include <assert.h>\n${text}` }], { dataModel: 'lp64', cutUnsupported }, parser)

const ARGUMENTS = `
  int main(int argc, char **argv, char **envp) {
    if (argc == 7) return envp[1][0];
    assert(argc != 3);
  }`

describe('what is not modelled', () => {
  it('is an error unless executions may be cut there', () => {
    expect(() => compiled(ARGUMENTS, false)).toThrow('unsupported: a use of envp at test.c:4')
  })

  it('hides no violation on other executions', () => {
    const { program, cut } = compiled(ARGUMENTS, true)
    expect(cut?.message).toBe('unsupported: a use of envp at test.c:4')
    expect(oracle(program, 'assert').verdict).toBe('false')
  })

  it('ends its own executions', () => {
    const { program, cut } = compiled('extern int f(void); int main(void) { f(); assert(0); }', true)
    expect(cut?.message).toBe('unsupported: function f without a definition at test.c:2')
    expect(oracle(program, 'assert').verdict).toBe('true')
  })

  it('shows nobody the half of an atomic block', () => {
    const { program, cut } = compiled(
      `#include <pthread.h>
       extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), f(void);
       int x;
       void *other(void *argument) {
         __VERIFIER_atomic_begin();
         x = 1;
         f();
         x = 0;
         __VERIFIER_atomic_end();
         return argument;
       }
       int main(void) {
         pthread_t t;
         pthread_create(&t, 0, other, 0);
         assert(x == 0);
       }`,
      true,
    )
    expect(cut).toBeDefined()
    expect(oracle(program, 'assert').verdict).toBe('true')
  })

  it('leaves a use that is none', () => {
    expect(compiled('int main(int argc, char **argv) { (void)argv; return 0; }', true).cut).toBeUndefined()
  })
})
