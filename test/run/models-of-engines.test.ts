// Which engine takes which memory model.
import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../src/run/call/options.js'
import { requestFrom, verifyTable } from '../../src/run/call/request-from.js'

const modelOf = (...words: readonly string[]): string =>
  requestFrom(parseArguments(['program.c', ...words], verifyTable()), 0, { 'program.c': 'int main() {}' }).memoryModel

describe('--memory-model with --engine', () => {
  it.each(['sc', 'tso', 'pso', 'rc11'])('graphs takes %s', (model) => {
    expect(modelOf('--engine', 'graphs', '--memory-model', model)).toBe(model)
  })

  it('engines of interleavings take rc11, by way of sequential consistency, and no other axioms', () => {
    expect(modelOf('--engine', 'cegar', '--memory-model', 'rc11')).toBe('rc11')
    expect(() => modelOf('--engine', 'cegar', '--memory-model', 'imm')).toThrow(/takes sc, tso, pso and rc11; bmc/)
    expect(() => modelOf('--engine', 'esst', '--memory-model', 'rc11')).toThrow(/bmc takes models as axioms/)
  })
})
