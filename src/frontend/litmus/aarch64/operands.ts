// Operands of AArch64: registers in their two views (writing W clears the upper half), immediates, shifts, addresses.
import { type Emitter, numberIn } from '../assembly.js'
import { constant, type Expression, type Operator, operation, register } from '../test.js'

export const canonicalAArch64 = (name: string): string => (/^[WX]\d+$/i.test(name) ? `X${name.slice(1)}` : name)

const SHIFTS: Readonly<Record<string, Operator>> = { LSL: '<<', LSR: '>>>', ASR: '>>' }

export interface Name {
  readonly name: string
  readonly width: 32 | 64
  readonly isZero: boolean
}

export const nameOf = (emitter: Emitter, text: string | undefined): Name => {
  // A register by a name of the test's own, which holds an address.
  if (text !== undefined && /^%\w+$/.test(text)) return { name: text, width: 64, isZero: false }
  const upper = (text ?? '').toUpperCase()
  if (!/^(?:[WX](?:[12]?\d|30|ZR)|W?SP)$/.test(upper))
    return emitter.fail(`expected a register, but found "${text ?? ''}"`)
  return { name: canonicalAArch64(upper), width: upper.startsWith('W') ? 32 : 64, isZero: upper.endsWith('ZR') }
}

export const immediate = (text: string): Expression | undefined => {
  const number = numberIn(text.replace(/^#/, ''))
  return number === undefined ? undefined : constant(number)
}

export const read = ({ name, width, isZero }: Name): Expression =>
  isZero ? constant(0) : width === 32 ? operation('zext', [register(name)], 32) : register(name)

/** `picks`: what decided that it is this value and not another one. */
export const write = (emitter: Emitter, to: Name, value: Expression, picks?: Expression): void => {
  if (to.isZero) return
  const narrowed = to.width === 32 ? operation('zext', [value], 32) : value
  emitter.emit({ kind: 'assign', register: to.name, value: narrowed, ...(picks && { picks }) })
}

/** A register, an immediate, or a register that is shifted or extended: the last operands of an instruction. */
export const flexible = (emitter: Emitter, operands: readonly string[], width: number): Expression => {
  const [text, change] = operands
  const constantValue = text === undefined ? undefined : immediate(text)
  const value = constantValue ?? read(nameOf(emitter, text))
  return change === undefined ? value : changed(emitter, value, change, width)
}

export const changed = (emitter: Emitter, value: Expression, change: string, width: number): Expression => {
  const match = /^(LSL|LSR|ASR|SXTW|UXTW|SXTX|UXTX|SXTH|UXTH|SXTB|UXTB)(?:\s+#(\d+))?$/i.exec(change.trim())
  if (!match) return emitter.fail(`"${change}" is not a shift or an extension`)
  const kind = match[1]!.toUpperCase()
  const amount = constant(Number(match[2] ?? 0))
  if (kind in SHIFTS) return operation(SHIFTS[kind]!, [value, amount], width)
  const bits = { B: 8, H: 16, W: 32, X: 64 }[kind[3] as 'B' | 'H' | 'W' | 'X']
  const extended = operation(kind.startsWith('S') ? 'sext' : 'zext', [value], bits)
  return match[2] ? operation('<<', [extended, amount], width) : extended
}

/** `[X1]`, `[X1,#4]`, `[X1,X2]`, `[X1,W2,SXTW #2]`; with `!` or an operand behind it the base is updated. */
export const addressed = (
  emitter: Emitter,
  operands: readonly string[],
): { readonly address: Expression; readonly after?: () => void } => {
  const match = /^\[([^\]]*)\](!?)$/.exec(operands[0] ?? '')
  if (!match) return emitter.fail(`expected an address in brackets, but found "${operands[0] ?? ''}"`)
  const [baseText, ...offset] = match[1]!.split(',').map((part) => part.trim())
  const base = nameOf(emitter, baseText)
  const start = read(base)
  const isNothing = offset.length === 1 && /^#?0$/.test(offset[0]!)
  const address = offset.length === 0 || isNothing ? start : operation('+', [start, flexible(emitter, offset, 64)])
  if (match[2] === '!') return { address, after: () => write(emitter, base, address) }
  if (operands.length > 1) {
    const step = flexible(emitter, operands.slice(1), 64)
    return { address, after: () => write(emitter, base, operation('+', [start, step])) }
  }
  return { address }
}
