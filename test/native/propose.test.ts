import { describe, expect, it } from 'vitest'
import type { Request } from '../../src/run/call/request.js'
import { proposeTest } from '../../src/run/propose-test.js'
import type { Report } from '../../src/verdict/index.js'
import { type Reason, TIMEOUT } from '../../src/verdict/reason.js'

const request = {
  files: ['a b.c', 'c.c'],
  property: 'unreach-call',
  entry: 'main',
  memoryModel: 'sc',
  defines: ['N=3'],
  includeDirs: ['inc'],
  dataModel: 'lp64',
} as unknown as Request
const unknown = (reason: Reason): Report => ({ verdict: 'unknown', reason }) as unknown as Report

describe('verify without an answer proposes heddle test', () => {
  it('with the exact command', () => {
    expect(proposeTest(unknown(TIMEOUT), request).hint).toContain(
      "heddle test 'a b.c' c.c -D N=3 -I inc --property assert",
    )
    expect(proposeTest(unknown({ kind: 'unsupported', what: 'asm' }), request).hint).toBeDefined()
  })
  it('but not for a program that cannot be linked', () => {
    const lacking = { kind: 'unsupported', what: 'function f without a definition', lacks: 'f' } as const
    expect(proposeTest(unknown(lacking), request).hint).toBeUndefined()
    expect(proposeTest(unknown({ kind: 'store-buffers', length: 2, because: lacking }), request).hint).toBeUndefined()
  })
  it('but not where it could not look for the same', () => {
    expect(proposeTest(unknown(TIMEOUT), { ...request, property: 'no-overflow' }).hint).toBeUndefined()
    expect(proposeTest(unknown(TIMEOUT), { ...request, memoryModel: 'tso' }).hint).toBeUndefined()
    expect(proposeTest(unknown({ kind: 'cancelled', by: 'interrupted' }), request).hint).toBeUndefined()
    expect(proposeTest({ ...unknown(TIMEOUT), verdict: 'true' }, request).hint).toBeUndefined()
  })
})
