import { describe, expect, it } from 'vitest'
import type { Request } from '../../src/run/call/request.js'
import { proposeTest } from '../../src/run/propose-test.js'
import type { Report } from '../../src/verdict/index.js'

const request = {
  files: ['a b.c', 'c.c'],
  property: 'unreach-call',
  entry: 'main',
  memoryModel: 'sc',
  defines: ['N=3'],
  includeDirs: ['inc'],
  dataModel: 'lp64',
} as unknown as Request
const unknown = (reason: string): Report => ({ verdict: 'unknown', reason }) as unknown as Report

describe('verify without an answer proposes heddle test', () => {
  it('with the exact command', () => {
    expect(proposeTest(unknown('timeout'), request).hint).toContain(
      "heddle test 'a b.c' c.c -D N=3 -I inc --property assert",
    )
    expect(proposeTest(unknown('unsupported: asm at a.c:3'), request).hint).toBeDefined()
  })
  it('but not where it could not look for the same', () => {
    expect(proposeTest(unknown('timeout'), { ...request, property: 'no-overflow' }).hint).toBeUndefined()
    expect(proposeTest(unknown('timeout'), { ...request, memoryModel: 'tso' }).hint).toBeUndefined()
    expect(proposeTest(unknown('interrupted'), request).hint).toBeUndefined()
    expect(proposeTest({ ...unknown(''), verdict: 'true' }, request).hint).toBeUndefined()
  })
})
