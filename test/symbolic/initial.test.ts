// What memory holds before the first step: one meaning for all engines that write it as an array.
import { describe, expect, test } from 'vitest'
import * as logic from '../../src/logic/index.js'
import { evaluate, print } from '../../src/logic/index.js'
import { initialMemory, reservedInstances } from '../../src/symbolic/initial.js'
import type { MemoryObject, Region } from '../../src/xcfa/index.js'
import { intType } from '../../src/xcfa/index.js'
import { addressConstant, createEncoding } from '../../src/xcfa/terms/index.js'
import { run } from '../engine/redcomp/support.js'

const INT = intType(32, true)
const encoding = createEncoding('int')

const object = (id: number, storage: MemoryObject['storage'], rest: Partial<MemoryObject> = {}): MemoryObject => ({
  ...{ id, name: `o${id}`, storage, base: id * 10_000, stride: 32, size: 8, cells: [], contents: 'zero' },
  initial: [{ offset: 4, type: INT, value: 5 }],
  instances: storage === 'static' ? 1 : 64,
  ...rest,
})

const region = (...objects: readonly MemoryObject[]): Region => ({
  ...{ id: 1, name: 'r', scope: 'global', element: INT },
  slots: objects.map((each) => ({ object: each, offset: 0, step: 4, count: 2 })),
})

const at = (memory: logic.Term, address: number): logic.Term => logic.select(memory, addressConstant(encoding, address))
const policy = { owner: undefined, instances: reservedInstances(undefined), maxCells: 4096 }

describe('declared values', () => {
  test('of every instance that there may be, zero elsewhere', () => {
    const { value, arbitrary } = initialMemory(encoding, region(object(1, 'thread')), policy)
    expect(arbitrary).toBeUndefined()
    expect(evaluate(at(value, 10_004), new Map())).toBe(5n)
    expect(evaluate(at(value, 10_000 + 63 * 32 + 4), new Map())).toBe(5n)
    expect(evaluate(at(value, 10_000 + 63 * 32), new Map())).toBe(0n)
  })
  test('are arbitrary, not zero, where they are too many or belong to any number of threads', () => {
    const few = initialMemory(encoding, region(object(1, 'thread')), { ...policy, maxCells: 63 })
    expect(few.value).toBe(few.arbitrary)
    const any = initialMemory(encoding, region(object(1, 'thread')), { ...policy, instances: () => undefined })
    expect(any.value).toBe(any.arbitrary)
  })
  test('stand beside memory that holds anything', () => {
    const mixed = region(object(1, 'static'), object(2, 'static', { contents: 'any', initial: [] }))
    const { value, arbitrary } = initialMemory(encoding, mixed, policy)
    expect(print(at(value, 20_000))).toContain(arbitrary!.name!)
    expect(evaluate(at(value, 10_000), new Map())).toBe(0n)
    expect(evaluate(at(value, 10_004), new Map())).toBe(5n)
  })
  test('of two threads are not the same where they are arbitrary', () => {
    const own = (owner: number) =>
      initialMemory(encoding, region(object(1, 'thread', { contents: 'any' })), {
        ...policy,
        owner,
        instances: reservedInstances(owner),
      })
    expect(own(1).arbitrary).not.toBe(own(2).arbitrary)
  })
})

describe('redcomp', () => {
  test('threads of any number begin with the values of their _Thread_local objects', async () => {
    const result = await run(
      `#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
_Thread_local int a[3] = {5, 6, 7};
void *f(void *x) { int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 3) assert(a[i] == 0); return 0; }
int main(void) { pthread_t t; while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0); return 0; }`,
      { view: 'threads', 'horn-limit': '500' },
    )
    expect(result.verdict).not.toBe('true')
  })
})
