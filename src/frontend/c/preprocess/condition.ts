// The integer constant expression of #if (C11 6.10.1): 64 bits wide, signed or unsigned. Precedence climbing.
import type { Token } from './token.js'

interface Number64 {
  readonly value: bigint
  readonly unsigned: boolean
}

const PRECEDENCE: Readonly<Record<string, number>> = {
  '*': 10,
  '/': 10,
  '%': 10,
  '+': 9,
  '-': 9,
  '<<': 8,
  '>>': 8,
  '<': 7,
  '<=': 7,
  '>': 7,
  '>=': 7,
  '==': 6,
  '!=': 6,
  '&': 5,
  '^': 4,
  '|': 3,
  '&&': 2,
  '||': 1,
}

const MAX_NESTING = 200

/** `tokens` are macro-expanded; identifiers that are left count as 0. `fail` throws. */
export const isTrue = (tokens: readonly Token[], fail: (text: string, at: Token | undefined) => never): boolean => {
  const reader = new ConditionReader(tokens, fail)
  return reader.whole().value !== 0n
}

class ConditionReader {
  private at = 0
  private nesting = 0

  constructor(
    private readonly tokens: readonly Token[],
    private readonly fail: (text: string, at: Token | undefined) => never,
  ) {}

  whole(): Number64 {
    const value = this.conditional(true)
    const rest = this.tokens[this.at]
    if (rest) this.fail(`unexpected '${rest.text}' in the condition`, rest)
    return value
  }

  private take(text: string): boolean {
    const token = this.tokens[this.at]
    if (token?.kind !== 'punctuator' || token.text !== text) return false
    this.at++
    return true
  }

  private expect(text: string): void {
    if (!this.take(text)) this.fail(`expected '${text}' in the condition`, this.tokens[this.at] ?? this.tokens.at(-1))
  }

  /** What is not evaluated (the right of 0 && ...) may divide by zero. */
  private conditional(evaluated: boolean): Number64 {
    if (++this.nesting > MAX_NESTING) this.fail('condition is nested too deeply', this.tokens[this.at])
    const condition = this.binary(1, evaluated)
    if (this.take('?')) {
      const holds = condition.value !== 0n
      const left = this.conditional(evaluated && holds)
      this.expect(':')
      const right = this.conditional(evaluated && !holds)
      const chosen = holds ? left : right
      this.nesting--
      return number64(chosen.value, left.unsigned || right.unsigned)
    }
    this.nesting--
    return condition
  }

  private binary(lowest: number, evaluated: boolean): Number64 {
    let left = this.unary(evaluated)
    while (true) {
      const operator = this.tokens[this.at]
      const precedence = operator?.kind === 'punctuator' ? PRECEDENCE[operator.text] : undefined
      if (!operator || precedence === undefined || precedence < lowest) return left
      this.at++
      const skipped = (operator.text === '&&' && left.value === 0n) || (operator.text === '||' && left.value !== 0n)
      const right = this.binary(precedence + 1, evaluated && !skipped)
      left = this.apply(operator, left, right, evaluated)
    }
  }

  private apply(operator: Token, left: Number64, right: Number64, evaluated: boolean): Number64 {
    const { text } = operator
    if ((text === '/' || text === '%') && right.value === 0n) {
      if (evaluated) this.fail('division by zero in the condition', operator)
      return number64(0n, false)
    }
    if (text === '<<' || text === '>>') return shift(text, left, right)
    const unsigned = left.unsigned || right.unsigned
    const a = number64(left.value, unsigned).value
    const b = number64(right.value, unsigned).value
    const truth = (value: boolean) => number64(value ? 1n : 0n, false)
    switch (text) {
      case '*':
        return number64(a * b, unsigned)
      case '/':
        return number64(a / b, unsigned)
      case '%':
        return number64(a % b, unsigned)
      case '+':
        return number64(a + b, unsigned)
      case '-':
        return number64(a - b, unsigned)
      case '<':
        return truth(a < b)
      case '<=':
        return truth(a <= b)
      case '>':
        return truth(a > b)
      case '>=':
        return truth(a >= b)
      case '==':
        return truth(a === b)
      case '!=':
        return truth(a !== b)
      case '&':
        return number64(a & b, unsigned)
      case '^':
        return number64(a ^ b, unsigned)
      case '|':
        return number64(a | b, unsigned)
      case '&&':
        return truth(left.value !== 0n && right.value !== 0n)
      default:
        return truth(left.value !== 0n || right.value !== 0n)
    }
  }

  private unary(evaluated: boolean): Number64 {
    if (++this.nesting > MAX_NESTING) this.fail('condition is nested too deeply', this.tokens[this.at])
    const value = this.prefixed(evaluated)
    this.nesting--
    return value
  }

  private prefixed(evaluated: boolean): Number64 {
    if (this.take('(')) {
      const value = this.conditional(evaluated)
      this.expect(')')
      return value
    }
    if (this.take('!')) return number64(this.unary(evaluated).value === 0n ? 1n : 0n, false)
    if (this.take('+')) return this.unary(evaluated)
    for (const operator of ['-', '~'])
      if (this.take(operator)) {
        const { value, unsigned } = this.unary(evaluated)
        return number64(operator === '-' ? -value : ~value, unsigned)
      }
    return this.primary()
  }

  private primary(): Number64 {
    const token = this.tokens[this.at]
    if (!token) return this.fail('the condition ends where a value is expected', this.tokens.at(-1))
    this.at++
    if (token.kind === 'identifier') return number64(0n, false)
    if (token.kind === 'character') return number64(characterValue(token.text), false)
    const literal = token.kind === 'number' ? /^(0[xX][\da-fA-F]+|0[bB][01]+|\d+)([uUlL]*)$/.exec(token.text) : null
    if (!literal) return this.fail(`'${token.text}' is not allowed in the condition of a directive`, token)
    const digits = literal[1]!
    const octal = /^0[0-7]+$/.test(digits)
    if (!octal && /^0\d/.test(digits)) return this.fail(`'${token.text}' is not an octal number`, token)
    const value = BigInt(octal ? `0o${digits.slice(1)}` : digits)
    return number64(value, /u/i.test(literal[2]!) || value > 0x7fffffffffffffffn)
  }
}

const number64 = (value: bigint, unsigned: boolean): Number64 => ({
  value: unsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value),
  unsigned,
})

const shift = (operator: string, left: Number64, right: Number64): Number64 => {
  const forward = operator === '<<' ? right.value : -right.value
  const by = forward < -64n ? -64n : forward > 64n ? 64n : forward
  return number64(by >= 0n ? left.value << by : left.value >> -by, left.unsigned)
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11, e: 27 }

/** The value of a character constant; several characters count as gcc counts them. */
const characterValue = (text: string): bigint => {
  const quoted = text.slice(text.indexOf("'") + 1, -1)
  let value = 0n
  let count = 0
  const parts = [...quoted.matchAll(/\\(?:x[\da-fA-F]+|[0-7]{1,3}|[\s\S])|[\s\S]/g)]
  for (const [part] of parts) {
    value = (value << 8n) | BigInt.asUintN(8, codeOf(part))
    count++
  }
  // A wide character is one of its own; gcc takes the last of several.
  if (/^[LuU]'/.test(text)) return BigInt.asIntN(32, codeOf(parts.at(-1)?.[0] ?? ''))
  return BigInt.asIntN(count === 1 && text.startsWith("'") ? 8 : 32, value)
}

const codeOf = (part: string): bigint => {
  if (!part.startsWith('\\')) return BigInt(part.charCodeAt(0))
  const escaped = part.slice(1)
  if (/^x/.test(escaped)) return BigInt(`0${escaped}`)
  if (/^[0-7]/.test(escaped)) return BigInt(`0o${escaped}`)
  return BigInt(ESCAPES[escaped] ?? escaped.charCodeAt(0))
}
