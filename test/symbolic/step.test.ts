// A step as data: what `stepOf` notes of the labels of an edge, and what every kind of obligation is about. Engines only
// choose policies, so what holds here holds for all of them.
import { describe, expect, test } from 'vitest'
import { evaluate, FALSE, freeVariables, substitute, type Term, TRUE } from '../../src/logic/index.js'
import { errorsOf } from '../../src/property/index.js'
import { ControlFlow } from '../../src/semantics/control.js'
import { isInput, type Transition, Transitions } from '../../src/symbolic/index.js'
import type { Program } from '../../src/xcfa/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import { createEncoding, type ObligationKind } from '../../src/xcfa/terms/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

const parser = await testParser()

const programOf = (main: string, before = ''): Program =>
  prepare(
    errorsOf(
      compileProgram(
        parser,
        `#include <assert.h>\n#include <stdlib.h>\n#include <pthread.h>
extern int __VERIFIER_nondet_int(void); ${before} int main(void) { ${main} return 0; }`,
      ),
      'assert',
    ),
    { largeBlocks: false, slice: false },
  )

const POLICY = { strays: 'stop', locals: 'all', maxInitialCells: 64 } as const

/** Every step of main, as if it came first. */
const stepsOf = (program: Program, policy: typeof POLICY | { readonly strays: 'proceed' } = POLICY) => {
  const transitions = new Transitions(program, createEncoding('int'), { ...POLICY, ...policy })
  const flow = new ControlFlow(program)
  const { main } = program
  return main.edges.map((edge): Transition => {
    const control = { ...flow.initial(), threads: [{ number: 0, template: main, location: edge.source }] }
    return transitions.of(control, { thread: 0, edge })
  })
}

const owed = (steps: readonly Transition[], kind: ObligationKind): readonly Term[] =>
  steps.flatMap(({ obligations }) => obligations.flatMap((o) => (o.kind === kind ? [o.holds] : [])))

describe('obligations', () => {
  test('a signed operation stays in its type', () => {
    const steps = stepsOf(programOf('int a = __VERIFIER_nondet_int(); int b = a + 1; assert(b != 7);'))
    expect(owed(steps, 'overflow').length).toBeGreaterThan(0)
  })
  test('an allocation of unknown size fits what is reserved, one of known size always does', () => {
    const unknown = owed(
      stepsOf(programOf('unsigned n = __VERIFIER_nondet_int(); char *p = malloc(n); *p = 1;')),
      'allocation-size',
    )
    expect(unknown.length).toBe(1)
    const [size] = freeVariables(unknown[0]!)
    const holdsAt = (bytes: number): unknown =>
      evaluate(substitute(unknown[0]!, new Map()), new Map([[size!, BigInt(bytes)]]))
    expect([holdsAt(4096), holdsAt(4097)]).toEqual([true, false])
    expect(owed(stepsOf(programOf('char *p = malloc(5000); *p = 1;')), 'allocation-size')).toEqual([])
  })
  test('addresses are left for one more heap instance', () => {
    const [holds] = owed(stepsOf(programOf('char *p = malloc(1 << 20); *p = 1;')), 'heap-instances')
    const [count] = freeVariables(holds!)
    const holdsAt = (instances: number): unknown => evaluate(holds!, new Map([[count!, BigInt(instances)]]))
    expect([holdsAt(15), holdsAt(16)]).toEqual([true, false])
  })
  test('addresses are left for the objects of one more thread', () => {
    const thread = 'void *f(void *x) { char own[1 << 16]; *(char **)x = own; return 0; }'
    const program = programOf('pthread_t t; char *p; pthread_create(&t, 0, f, &p);', thread)
    const transitions = new Transitions(program, createEncoding('int'), POLICY)
    const { main } = program
    const edge = main.edges.find(({ labels }) => labels.some(({ kind }) => kind === 'start'))!
    const beside = (count: number): readonly Term[] => {
      const threads = Array.from({ length: count }, (_, number) => ({ number, template: main, location: edge.source }))
      return owed([transitions.of({ threads, key: `${count}` }, { thread: 0, edge })], 'thread-instances')
    }
    expect(beside(63)).toEqual([])
    expect(beside(64)).toEqual([FALSE])
  })
})

describe('policies', () => {
  const program = () => programOf('int a[2] = {1, 2}; int i = __VERIFIER_nondet_int(); assert(a[i] != 3);')
  const loads = (steps: readonly Transition[]): readonly Transition[] =>
    steps.filter(({ accesses }) => accesses.some(({ label }) => label.kind === 'load'))
  test('an access that hits no object stops its thread, or goes on', () => {
    const stopping = loads(stepsOf(program()))
    expect(stopping.length).toBe(1)
    const proceeding = loads(stepsOf(program(), { strays: 'proceed' }))
    expect(freeVariables(stopping[0]!.guard).some(({ name }) => name!.includes('i#'))).toBe(true)
    expect(proceeding[0]!.guard === TRUE || proceeding[0]!.guard !== stopping[0]!.guard).toBe(true)
  })
  test('inputs are known for what they are', () => {
    const [step] = stepsOf(program()).filter(({ inputs }) => inputs.length > 0)
    expect(step!.inputs.map(({ term }) => isInput(term))).toEqual([true])
    expect(freeVariables(step!.guard).filter(isInput)).toEqual(step!.inputs.map(({ term }) => term))
  })
})
