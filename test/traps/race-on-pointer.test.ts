// A pointer that always holds the same address can still race: what is written is not what decides, that it is written
// is (semantics.md, Properties). Passes that know the value must keep the accesses.
import { describe, expect, test } from 'vitest'
import { testParser } from '../frontend/parse/load.js'
import { decidingContenders } from '../generate/contenders.js'
import { compareEngines, compileProgram } from '../generate/harness.js'

const parser = await testParser()

const program = (thread: string, main: string): string => `
  #include <pthread.h>
  extern void __VERIFIER_atomic_begin(void);
  extern void __VERIFIER_atomic_end(void);
  int x = 1;
  int *pointer = &x;
  void f(void) {}
  void g(void) {}
  void (*function)(void) = f;
  void *other(void *argument) { ${thread} return 0; }
  int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, other, 0);
    ${main}
    pthread_join(handle, 0);
    return 0;
  }`

const atomic = (text: string): string => `__VERIFIER_atomic_begin(); ${text} __VERIFIER_atomic_end();`

describe('no-data-race on a pointer that never changes', () => {
  test.each([
    ['read in an atomic block beside a plain write', atomic('*pointer = *pointer + 1;'), 'pointer = &x;', 'false'],
    ['written through in an atomic block', atomic('*pointer = 2;'), 'pointer = &x;', 'false'],
    ['both atomic', atomic('*pointer = 2;'), atomic('pointer = &x;'), 'true'],
    ['both plain', '*pointer = 2;', 'pointer = &x;', 'false'],
    ['only read', 'int r = *pointer;', 'int r = *pointer;', 'true'],
    ['a function pointer', atomic('function();'), 'function = f;', 'false'],
    ['a function pointer compared', atomic('if (function == g) x = 1;'), 'function = f;', 'false'],
  ])('%s', async (_name, thread, main, expected) => {
    const raw = compileProgram(parser, program(thread, main))
    const found = compareEngines(raw, 'no-data-race', await decidingContenders('no-data-race'))
    expect(found).toEqual({ expected, undecided: [], wrong: [] })
  })
})
