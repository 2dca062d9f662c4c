// Litmus tests: which outcomes TSO (x86) and PSO (SPARC) allow, as every textbook on weak memory lists them. Each
// program asserts that the weak outcome does not happen; engine `explicit` decides it on the program with buffers.
import { describe, expect, test } from 'vitest'
import { explicitEngine } from '../../../src/engine/explicit/index.js'
import { verifyUnderMemoryModel } from '../../../src/engine/weak-memory.js'
import { replay } from '../../../src/semantics/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'

const FENCE = '__sync_synchronize();'

interface Litmus {
  readonly name: string
  readonly threads: readonly string[]
  readonly weak: string
  /** Models that allow the weak outcome. */
  readonly allowed: readonly string[]
  /** The same for x and y in one array: through memory instead of variables. */
  readonly declarations?: string
}

const sb = (fence: string) => [`x = 1; ${fence} a = y;`, `y = 1; ${fence} b = x;`]
const mp = (fence: string) => [`x = 1; ${fence} y = 1;`, `a = y; ${fence} b = x;`]
const lb = (fence: string) => [`a = x; ${fence} y = 1;`, `b = y; ${fence} x = 1;`]
const iriw = (fence: string) => ['x = 1;', 'y = 1;', `a = x; ${fence} b = y;`, `c = y; ${fence} d = x;`]
const writes = (fence: string) => [`x = 1; ${fence} y = 2;`, `y = 1; ${fence} x = 2;`]

const LITMUS: readonly Litmus[] = [
  { name: 'SB', threads: sb(''), weak: 'a == 0 && b == 0', allowed: ['tso', 'pso'] },
  { name: 'SB fenced', threads: sb(FENCE), weak: 'a == 0 && b == 0', allowed: [] },
  {
    name: 'SB with one fence',
    threads: [sb(FENCE)[0]!, sb('')[1]!],
    weak: 'a == 0 && b == 0',
    allowed: ['tso', 'pso'],
  },
  {
    name: 'SB in an array',
    threads: ['m[0] = 1; a = m[1];', 'm[1] = 1; b = m[0];'],
    weak: 'a == 0 && b == 0',
    allowed: ['tso', 'pso'],
    declarations: 'int m[2];',
  },
  {
    name: 'own stores are seen',
    threads: ['m[0] = 1; a = m[0];', 'x = 5; b = x;'],
    weak: 'a != 1 || b != 5',
    allowed: [],
    declarations: 'int m[2];',
  },
  { name: 'MP', threads: mp(''), weak: 'a == 1 && b == 0', allowed: ['pso'] },
  { name: 'MP fenced', threads: mp(FENCE), weak: 'a == 1 && b == 0', allowed: [] },
  { name: 'LB', threads: lb(''), weak: 'a == 1 && b == 1', allowed: [] },
  { name: 'LB fenced', threads: lb(FENCE), weak: 'a == 1 && b == 1', allowed: [] },
  { name: 'IRIW', threads: iriw(''), weak: 'a == 1 && b == 0 && c == 1 && d == 0', allowed: [] },
  { name: '2+2W', threads: writes(''), weak: 'x == 1 && y == 1', allowed: ['pso'] },
  { name: '2+2W fenced', threads: writes(FENCE), weak: 'x == 1 && y == 1', allowed: [] },
]

/** What threads read they keep for themselves until they end: a result is not one more store in a buffer. */
const text = ({ threads, weak, declarations = '' }: Litmus): string => `
  #include <pthread.h>
  #include <assert.h>
  int x, y, a, b, c, d; ${declarations}
  ${threads.map((body, i) => `void *T${i}(void *p) { ${body} return 0; }`).join('\n')}
  int main() {
    pthread_t ${threads.map((_, i) => `t${i}`).join(', ')};
    ${threads.map((_, i) => `pthread_create(&t${i}, 0, T${i}, 0);`).join(' ')}
    ${threads.map((_, i) => `pthread_join(t${i}, 0);`).join(' ')}
    assert(!(${weak}));
  }`

const decide = async (source: string, memoryModel: 'sc' | 'tso' | 'pso') => {
  const raw = compileProgram(await testParser(), source)
  const settings = { arith: 'auto', solver: 'auto', memoryModel, spuriousWakeups: true } as const
  const env = { stopped: () => undefined, progress: () => {} }
  return verifyUnderMemoryModel(explicitEngine, { raw, property: 'assert', settings }, { por: 'both' }, env)
}

describe.each(LITMUS)('$name', (litmus) => {
  test.each(['sc', 'tso', 'pso'] as const)('%s', async (model) => {
    const { result, raw } = await decide(text(litmus), model)
    expect(result.verdict).toBe(litmus.allowed.includes(model) ? 'false' : 'true')
    if (result.verdict === 'false') expect(replay(raw, result.trace, 'assert').reached).toBe(true)
  })
})

test('a buffer that can always be full makes TRUE impossible', async () => {
  const source = `
    #include <pthread.h>
    #include <assert.h>
    int x, y;
    void *T(void *p) { while (1) x = 1; return 0; }
    int main() { pthread_t t; pthread_create(&t, 0, T, 0); assert(y == 0); }`
  expect((await decide(source, 'sc')).result.verdict).toBe('true')
  expect((await decide(source, 'tso')).result).toMatchObject({
    verdict: 'unknown',
    reason: { kind: 'inconclusive', why: expect.stringContaining('full') },
  })
})

test('locks are fences', async () => {
  const source = `
    #include <pthread.h>
    #include <assert.h>
    int x, y, a, b;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    void *T0(void *p) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); a = y; pthread_mutex_unlock(&m); return 0; }
    void *T1(void *p) { pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); b = x; pthread_mutex_unlock(&m); return 0; }
    int main() {
      pthread_t t, u; pthread_create(&t, 0, T0, 0); pthread_create(&u, 0, T1, 0); pthread_join(t, 0); pthread_join(u, 0);
      assert(a == 1 || b == 1);
    }`
  for (const model of ['tso', 'pso'] as const) expect((await decide(source, model)).result.verdict).toBe('true')
})
