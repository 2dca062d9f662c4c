// Forms that published tests use: words of C as names, addresses held by integers, comments without spaces, loops that
// try a compare-exchange again, and very many threads.
import { describe, expect, it } from 'vitest'
import { decideLitmus, type LitmusAnswer, type LitmusUnknown } from '../../../src/engine/litmus/index.js'
import { parseLitmus } from '../../../src/frontend/litmus/index.js'
import { builtInModel, type ModelName } from '../../../src/memory-model/index.js'

const decide = (text: string, model: ModelName): LitmusAnswer | LitmusUnknown => {
  const parsed = parseLitmus(text)
  if (parsed.kind === 'wrong')
    throw new Error(`${parsed.error.at.line}:${parsed.error.at.column}: ${parsed.error.message}`)
  return decideLitmus(parsed.test, builtInModel(model), { expired: () => false, maxCounted: 100, explain: true })
}

const holds = (text: string, model: ModelName): boolean | string => {
  const answer = decide(text, model)
  return answer.kind === 'unknown' ? answer.reason : answer.holds
}

describe('forms of C', () => {
  it('"continue" and "break" are names where something is assigned to them', () => {
    expect(
      holds(
        'C t\n{ }\nP0(int *x) { continue = 1; if (continue) { WRITE_ONCE(*x, 2); continue = 0; } }\nforall (x=2 /\\ 0:continue=0)',
        'lkmm',
      ),
    ).toBe(true)
  })

  it('a comment may start with a letter, and a dereference is none', () => {
    expect(
      holds(
        'C t\n(*Result: Never (or so)*)\n{ x=3; }\nP0(int *x, int *y) { int r = (*x) + 1; WRITE_ONCE(*y, (*x)); }\nforall (0:r=4 /\\ y=3)',
        'lkmm',
      ),
    ).toBe(true)
  })

  it('an array is the address of its first element, and an int that holds it counts in elements', () => {
    expect(
      holds(
        'C t\n{ b[2] = {7, 8}; p = *(&b); }\nP0(int *p) { int q = READ_ONCE(*p); int r0 = READ_ONCE(*q); int r1 = smp_load_acquire(q + 1); }\nforall (0:r0=7 /\\ 0:r1=8)',
        'lkmm',
      ),
    ).toBe(true)
  })
})

describe('loops that try a compare-exchange again', () => {
  const increment = (thread: number, kind: string): string =>
    `P${thread}(atomic_int *x) { int r0 = 0; while (!atomic_compare_exchange_${kind}_explicit(x, &r0, r0 + 1, memory_order_relaxed, memory_order_relaxed)) { } }\n`
  const count = (threads: number, kind: string, condition: string): string =>
    `C count\n{ }\n${Array.from({ length: threads }, (_, i) => increment(i, kind)).join('')}${condition}`

  it.each(['strong', 'weak'])('counters that use a %s one lose nothing', (kind) => {
    expect(holds(count(2, kind, 'forall (x=2)'), 'rc11')).toBe(true)
    expect(holds(count(2, kind, 'forall (x=1)'), 'rc11')).toBe(false)
  })

  it('the loop is unrolled as far as the writes of others make it go on', () => {
    const writers = [1, 2, 3].map(
      (i) => `P${i}(atomic_int *x) { atomic_store_explicit(x, ${i}, memory_order_relaxed); }\n`,
    )
    const text = `C far\n{ }\n${increment(0, 'strong')}${writers.join('')}`
    // The exchange sees 0 to 3 and leaves one more.
    expect(holds(`${text}~exists (x=5)`, 'rc11')).toBe(true)
    expect(holds(`${text}exists (x=4)`, 'rc11')).toBe(true)
  })

  it('in assembly, too', () => {
    const x86 =
      'X86 t\n{ }\n P0 | P1 ;\n MOV EAX,[x] | MOV EAX,[x] ;\n L: | L: ;\n MOV EBX,EAX | MOV EBX,EAX ;\n INC EBX | INC EBX ;\n LOCK CMPXCHG [x],EBX | LOCK CMPXCHG [x],EBX ;\n JNE L | JNE L ;\nforall (x=2)'
    expect(holds(x86, 'tso')).toBe(true)
  })

  it('a loop that goes on for another reason is not taken as complete', () => {
    const text =
      'C t\n{ }\nP0(atomic_int *x) { int r0 = 0; int i = 0; while (!atomic_compare_exchange_strong(x, &r0, r0 + 1)) { i++; } }\nP1(atomic_int *x) { atomic_store(x, 5); }\n~exists (0:i=9)'
    expect(holds(text, 'rc11')).toBe('a loop was unrolled only in part')
    // Reads of one location may be out of order here, and the loop may go to and fro.
    expect(holds(count(2, 'strong', 'forall (x=2)'), 'rmo')).toBe('a loop was unrolled only in part')
  })
})

it('a value that goes through forty threads is followed backwards from the condition', () => {
  const last = 40
  const threads = Array.from(
    { length: last },
    (_, i) =>
      `P${i + 1}(int *x${i + 1}, int *x${i + 2}) { int t = READ_ONCE(*x${i + 1}); WRITE_ONCE(*x${i + 2}, t); }\n`,
  )
  const text = `C chain\n{ x0=1; }\nP0(int *x0, int *x1, int *x${last + 1}, int *y) { int p = READ_ONCE(*x0); WRITE_ONCE(*x1, p); int t = READ_ONCE(*x${last + 1}); WRITE_ONCE(*y, t); }\n${threads.join('')}exists (y=1)`
  expect(holds(text, 'lkmm')).toBe(true)
})

it('values out of thin air are found where a model allows them', () => {
  const copies = (body: string): string =>
    `C OOTA\n{ }\nP0(int *x, int *y) { int r1; r1 = ${body.replace('AT', '*x')}; *y = r1; }\nP1(int *x, int *y) { int r1; r1 = ${body.replace('AT', '*y')}; *x = r1; }\n`
  // explanation.txt: plain stores may use the location as temporary storage.
  expect(holds(`${copies('AT')}exists (~0:r1=0 \\/ ~1:r1=0)`, 'lkmm')).toBe(true)
  expect(holds(`${copies('AT')}exists (0:r1=7 /\\ 1:r1=7)`, 'lkmm')).toBe(true)
  // No number is one more than itself.
  expect(holds(`${copies('AT + 1')}exists (0:r1=7 /\\ 1:r1=7)`, 'lkmm')).not.toBe(true)
})
