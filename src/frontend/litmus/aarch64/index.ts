// AArch64: barriers and branches here, accesses to memory and arithmetic beside it.
import { byRules, type Rule, upperCase } from '../assembly.js'
import { constant, operation } from '../test.js'
import { arithmetic, conditionOf } from './arithmetic.js'
import { accesses, atomics, exclusives } from './memory.js'
import { immediate, nameOf, read } from './operands.js'

export { canonicalAArch64 } from './operands.js'

const BARRIERS = new Set(['SY', 'LD', 'ST', 'ISH', 'ISHLD', 'ISHST', 'OSH', 'OSHLD', 'OSHST', 'NSH', 'NSHLD', 'NSHST'])

/** Hints, which order nothing. */
const HINTS = new Set(['NOP', 'YIELD', 'SEV', 'SEVL', 'WFE', 'WFI', 'DGH', 'PRFM', 'PRFUM'])

const barriers: Rule = (emitter, mnemonic, operands) => {
  if (HINTS.has(mnemonic)) return true
  if (mnemonic !== 'DMB' && mnemonic !== 'DSB' && mnemonic !== 'ISB') return false
  const option = (operands[0] ?? 'SY').toUpperCase()
  if (!BARRIERS.has(option)) return emitter.fail(`the barrier option ${option} is not supported`)
  emitter.emit({ kind: 'fence', tags: [mnemonic === 'ISB' ? 'ISB' : `${mnemonic}.${option}`] })
  return true
}

const branches: Rule = (emitter, mnemonic, operands) => {
  if (mnemonic === 'B') {
    emitter.emitTo({ kind: 'jump', target: 0 }, operands[0]!)
    return true
  }
  const zero = /^([CT])B(N?)Z$/.exec(mnemonic)
  if (zero) {
    const value = read(nameOf(emitter, operands[0]))
    const bit = (): ReturnType<typeof read> =>
      operation('&', [
        operation('>>>', [value, immediate(operands[1] ?? '') ?? emitter.fail('expected a bit')]),
        constant(1),
      ])
    const tested = zero[1] === 'C' ? value : bit()
    const condition = operation(zero[2] ? '!=' : '==', [tested, constant(0)])
    emitter.emitTo({ kind: 'branch', condition, target: 0 }, operands.at(-1)!)
    return true
  }
  const condition = conditionOf(/^B\.?([A-Z]{2})$/.exec(mnemonic)?.[1])
  if (!condition) return false
  emitter.emitTo({ kind: 'branch', condition, target: 0 }, operands[0]!)
  return true
}

export const translateAArch64 = byRules('AArch64', upperCase, [
  barriers,
  branches,
  exclusives,
  atomics,
  accesses,
  arithmetic,
])
