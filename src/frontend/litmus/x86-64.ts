// X86_64 as litmus tests write it: AT&T's order of operands and suffixes for sizes. The instructions are those of X86.
import type { Translate } from './assembly.js'
import { translateX86Of } from './x86.js'

/** `%eax`, `$1`, `(x)`, `(%rbx)`, `4(%rbx)`, `x(%rip)` and `%[x]` as Intel writes them. */
const operandOf = (text: string): string =>
  text
    .replace(/%\[(\w+)\]/g, '$1')
    .replace(/%/g, '')
    .replace(/^(\w*)\(rip\)$/, '[$1]')
    .replace(
      /^(-?)(\w+)\((.*)\)$/,
      (_, sign: string, distance: string, base: string) => `[${base}${sign || '+'}${distance}]`,
    )
    .replace(/^\((.*)\)$/, '[$1]')

/** Without a suffix, a register says how wide an access is. */
const WIDE_REGISTER = /^R(?:[A-D]X|[SD]I|[SB]P|\d+)$/i

const SUFFIXED = /^(mov|lea|shl|shr|sar|xchg|xadd|cmpxchg|add|sub|and|or|xor|inc|dec|cmp|test)([bwlq])$/

export const translateX86_64: Translate = (emitter, first, rest) => {
  const isLocked = /^lock$/i.test(first)
  const [name, ...split] = isLocked ? rest.join(',').trim().split(/\s+/) : [first]
  const operands = isLocked ? split.join(' ').split(',') : rest
  const match = SUFFIXED.exec(name!.toLowerCase())
  if (match && !/[lq]/.test(match[2]!))
    return emitter.fail(`${name}: only accesses of 32 and 64 bits (l, q) are supported`)
  const mnemonic = match ? match[1]! : name!
  const swapped = operands.map((text) => operandOf(text.trim())).reverse()
  const isWide = match ? match[2] === 'q' : swapped.some((operand) => WIDE_REGISTER.test(operand))
  const translateX86 = translateX86Of(isWide ? 64 : 32)
  // A comparison sets the flags for its second operand against the first.
  if (isLocked) translateX86(emitter, 'LOCK', [`${mnemonic} ${swapped.join(',')}`])
  else translateX86(emitter, mnemonic, swapped)
}
