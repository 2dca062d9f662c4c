// The initial state `{ … }` of a test, and the condition on its final states.
import { numberOf, type Words } from './lex.js'
import type { Memory } from './memory.js'
import type { Comparison, Condition, Quantifier, Term } from './test.js'

/** Bytes of the types that tests declare; what is not listed has the standard size. */
const SIZES: Readonly<Record<string, number>> = {
  char: 1,
  int8_t: 1,
  uint8_t: 1,
  u8: 1,
  s8: 1,
  bool: 1,
  short: 2,
  int16_t: 2,
  uint16_t: 2,
  u16: 2,
  s16: 2,
  int: 4,
  int32_t: 4,
  uint32_t: 4,
  unsigned: 4,
  u32: 4,
  s32: 4,
  atomic_int: 4,
  atomic_t: 4,
  long: 8,
  int64_t: 8,
  uint64_t: 8,
  u64: 8,
  s64: 8,
  intptr_t: 8,
  uintptr_t: 8,
  size_t: 8,
  atomic_long: 8,
} // prettier-ignore

const TYPE_WORDS = new Set([
  ...Object.keys(SIZES),
  'volatile',
  'const',
  '_Atomic',
  'signed',
  'struct',
  'spinlock_t',
  'atomic_long_t',
  'atomic64_t',
  'srcu_struct',
  'void',
  ...['atomic_bool', 'atomic_char', 'atomic_uchar', 'atomic_short', 'atomic_ushort', 'atomic_uint', 'atomic_ulong'],
  ...['atomic_llong', 'atomic_ullong', 'atomic_size_t', 'atomic_flag', 'mutex_t', 'mtx_t'],
])

export const isTypeWord = (word: string): boolean => TYPE_WORDS.has(word)

export interface InitialState {
  readonly registers: Map<number, Map<string, bigint>>
  /** Registers written `%name`: each name belongs to one thread, and the initial state does not say to which. */
  readonly named: Map<string, bigint>
}

/** The registers that a thread starts with. */
export const registersOf = ({ registers, named }: InitialState, thread: number): ReadonlyMap<string, bigint> =>
  new Map([...named, ...(registers.get(thread) ?? [])])

/** `fixedSize`: every element is one cell of this size whatever its type says (C). */
export const parseInitialState = (
  words: Words,
  memory: Memory,
  canonical: (name: string) => string,
  fixedSize?: number,
): InitialState => {
  const registers = new Map<number, Map<string, bigint>>()
  const named = new Map<string, bigint>()
  while (!words.atEnd) {
    if (words.accept(';')) continue
    let size: number | undefined
    let typed = false
    // A type is a word that is followed by another name, a thread's number or a star.
    while (
      words.token.kind === 'name' &&
      (isTypeWord(words.token.text) || ['name', 'number'].includes(words.peek(1).kind)) &&
      !isThread(words)
    ) {
      typed = true
      size = Math.max(size ?? 0, SIZES[words.token.text] ?? 0) || size
      words.take()
    }
    while (words.accept('*')) {
      typed = true
      size = 8
    }
    if (isThread(words)) {
      const thread = threadOf(words)
      const name = canonical(words.name('a register'))
      const value = words.accept('=') ? initialValue(words, memory) : 0n
      const ofThread = registers.get(thread) ?? new Map<string, bigint>()
      ofThread.set(name, BigInt.asUintN(64, value))
      registers.set(thread, ofThread)
      continue
    }
    if (words.token.text.startsWith('%') && words.token.text.length > 1) {
      const name = words.take().text
      named.set(name, BigInt.asUintN(64, words.accept('=') ? initialValue(words, memory) : 0n))
      continue
    }
    const bracketed = words.accept('[')
    const name = words.name('a location')
    let index = 0
    let count: number | undefined
    if (bracketed) words.expect(']', 'after the location')
    if (words.accept('[')) {
      if (!isNumber(words)) words.fail('expected a number of elements')
      const number = Number(numberOf(words.take().text))
      words.expect(']', 'after the number of elements')
      if (typed) count = number
      else index = number
    }
    memory.addressOf(name)
    if (typed && size !== undefined) memory.declare(name, fixedSize ?? size, count ?? 1)
    else if (count !== undefined) memory.declare(name, fixedSize ?? 4, count)
    if (!words.accept('=')) continue
    if (words.accept('{')) {
      for (let element = 0; !words.accept('}'); element++) {
        memory.initialise(name, element, initialValue(words, memory))
        words.accept(',')
      }
    } else memory.initialise(name, index, initialValue(words, memory))
  }
  return { registers, named }
}

const isNumber = (words: Words): boolean => words.token.kind === 'number'

const isThread = (words: Words): boolean =>
  (words.token.kind === 'number' || /^P\d+$/.test(words.token.text)) && words.peek(1).text === ':'

const threadOf = (words: Words): number => {
  const thread = Number(words.take().text.replace(/^P/, ''))
  words.expect(':', 'after the thread')
  return thread
}

const initialValue = (words: Words, memory: Memory): bigint => {
  const negative = words.accept('-')
  if (isNumber(words)) {
    const value = numberOf(words.take().text)
    return negative ? -value : value
  }
  if (words.accept('(')) {
    const value = initialValue(words, memory)
    words.expect(')', 'after the value')
    return value
  }
  if (/^ATOMIC(_LONG|64|_VAR)?_INIT$/.test(words.token.text)) {
    words.take()
    return initialValue(words, memory)
  }
  // `*(&a)` is the array a, and so the address of its first element.
  if (words.is('*') && words.peek(1).text === '(' && words.peek(2).text === '&') {
    words.take()
    return initialValue(words, memory)
  }
  words.accept('&')
  const name = words.name('a value')
  let address = memory.addressOf(name)
  if (words.accept('[')) {
    if (!isNumber(words)) return words.fail('expected an index')
    address += numberOf(words.take().text) * BigInt(memory.elementSizeOf(name))
    words.expect(']', 'after the index')
  }
  if (words.accept('+')) {
    if (!isNumber(words)) return words.fail('expected a number')
    address += numberOf(words.take().text)
  }
  return address
}

export interface FinalState {
  readonly quantifier: Quantifier
  readonly condition: Condition
  readonly filter?: Condition
}

const parseQuantifier = (words: Words): Quantifier | undefined => {
  // `final C with …` is the older form: the proposition alone, of which one asks whether an execution satisfies it.
  if (words.accept('exists', 'final')) return 'exists'
  if (words.accept('forall')) return 'forall'
  if (words.is('~', 'not') && words.peek(1).text === 'exists') {
    words.take()
    words.take()
    return '~exists'
  }
  return undefined
}

export const parseFinalState = (words: Words, memory: Memory, canonical: (name: string) => string): FinalState => {
  let filter: Condition | undefined
  let observes = false
  for (;;) {
    if (words.accept(';')) continue
    if (words.accept('locations')) {
      observes = true
      words.expect('[', 'after "locations"')
      for (let depth = 1; depth > 0; ) {
        if (words.atEnd) return words.fail('the list of locations does not end')
        const { text } = words.take()
        if (text === '[') depth++
        if (text === ']') depth--
      }
    } else if (words.accept('filter')) filter = new ConditionParser(words, memory, canonical).parse()
    else break
  }
  const quantifier = parseQuantifier(words)
  // A test that only lists what to observe asks whether there is an execution at all.
  if (!quantifier && observes && words.atEnd)
    return { quantifier: 'exists', condition: { kind: 'constant', value: true }, ...(filter && { filter }) }
  if (!quantifier) return words.fail('expected a final condition: exists, ~exists or forall')
  const condition = new ConditionParser(words, memory, canonical).parse()
  // What follows is for other tools: expected states, instructions in << >>.
  return { quantifier, condition, ...(filter && { filter }) }
}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '==': '=',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}

class ConditionParser {
  private readonly words: Words
  private readonly memory: Memory
  private readonly canonical: (name: string) => string

  constructor(words: Words, memory: Memory, canonical: (name: string) => string) {
    this.words = words
    this.memory = memory
    this.canonical = canonical
  }

  parse(): Condition {
    const left = this.disjunction()
    if (!this.words.accept('=>')) return left
    return { kind: 'or', operands: [{ kind: 'not', operand: left }, this.parse()] }
  }

  private disjunction(): Condition {
    const operands = [this.conjunction()]
    while (this.words.accept('\\/', '||')) operands.push(this.conjunction())
    return operands.length === 1 ? operands[0]! : { kind: 'or', operands }
  }

  private conjunction(): Condition {
    const operands = [this.negation()]
    while (this.words.accept('/\\', '&&')) operands.push(this.negation())
    return operands.length === 1 ? operands[0]! : { kind: 'and', operands }
  }

  private negation(): Condition {
    const { words } = this
    if (words.accept('~', '!', 'not')) return { kind: 'not', operand: this.negation() }
    if (words.accept('(')) {
      const inner = this.parse()
      words.expect(')', 'to close the parenthesis')
      return inner
    }
    if (words.accept('true')) return { kind: 'constant', value: true }
    if (words.accept('false')) return { kind: 'constant', value: false }
    const left = this.term('left')
    const comparison = COMPARISONS[words.token.text]
    if (!comparison) return words.fail(`expected a comparison, but found "${words.token.text}"`)
    words.take()
    return { kind: 'compare', comparison, left, right: this.term('right') }
  }

  private term(side: 'left' | 'right'): Term {
    const { words, memory } = this
    if (isThread(words)) {
      const thread = threadOf(words)
      return { kind: 'register', thread, name: this.canonical(words.name('a register')) }
    }
    if (isNumber(words) || words.is('-')) return { kind: 'value', value: initialValue(words, memory) }
    if (words.accept('&')) return { kind: 'value', value: memory.addressOf(words.name('a location')) }
    const content = words.accept('[') ? ']' : words.accept('*') ? '*' : ''
    const { token } = words
    const name = words.name('a location, a register or a value')
    if (content === ']') words.expect(']', 'after the location')
    let index = 0
    if (words.is('[')) {
      words.take()
      if (!isNumber(words)) return words.fail('expected an index')
      index = Number(numberOf(words.take().text))
      words.expect(']', 'after the index')
    } else if (side === 'right' && content === '') {
      // On the right a location's name is its address: `1:r1=x`.
      if (!memory.has(name)) return words.fail(`"${name}" is not a location of this test`, token.at)
      return { kind: 'value', value: memory.addressOf(name) }
    }
    if (!memory.has(name)) return words.fail(`"${name}" is not a location of this test`, token.at)
    return { kind: 'memory', object: name, index }
  }
}
