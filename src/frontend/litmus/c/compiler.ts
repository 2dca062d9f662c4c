// The C of litmus tests: threads as functions P0, P1, … whose parameters are the shared locations. Statements are
// translated as they are read. Every cell of memory is CELL bytes, whatever its type: tests in C do not mix sizes.
import { Emitter, emitEither } from '../assembly.js'
import { numberOf, shown, type Words } from '../lex.js'
import type { Memory } from '../memory.js'
import { isTypeWord } from '../state.js'
import { constant, type Expression, LitmusProblem, type Operator, operation, register, type Thread } from '../test.js'

export const CELL = 8

/** What an expression denotes: a value, a local variable, or a cell of shared memory. */
export type Operand =
  | { readonly kind: 'value'; readonly value: Expression; readonly pointer: boolean }
  | { readonly kind: 'local'; readonly name: string; readonly pointer: boolean }
  | { readonly kind: 'memory'; readonly address: Expression }

/** The library functions of a dialect; undefined if the dialect has none of that name. */
export type Library = (compiler: Compiler, name: string, call: readonly Operand[]) => Expression | undefined

const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]

export class Compiler {
  readonly emitter: Emitter
  private readonly words: Words
  private readonly memory: Memory
  private readonly library: Library
  /** Tags of an access that is written as a plain one. */
  private readonly plain: readonly string[]
  private readonly parameters = new Set<string>()
  private readonly locals = new Map<string, { readonly pointer: boolean; readonly narrow: boolean }>()
  private readonly loops: { readonly again: string; readonly end: string }[] = []

  constructor(words: Words, memory: Memory, library: Library, plain: readonly string[]) {
    this.words = words
    this.memory = memory
    this.library = library
    this.plain = plain
    this.emitter = new Emitter(memory)
  }

  /** `P0(int *x, atomic_int *y) { … }`, the name already read. */
  thread(registers: ReadonlyMap<string, bigint>): Thread {
    const { words } = this
    for (const name of registers.keys()) this.locals.set(name, { pointer: true, narrow: false })
    words.expect('(', 'before the parameters')
    while (!words.accept(')')) {
      this.type(true)
      if (words.is(')') && words.peek(-1).text === 'void') continue
      const name = words.name('a parameter')
      this.parameters.add(name)
      this.memory.addressOf(name)
      if (words.accept('[')) {
        while (!words.accept(']')) words.take()
      }
      if (!words.accept(',') && !words.is(')'))
        return words.fail(`expected "," or ")" between parameters, but found ${shown(words.token)}`)
    }
    this.statement()
    return this.emitter.finish(registers)
  }

  /** Reads a type if one starts here, or must; whether it is a pointer, and whether it has 32 bits. */
  private type(expected = false): { readonly pointer: boolean; readonly narrow: boolean } {
    const { words } = this
    let pointer = false
    let narrow = false
    while (words.token.kind === 'name' && (isTypeWord(words.token.text) || this.isUnknownType(expected))) {
      const { text } = words.take()
      if (text === 'struct') words.name('the name of a structure')
      if (text === 'int' || text === 'atomic_int' || text === 'atomic_t') narrow = true
      if (text === 'long') narrow = false
      if (words.is('(') && text === '_Atomic') {
        words.take()
        this.type()
        words.expect(')', 'after the type')
      }
    }
    while (words.is('*') || words.is('volatile', 'const', 'restrict', '__restrict'))
      pointer = words.take().text === '*' || pointer
    return { pointer, narrow: narrow && !pointer }
  }

  /** A name in front of another name, or of stars and a name, is a type that we do not list. */
  private isUnknownType(expected = false): boolean {
    const { words } = this
    let ahead = 1
    while (words.peek(ahead).text === '*') ahead++
    return (
      words.peek(ahead).kind === 'name' &&
      (expected || ahead === 1 || isTypeWord(words.token.text) || /_t$/.test(words.token.text))
    )
  }

  private startsDeclaration(): boolean {
    const { words } = this
    if (
      words.token.kind !== 'name' ||
      words.is('if', 'while', 'do', 'for', 'return', 'else', 'goto', 'break', 'continue')
    )
      return false
    if (this.parameters.has(words.token.text) || this.locals.has(words.token.text)) return false
    return isTypeWord(words.token.text) || this.isUnknownType()
  }

  private here(): void {
    const { at } = this.words.token
    this.emitter.at({ text: this.sourceText(), at })
  }

  /** The words up to the end of the statement, for witnesses. */
  private sourceText(): string {
    let text = ''
    for (let ahead = 0; ahead < 40; ahead++) {
      const token = this.words.peek(ahead)
      if (token.kind === 'end' || token.text === ';' || token.text === '{' || token.text === '}') break
      const tight = text === '' || /[(*&!~.]$/.test(text) || /^[),(;.[\]]/.test(token.text)
      text += tight ? token.text : ` ${token.text}`
    }
    return text
  }

  private statement(): void {
    const { words, emitter } = this
    this.here()
    if (words.accept('{')) {
      while (!words.accept('}')) {
        if (words.atEnd) words.fail('this block does not end')
        this.statement()
      }
      return
    }
    if (words.accept(';')) return
    if (words.accept('if')) {
      words.expect('(', 'after "if"')
      const condition = this.expression()
      words.expect(')', 'after the condition')
      const [otherwise, end] = [emitter.temporary(), emitter.temporary()]
      this.branchUnless(condition, otherwise, end)
      this.statement()
      if (words.accept('else')) {
        emitter.emitTo({ kind: 'jump', target: 0 }, end)
        emitter.label(otherwise)
        this.statement()
      } else emitter.label(otherwise)
      emitter.label(end)
      return
    }
    if (words.accept('while')) {
      const [again, end] = [emitter.temporary(), emitter.temporary()]
      words.expect('(', 'after "while"')
      emitter.label(again)
      this.branchUnless(this.expression(), end, end)
      words.expect(')', 'after the condition')
      this.body(again, end)
      emitter.emitTo({ kind: 'jump', target: 0 }, again)
      emitter.label(end)
      return
    }
    if (words.accept('do')) {
      const [start, again, end] = [emitter.temporary(), emitter.temporary(), emitter.temporary()]
      emitter.label(start)
      this.body(again, end)
      emitter.label(again)
      words.expect('while', 'after the body of "do"')
      words.expect('(', 'after "while"')
      this.branchUnless(this.expression(), end, end)
      words.expect(')', 'after the condition')
      words.expect(';', 'after the loop')
      emitter.emitTo({ kind: 'jump', target: 0 }, start)
      emitter.label(end)
      return
    }
    if (words.accept('for')) {
      this.forLoop()
      return
    }
    // Tests that are not compiled use the words as names: `continue = 1;`.
    if (words.is('break', 'continue') && words.peek(1).text === ';') {
      const { text, at } = words.take()
      const loop = this.loops.at(-1)
      if (!loop) throw new LitmusProblem(at, `"${text}" outside of a loop`)
      words.expect(';', `after "${text}"`)
      emitter.emitTo({ kind: 'jump', target: 0 }, text === 'break' ? loop.end : loop.again)
      return
    }
    if (this.startsDeclaration()) {
      this.declaration()
      return
    }
    if (words.is('return', 'goto', 'switch')) words.fail(`"${words.token.text}" is not supported in a litmus test`)
    this.value(this.assignment())
    words.expect(';', 'after the statement')
  }

  private body(again: string, end: string): void {
    this.loops.push({ again, end })
    this.statement()
    this.loops.pop()
  }

  private forLoop(): void {
    const { words, emitter } = this
    const [start, again, end] = [emitter.temporary(), emitter.temporary(), emitter.temporary()]
    words.expect('(', 'after "for"')
    if (this.startsDeclaration()) this.declaration()
    else if (!words.accept(';')) {
      this.value(this.assignment())
      words.expect(';', 'in the head of the loop')
    }
    emitter.label(start)
    if (!words.is(';')) this.branchUnless(this.expression(), end, end)
    words.expect(';', 'in the head of the loop')
    // The step is read again after the body, where it is executed.
    const step = words.position
    for (let depth = 0; depth > 0 || !words.is(')'); ) {
      if (words.atEnd) words.fail('the head of this loop does not end')
      const { text } = words.take()
      if (text === '(') depth++
      if (text === ')') depth--
    }
    words.expect(')', 'after the head of the loop')
    this.body(again, end)
    const after = words.position
    words.rewind(step)
    emitter.label(again)
    if (!words.is(')')) this.value(this.assignment())
    words.rewind(after)
    emitter.emitTo({ kind: 'jump', target: 0 }, start)
    emitter.label(end)
  }

  /** Control dependencies of C reach the arms of the statement, not what follows it. */
  private branchUnless(condition: Expression, target: string, until: string): void {
    this.emitter.emitTo(
      { kind: 'branch', condition: operation('==', [condition, constant(0)]), target: 0, until: 0 },
      target,
      until,
    )
  }

  private declaration(): void {
    const { words } = this
    const { pointer, narrow } = this.type()
    do {
      let stars = pointer
      while (words.accept('*')) stars = true
      const name = words.name('a variable')
      if (this.parameters.has(name)) words.fail(`"${name}" is a parameter already`)
      this.locals.set(name, { pointer: stars, narrow: narrow && !stars })
      if (words.accept('=')) this.assignLocal(name, this.value(this.assignment()))
    } while (words.accept(','))
    words.expect(';', 'after the declaration')
  }

  assignLocal(name: string, value: Expression): void {
    const wrapped = this.locals.get(name)?.narrow ? operation('sext', [value], 32) : value
    this.emitter.emit({ kind: 'assign', register: name, value: wrapped })
  }

  /** An expression's value, its accesses emitted. */
  expression(): Expression {
    return this.value(this.assignment())
  }

  value(operand: Operand): Expression {
    switch (operand.kind) {
      case 'value':
        return operand.value
      case 'local':
        return register(operand.name)
      case 'memory':
        return this.load(operand.address, this.plain)
    }
  }

  load(address: Expression, tags: readonly string[], pairs = false): Expression {
    const name = this.emitter.temporary()
    const at = inCells(address)
    this.emitter.emit({ kind: 'load', register: name, address: at, size: CELL, tags, ...(pairs && { pairs }) })
    return register(name)
  }

  store(address: Expression, value: Expression, tags: readonly string[], rmw = false): void {
    this.emitter.emit({ kind: 'store', address: inCells(address), value, size: CELL, tags, ...(rmw && { rmw: 'amo' }) })
  }

  /** Writes through a plain lvalue: a local variable or shared memory. */
  assign(to: Operand, value: Expression): void {
    if (to.kind === 'local') this.assignLocal(to.name, value)
    else if (to.kind === 'memory') this.store(to.address, value, this.plain)
    else this.fail('this cannot be assigned to')
  }

  /** The address of the cell that an lvalue argument (`READ_ONCE(*x)`) denotes. */
  addressOf(operand: Operand | undefined, what: string): Expression {
    if (operand?.kind !== 'memory') this.fail(`${what} needs a location like *x`)
    return operand.address
  }

  /** One of two continuations, of which the first needs the condition and the second its negation. */
  either(condition: Expression, whenTrue: () => void, whenFalse: () => void): void {
    const { emitter } = this
    emitEither(
      emitter,
      emitter.temporary(),
      () => {
        emitter.emit({ kind: 'assume', condition: operation('!=', [condition, constant(0)]) })
        whenTrue()
      },
      () => {
        emitter.emit({ kind: 'assume', condition: operation('==', [condition, constant(0)]) })
        whenFalse()
      },
    )
  }

  /** Either of two continuations; each says by an assumption when it is possible. */
  choice(first: () => void, second: () => void): void {
    emitEither(this.emitter, this.emitter.temporary(), first, second)
  }

  fail(message: string): never {
    return this.words.fail(message)
  }

  private assignment(): Operand {
    const { words } = this
    const left = this.binary(0)
    if (words.accept('?')) {
      const [otherwise, end] = [this.emitter.temporary(), this.emitter.temporary()]
      const result = this.emitter.temporary()
      this.branchUnless(this.value(left), otherwise, end)
      this.emitter.emit({ kind: 'assign', register: result, value: this.expression() })
      words.expect(':', 'in the conditional expression')
      this.emitter.emitTo({ kind: 'jump', target: 0 }, end)
      this.emitter.label(otherwise)
      this.emitter.emit({ kind: 'assign', register: result, value: this.expression() })
      this.emitter.label(end)
      return plainValue(register(result))
    }
    const compound = /^([-+|&^])=$/.exec(words.token.text)?.[1]
    if (compound && words.token.kind === 'symbol') {
      words.take()
      const old = this.value(left)
      const value = operation(compound as Operator, [old, this.expression()])
      this.assign(left, value)
      return plainValue(value)
    }
    if (!words.accept('=')) return left
    const value = this.expression()
    this.assign(left, value)
    return left.kind === 'local' ? left : plainValue(value)
  }

  private binary(level: number): Operand {
    const operators = LEVELS[level]
    if (!operators) return this.unary()
    let left = this.binary(level + 1)
    while (this.words.token.kind === 'symbol' && operators.includes(this.words.token.text)) {
      const operator = this.words.take().text
      left =
        operator === '&&' || operator === '||'
          ? this.shortCircuit(operator, left, level)
          : this.combine(operator, left, this.binary(level + 1))
    }
    return left
  }

  private shortCircuit(operator: '&&' | '||', left: Operand, level: number): Operand {
    const { emitter } = this
    const [result, end] = [emitter.temporary(), emitter.temporary()]
    emitter.emit({ kind: 'assign', register: result, value: operation('!=', [this.value(left), constant(0)]) })
    const condition = operation(operator === '&&' ? '==' : '!=', [register(result), constant(0)])
    emitter.emitTo({ kind: 'branch', condition, target: 0, until: 0 }, end, end)
    emitter.emit({
      kind: 'assign',
      register: result,
      value: operation('!=', [this.value(this.binary(level + 1)), constant(0)]),
    })
    emitter.label(end)
    return plainValue(register(result))
  }

  private combine(operator: string, left: Operand, right: Operand): Operand {
    const pointer = isPointer(left) || isPointer(right)
    let [a, b] = [this.value(left), this.value(right)]
    if ((operator === '+' || operator === '-') && pointer && !(isPointer(left) && isPointer(right))) {
      if (isPointer(left)) b = operation('*', [b, constant(CELL)])
      else a = operation('*', [a, constant(CELL)])
    }
    return {
      kind: 'value',
      value: operation(operator as Operator, [a, b]),
      pointer: pointer && (operator === '+' || operator === '-'),
    }
  }

  private unary(): Operand {
    const { words } = this
    if (words.accept('*')) return { kind: 'memory', address: this.value(this.unary()) }
    if (words.accept('&')) {
      const operand = this.unary()
      if (operand.kind === 'memory') return { kind: 'value', value: operand.address, pointer: true }
      // A local variable that a function writes back: the function gets the variable itself.
      if (operand.kind === 'local') return operand
      words.fail('the address of this cannot be taken')
    }
    if (words.accept('-')) return plainValue(operation('-', [constant(0), this.value(this.unary())]))
    if (words.accept('+')) return plainValue(this.value(this.unary()))
    if (words.accept('~')) return plainValue(operation('^', [this.value(this.unary()), constant(-1)]))
    if (words.accept('!')) return plainValue(operation('==', [this.value(this.unary()), constant(0)]))
    if (words.is('++', '--')) {
      const operator = words.take().text === '++' ? '+' : '-'
      return this.increment(this.unary(), operator, true)
    }
    if (
      words.is('(') &&
      words.peek(1).kind === 'name' &&
      (isTypeWord(words.peek(1).text) || (words.peek(2).text === '*' && words.peek(3).text === ')'))
    ) {
      words.take()
      const { pointer } = this.type()
      words.expect(')', 'after the type')
      const operand = this.unary()
      return operand.kind === 'memory'
        ? { kind: 'value', value: this.value(operand), pointer }
        : pointerTo(operand, pointer)
    }
    return this.postfix(this.primary())
  }

  private postfix(operand: Operand): Operand {
    const { words } = this
    if (words.accept('[')) {
      const index = operation('*', [this.expression(), constant(CELL)])
      words.expect(']', 'after the index')
      return this.postfix({ kind: 'memory', address: operation('+', [this.value(operand), index]) })
    }
    if (words.is('++', '--')) return this.increment(operand, words.take().text === '++' ? '+' : '-', false)
    return operand
  }

  private increment(operand: Operand, operator: '+' | '-', before: boolean): Operand {
    const old = this.emitter.temporary()
    this.emitter.emit({ kind: 'assign', register: old, value: this.value(operand) })
    const next = operation(operator, [register(old), constant(1)])
    this.assign(operand, next)
    return plainValue(before ? next : register(old))
  }

  private primary(): Operand {
    const { words } = this
    const { token } = words
    if (token.kind === 'number') {
      words.take()
      return plainValue(constant(numberOf(token.text)))
    }
    if (words.accept('(')) {
      const inner = this.assignment()
      words.expect(')', 'to close the parenthesis')
      return inner
    }
    const name = words.name('an expression')
    if (words.is('(')) return this.call(name, token.at)
    if (this.parameters.has(name)) return { kind: 'value', value: constant(this.memory.addressOf(name)), pointer: true }
    if (name === 'NULL' || name === 'false') return plainValue(constant(0))
    if (name === 'true') return plainValue(constant(1))
    // A register that is not declared is declared by its use, as in the tests of the kernel.
    if (!this.locals.has(name)) {
      if (this.memory.has(name)) return words.fail(`"${name}" is a location, but no parameter of this thread`, token.at)
      this.locals.set(name, { pointer: false, narrow: false })
    }
    return { kind: 'local', name, pointer: this.locals.get(name)!.pointer }
  }

  private call(name: string, at: { readonly line: number; readonly column: number }): Operand {
    const { words } = this
    words.expect('(', 'before the arguments')
    const args: Operand[] = []
    if (!words.is(')'))
      do args.push(this.assignment())
      while (words.accept(','))
    words.expect(')', `after the arguments of ${name}`)
    const result = this.library(this, name, args)
    if (result === undefined) return words.fail(`the function ${name} is not supported here`, at)
    return plainValue(result)
  }
}

/** `p + 1` where p was declared as an `int`, but holds an address: the next cell, as if it were a pointer. */
const inCells = (address: Expression): Expression => {
  if (address.kind !== 'operation' || (address.operator !== '+' && address.operator !== '-')) return address
  const [base, offset] = address.operands
  if (base?.kind !== 'register' || offset?.kind !== 'constant' || offset.value >= BigInt(CELL)) return address
  return { ...address, operands: [base, constant(offset.value * BigInt(CELL))] }
}

const plainValue = (value: Expression): Operand => ({ kind: 'value', value, pointer: false })

const isPointer = (operand: Operand): boolean => operand.kind !== 'memory' && operand.pointer

const pointerTo = (operand: Operand, pointer: boolean): Operand =>
  operand.kind === 'local'
    ? { kind: 'value', value: register(operand.name), pointer }
    : operand.kind === 'value'
      ? { ...operand, pointer }
      : operand
