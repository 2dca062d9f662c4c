// X86_64 as litmus tests write it: AT&T's order of operands and suffixes for sizes. The instructions are those of X86.
import type { Translate } from './assembly.js'
import { translateX86 } from './x86.js'

/** `%eax`, `$1`, `(x)`, `(%rbx)` and `%[x]` as Intel writes them. */
const operandOf = (text: string): string =>
  text
    .replace(/%\[(\w+)\]/g, '$1')
    .replace(/%/g, '')
    .replace(/^\((.*)\)$/, '[$1]')

const SUFFIXED = /^(mov|xchg|xadd|cmpxchg|add|sub|and|or|xor|inc|dec|cmp|test)([bwlq])$/

export const translateX86_64: Translate = (emitter, first, rest) => {
  const isLocked = /^lock$/i.test(first)
  const [name, ...split] = isLocked ? rest.join(',').trim().split(/\s+/) : [first]
  const operands = isLocked ? split.join(' ').split(',') : rest
  const match = SUFFIXED.exec(name!.toLowerCase())
  if (match && match[2] !== 'l') return emitter.fail(`${name}: only accesses of 32 bits (l) are supported`)
  const mnemonic = match ? match[1]! : name!
  const swapped = operands.map((text) => operandOf(text.trim())).reverse()
  // A comparison sets the flags for its second operand against the first.
  if (isLocked) translateX86(emitter, 'LOCK', [`${mnemonic} ${swapped.join(',')}`])
  else translateX86(emitter, mnemonic, swapped)
}
