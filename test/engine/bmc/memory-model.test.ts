// Programs under memory models as axioms: bmc against the enumeration of all execution graphs, and `sc` by this road
// against brute force over interleavings.
import { beforeAll, describe, expect, it } from 'vitest'
import { bmcEngine } from '../../../src/engine/bmc/index.js'
import { decideLitmus } from '../../../src/engine/litmus/index.js'
import type { CParser } from '../../../src/frontend/c/index.js'
import { parseLitmus } from '../../../src/frontend/litmus/index.js'
import { builtInModel, compileModel, type Model } from '../../../src/memory-model/index.js'
import { reasonText } from '../../../src/output/reason.js'
import type { Property } from '../../../src/property/index.js'
import { oracle } from '../../../src/semantics/index.js'
import { createSmt, type Smt } from '../../../src/smt/index.js'
import type { Result } from '../../../src/verdict/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { seededChoices } from '../../generate/choices.js'
import { compileProgram } from '../../generate/harness.js'
import { weakProgram } from '../../generate/weak.js'

let parser: CParser
let smt: Smt
const rc11 = builtInModel('rc11')
const sc = builtInModel('sc')
beforeAll(async () => {
  parser = await testParser()
  smt = await createSmt('auto')
})

const decide = (text: string, model: Model, property: Property = 'assert'): Result => {
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'rc11', spuriousWakeups: true } as const
  const raw = compileProgram(parser, text)
  return bmcEngine.verify(
    { raw, property, settings, smt, model },
    { depth: '20' },
    { stopped: () => undefined, progress: () => {} },
  )
}

const verdict = (text: string, model: Model, property?: Property): string => {
  const result = decide(text, model, property)
  return result.verdict === 'unknown' ? reasonText(result.reason) : result.verdict
}

const isAllowed = (litmus: string, model: Model): boolean => {
  const parsed = parseLitmus(litmus)
  if (parsed.kind === 'wrong') throw new Error(parsed.error.message)
  const answer = decideLitmus(parsed.test, model, { expired: () => false, maxCounted: 0, explain: false })
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  return answer.allowed
}

describe('generated programs over relaxed, acquire, release and seq_cst', () => {
  const seeds = Array.from(
    { length: Number(process.env['WEAK_PROGRAMS'] ?? 25) },
    (_, i) => i + Number(process.env['WEAK_FIRST'] ?? 1),
  )

  it('bmc finds an outcome under RC11 exactly if some consistent execution graph has it', () => {
    const counts = { allowed: 0, forbidden: 0 }
    for (const seed of seeds) {
      const { litmus, c } = weakProgram(seededChoices(seed))
      const allowed = isAllowed(litmus, rc11)
      counts[allowed ? 'allowed' : 'forbidden']++
      expect(verdict(c, rc11), `seed ${seed}\n${litmus}`).toBe(allowed ? 'false' : 'true')
    }
    // Both answers occur, or the comparison would say little.
    expect(Math.min(counts.allowed, counts.forbidden)).toBeGreaterThan(seeds.length / 10)
  })

  it('bmc finds a data race under RC11 exactly if some consistent execution graph has one', () => {
    const counts = { racy: 0, free: 0 }
    for (const seed of seeds) {
      const { litmus, c } = weakProgram(seededChoices(seed), true)
      const parsed = parseLitmus(litmus)
      if (parsed.kind === 'wrong') throw new Error(`${parsed.error.message}\n${litmus}`)
      const answer = decideLitmus(parsed.test, rc11, { expired: () => false, maxCounted: 100_000, explain: false })
      if (answer.kind === 'unknown' || !answer.counts) throw new Error(`seed ${seed} was not enumerated`)
      const racy = answer.flags.includes('data-race')
      counts[racy ? 'racy' : 'free']++
      expect(verdict(c, rc11, 'no-data-race'), `seed ${seed}\n${litmus}`).toBe(racy ? 'false' : 'true')
    }
    expect(Math.min(counts.racy, counts.free)).toBeGreaterThan(seeds.length / 10)
  })

  it('bytes: nothing changes if every location is also accessed byte by byte', () => {
    // Values of two bytes that belong together, and a write of one byte before the threads start.
    const byBytes = (text: string): string =>
      text
        .replace(/int main\(void\) \{/, (head) => `${head} ${['x', 'y', 'z'].map(firstByte).join(' ')}`)
        .replace(
          /(, |z = |== )(\d+)(?=, memory_order|;| &&|\))/g,
          (_, before, digit) => `${before}${Number(digit) * 257}`,
        )
    const firstByte = (name: string): string => `((unsigned char *)&${name})[0] = 0;`
    const counts = { allowed: 0, forbidden: 0 }
    for (const seed of seeds.filter((n) => n % 3 === 0)) {
      const { litmus, c } = weakProgram(seededChoices(seed))
      const allowed = isAllowed(litmus, rc11)
      counts[allowed ? 'allowed' : 'forbidden']++
      expect(verdict(byBytes(c), rc11), `seed ${seed}\n${byBytes(c)}`).toBe(allowed ? 'false' : 'true')
    }
    expect(Math.min(counts.allowed, counts.forbidden)).toBeGreaterThan(0)
  })

  it('sc by this road agrees with brute force over interleavings', () => {
    for (const seed of seeds.slice(0, 10)) {
      const { c } = weakProgram(seededChoices(seed))
      expect(verdict(c, sc), `seed ${seed}`).toBe(
        oracle(compileProgram(parser, c), 'assert', { maxStates: 50_000 }).verdict,
      )
    }
  })
})

const publish = (store: string, load: string, fences: readonly [string, string] = ['', '']): string => `
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
int data; atomic_int flag;
void *producer(void *a) { data = 42; ${fences[0]} atomic_store_explicit(&flag, 1, memory_order_${store}); return 0; }
void *consumer(void *a) { if (atomic_load_explicit(&flag, memory_order_${load})) { ${fences[1]} assert(data == 42); } return 0; }
int main(void) {
  pthread_t a, b; pthread_create(&a, 0, producer, 0); pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0); pthread_join(b, 0); return data != 42;
}`

describe('programs', () => {
  const release = 'atomic_thread_fence(memory_order_release);'
  const acquire = 'atomic_thread_fence(memory_order_acquire);'
  it.each([
    ['release', 'acquire', ['', ''], 'true'],
    ['relaxed', 'acquire', ['', ''], 'false'],
    ['release', 'relaxed', ['', ''], 'false'],
    ['release', 'consume', ['', ''], 'true'],
    ['relaxed', 'relaxed', [release, acquire], 'true'],
    ['relaxed', 'relaxed', [release, ''], 'false'],
    ['seq_cst', 'seq_cst', ['', ''], 'true'],
  ] as const)(
    'publication by %s and %s with %s: %s, for assertions and races alike',
    (store, load, fences, expected) => {
      const text = publish(store, load, fences)
      expect(verdict(text, rc11)).toBe(expected)
      expect(verdict(text, rc11, 'no-data-race')).toBe(expected)
    },
  )

  it('a read whose thread ends right after it races all the same', () => {
    const text = `
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready; int data;
void *writer(void *a) { data = 1; atomic_store_explicit(&ready, 1, memory_order_relaxed); return a; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, writer, 0);
  while (!atomic_load_explicit(&ready, memory_order_relaxed)) ;
  return data;
}`
    expect(verdict(text, rc11, 'no-data-race')).toBe('false')
    const ordered = text.replaceAll('relaxed', 'seq_cst')
    expect(verdict(ordered, rc11, 'no-data-race')).toBe('true')
  })

  it('a mutex orders, and start and join do', () => {
    const text = (lock: string, unlock: string): string => `
#include <pthread.h>
#include <assert.h>
int c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *a) { ${lock} c = c + 1; ${unlock} return 0; }
int main(void) {
  c = 5; pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);
  pthread_join(a, 0); pthread_join(b, 0); assert(c == 7); return 0;
}`
    const locked = text('pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);')
    expect(verdict(locked, rc11)).toBe('true')
    expect(verdict(locked, rc11, 'no-data-race')).toBe('true')
    expect(verdict(text('', ''), rc11)).toBe('false')
    expect(verdict(text('', ''), rc11, 'no-data-race')).toBe('false')
  })

  it('a counterexample is the execution graph, and a race says which accesses nothing orders', () => {
    const result = decide(publish('relaxed', 'acquire'), rc11, 'no-data-race')
    if (result.verdict !== 'false') throw new Error(result.verdict)
    expect(result.execution!.events.some((event) => event.label === 'W[A,RLX] flag=1')).toBe(true)
    expect(result.execution!.notes!.join(' ')).toMatch(/A race of .*line 6.*line 7|A race of .*line 7.*line 6/)
    expect(result.execution!.notes!.join(' ')).toContain('line 6 a release')
  })

  describe('memory that is accessed in several sizes', () => {
    const shared = (declarations: string, first: string, second: string, end = ''): string =>
      `#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n${declarations}
void *t0(void *a) { ${first} return 0; }
void *t1(void *a) { ${second} return 0; }
int main(void) {
  pthread_t p, q; pthread_create(&p, 0, t0, 0); pthread_create(&q, 0, t1, 0);
  pthread_join(p, 0); pthread_join(q, 0); ${end} return 0; }`
    const message = 'struct { atomic_int flag; int data; } m; unsigned char *const bytes = (unsigned char *)&m;'
    const relaxed = 'memory_order_relaxed'

    it('an atomic read finds all bytes of one write', () => {
      const twice = `atomic_store_explicit(&m.flag, 0x101, ${relaxed}); atomic_store_explicit(&m.flag, 0x202, ${relaxed});`
      const look = `int v = atomic_load_explicit(&m.flag, ${relaxed}); assert(v == 0 || v == 0x101 || v == 0x202);`
      expect(verdict(shared(message, twice, look, 'assert(bytes[1] == 2);'), rc11)).toBe('true')
      expect(verdict(shared(message, twice, `${look} assert(v != 0x202);`, 'bytes[4] = 0;'), rc11)).toBe('false')
    })

    it('or what was written to some of them later', () => {
      const parts = `atomic_store_explicit(&m.flag, 0x101, ${relaxed}); bytes[0] = 2; assert(m.flag == 0x102);`
      expect(verdict(shared(message, parts, ''), rc11)).toBe('true')
      expect(verdict(shared(message, parts, '', 'assert(m.flag != 0x102);'), rc11)).toBe('false')
    })

    it('two additions are not lost', () => {
      const add = `atomic_fetch_add_explicit(&m.flag, 0x1ff, ${relaxed});`
      expect(verdict(shared(message, add, add, 'assert(m.flag == 0x3fe); assert(bytes[0] == 0xfe);'), rc11)).toBe(
        'true',
      )
    })

    it.each([
      ['release', 'true'],
      ['relaxed', 'false'],
    ])('what was written byte by byte is read as a whole after a %s', (order, expected) => {
      const write = `bytes[4] = 1; bytes[5] = 2; atomic_store_explicit(&m.flag, 1, memory_order_${order});`
      const read = 'if (atomic_load_explicit(&m.flag, memory_order_acquire)) assert(m.data == 0x201);'
      expect(verdict(shared(message, write, read), rc11)).toBe(expected)
      expect(verdict(shared(message, write, read), rc11, 'no-data-race')).toBe(expected)
    })

    it('atomic accesses of different sizes to the same bytes have no meaning', () => {
      const union = 'union { atomic_int whole; atomic_uchar part; } u;'
      const [whole, part] = [`atomic_store_explicit(&u.whole, 0x101, ${relaxed});`, `u.part = 2;`]
      expect(verdict(shared(union, whole, part, 'assert(u.whole != 0x102);'), rc11)).toContain('several sizes')
    })
  })

  it('what the encoding has no meaning for is said by name', () => {
    const atomicBlock =
      'extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n#include <pthread.h>\n#include <assert.h>\nint x, y;\nvoid *t(void *a) { __VERIFIER_atomic_begin(); x = 1; y = 1; __VERIFIER_atomic_end(); return 0; }\nint main(void) { pthread_t p; pthread_create(&p, 0, t, 0); int a = y; int b = x; assert(!a || b); return 0; }'
    expect(verdict(atomicBlock, rc11)).toContain('an atomic step that accesses several locations')
    expect(verdict(publish('release', 'acquire'), builtInModel('rmo'))).toContain('coherence and atomicity')
    expect(verdict(publish('release', 'acquire'), builtInModel('arm8'))).toContain('how start and join order threads')
  })

  it('imm: violations count, whatever a compiler leaves of dependencies; proofs do not', () => {
    const imm = builtInModel('imm')
    expect(verdict(publish('relaxed', 'acquire'), imm)).toBe('false')
    expect(verdict(publish('relaxed', 'acquire'), imm, 'no-data-race')).toBe('false')
    expect(verdict(publish('release', 'acquire'), imm)).toContain('but the memory model allows others')
    // Load buffering is allowed by imm if nothing depends on the reads: here everything might.
    const buffering = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y; int a, b;
void *t(void *p) { a = atomic_load_explicit(&x, memory_order_relaxed); atomic_store_explicit(&y, 1, memory_order_relaxed); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0);
  b = atomic_load_explicit(&y, memory_order_relaxed); atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_join(p, 0); assert(!(a == 1 && b == 1)); return 0; }`
    expect(verdict(buffering, imm)).toContain('but the memory model allows others')
    expect(verdict(buffering, rc11)).toBe('true')
  })

  it('a model that allows more where there are more dependencies is refused', () => {
    const text = `"odd"
acyclic po-loc | rf | co | fr as coherence
empty rmw & (fre ; coe) as atomicity
acyclic (po | rf | start | join) \\ data as odd`
    const compiled = compileModel(text, 'odd.cat')
    if (compiled.kind === 'wrong') throw new Error(compiled.error.message)
    expect(verdict(publish('release', 'acquire'), compiled.model)).toContain('allows more where there are more')
  })
})
