// Inline assembly of x86, as far as lock-free code uses it: one instruction that reads or changes memory at once, perhaps
// with a test of its flags. It is recognised by its text and becomes the builtin of the same meaning. Instructions with
// the lock prefix, and xchg, are full fences as well, which a sequentially consistent operation of C is not. Plain moves
// are acquiring loads and releasing stores: the machine orders them more than that, so that what is proved holds, and an
// execution that needs no more order than that is none (MACHINE_ORDER). lfence and sfence order no store before a load.
// How many bytes are accessed, the instruction says and not the type of its operand, which is often any type at all.
// Anything else is not modelled, and says so where it is reached.
import { type CExpr, type CStatement, type CType, type CVariable, MACHINE_ORDER_BIT } from '../ast.js'
import { child, field, namedChildren, type SyntaxNode } from '../parse/index.js'
import { type Context, positionOf, textOf } from './context.js'
import { cast, constant, isLvalue, takeAddress, toValue } from './expressions/convert.js'
import { checkExpression } from './expressions/expressions.js'
import { shortText } from './text.js'
import {
  BOOL,
  INT,
  isScalar,
  pointerTo,
  sizeOf,
  UNSIGNED_CHAR,
  UNSIGNED_INT,
  UNSIGNED_LONG_LONG,
  UNSIGNED_SHORT,
  unqualified,
  VOID,
} from './types.js'

const FENCE = /^(?:mfence|dmb(?: ?(?:ish|sy))?)$/
const WEAK_FENCES: Readonly<Record<string, number>> = { lfence: 2, sfence: 3 }
const IDLE = /^(?:|pause|nop|rep nop|yield|prefetch\w* .*)$/

const ACQUIRE = 2
const RELEASE = 3
const SEQ_CST = 5

interface Operand {
  readonly constraint: string
  readonly symbol: string | undefined
  readonly isOutput: boolean
  readonly expr: CExpr
}

export const checkAssembly = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  const at = { position: positionOf(c, node), text: shortText(c, node) }
  const instructions = instructionsOf(stringOf(c, field(node, 'assembly_code')!))
  const hasOutputs = namedChildren(field(node, 'output_operands') ?? { ...node, children: [] }).length > 0
  if (instructions.length > 0 && instructions.every((one) => IDLE.test(one)) && !hasOutputs)
    out.push({ kind: 'empty', ...at })
  else if (instructions.length === 1 && isFence(instructions[0]!) && !hasOutputs)
    out.push({ kind: 'expression', expression: fullFence(at.position), ...at })
  else if (instructions.length === 1 && WEAK_FENCES[instructions[0]!] !== undefined && !hasOutputs) {
    const order = constant(WEAK_FENCES[instructions[0]!]! | MACHINE_ORDER_BIT, INT, at.position)
    out.push({ kind: 'expression', expression: builtin('__atomic_thread_fence', [order], VOID, at.position), ...at })
  } else {
    const body = child(node, 'goto') ? undefined : new Translation(c, node, instructions).statements()
    if (body) out.push({ kind: 'block', body, ...at })
    else out.push({ kind: 'unsupported', what: 'inline assembly', ...at })
  }
}

/** A locked operation that changes nothing is the usual full fence. */
const isFence = (instruction: string): boolean =>
  FENCE.test(instruction) || /^lock (?:addl|orl|addq|orq) \$0(?:x0)?,\s*\d*\(%%?[er]sp\)$/.test(instruction)

/** The template without quotes, in lower case, one instruction each; prefixes stand before theirs. */
const instructionsOf = (template: string): readonly string[] =>
  template
    .toLowerCase()
    .replace(/\\[nt]/g, ';')
    .replace(/\b(lock|rep)\s*;[;\s]*/g, '$1 ')
    .split(/[;\n]/)
    .map((one) => one.trim().replace(/\s+/g, ' '))
    .filter((one) => one !== '')

const stringOf = (c: Context, node: SyntaxNode): string =>
  [...textOf(c, node).matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join('')

const builtin = (name: string, args: readonly CExpr[], type: CType, position: CExpr['position']): CExpr => ({
  kind: 'builtin',
  name,
  args,
  type,
  position,
})

const fullFence = (position: CExpr['position']): CExpr => builtin('__sync_synchronize', [], VOID, position)

const SUFFIXES: Readonly<Record<string, number>> = { b: 1, w: 2, l: 4, q: 8 }
/** As in %b1: the part of a register that is meant. */
const MODIFIERS: Readonly<Record<string, number>> = { b: 1, h: 1, w: 2, k: 4, q: 8 }
const UNSIGNED: Readonly<Record<number, CType>> = {
  1: UNSIGNED_CHAR,
  2: UNSIGNED_SHORT,
  4: UNSIGNED_INT,
  8: UNSIGNED_LONG_LONG,
}

const FETCH: Readonly<Record<string, string>> = { add: 'add', sub: 'sub', and: 'and', or: 'or', xor: 'xor' }

const isInMemory = ({ constraint }: Operand): boolean => /^[=+&*]*[mQoV]/.test(constraint)

/** Of a type that an instruction may access as it is. */
const isWord = (type: CType): boolean => ['int', 'pointer'].includes(unqualified(type).kind)

const isFloating = (type: CType): boolean => unqualified(type).kind === 'float'

class Translation {
  private readonly operands: readonly Operand[]
  private readonly out: CStatement[] = []
  /** What the instructions give a value. */
  private readonly set = new Set<CExpr>()
  private readonly at: Pick<CStatement, 'position' | 'text'>
  /** Bytes that the instruction accesses. */
  private width: number | undefined
  /** Operands in memory as objects of that size. */
  private readonly views = new Map<CExpr, CExpr>()

  constructor(
    private readonly c: Context,
    node: SyntaxNode,
    private readonly instructions: readonly string[],
  ) {
    this.at = { position: positionOf(c, node), text: shortText(c, node) }
    const list = (name: string, isOutput: boolean): Operand[] =>
      namedChildren(field(node, name) ?? { ...node, children: [] }).flatMap((one) => {
        const value = field(one, 'value')
        const constraint = field(one, 'constraint')
        if (!value || !constraint) return []
        const symbol = field(one, 'symbol')
        const expr = checkExpression(c, value)
        return [{ constraint: stringOf(c, constraint), symbol: symbol && textOf(c, symbol), isOutput, expr }]
      })
    this.operands = [...list('output_operands', true), ...list('input_operands', false)]
  }

  /** Undefined: not one of the forms that are known. */
  statements(): readonly CStatement[] | undefined {
    const [main, test, ...more] = this.instructions
    if (main === undefined) return this.copies()
    if (more.length > 0) return undefined
    if (/^rdtscp?$/.test(main) && test === undefined) return this.counter()
    const match = /^(lock )?([a-z]+?)([bwlq])? (.*)$/.exec(main)
    if (!match) return undefined
    const parts = match[4]!.split(',').map((part) => part.trim())
    this.width = match[3] ? SUFFIXES[match[3]] : this.widthOfRegisters(parts)
    const isLocked = match[1] !== undefined || match[2] === 'xchg'
    if (isLocked) this.run(fullFence(this.at.position))
    const flag = this.main(match[2]!, match[1] !== undefined, parts)
    if (flag === undefined) return undefined
    if (isLocked) this.run(fullFence(this.at.position))
    const isDone = this.testFlag(flag, test) && this.operands.every((one) => !one.isOutput || this.set.has(one.expr))
    return isDone ? this.out : undefined
  }

  /** The time stamp counter: any value. */
  private counter(): readonly CStatement[] | undefined {
    for (const { isOutput, expr } of this.operands) {
      if (!isOutput || !isLvalue(expr) || unqualified(expr.type).kind !== 'int') return undefined
      this.assign(expr, builtin('__heddle_nondet_uint', [], UNSIGNED_INT, this.at.position))
    }
    return this.out
  }

  /** No instruction: outputs keep their value ("+r"), or take that of the input in the same place ("=r" and "0"). */
  private copies(): readonly CStatement[] | undefined {
    const copied: { readonly target: CExpr; readonly value: CExpr }[] = []
    for (const [number, { isOutput, constraint, expr }] of this.operands.entries()) {
      if (!isOutput || constraint.startsWith('+')) {
        this.evaluate(expr)
        continue
      }
      const tied = this.operands.find((one) => !one.isOutput && one.constraint === String(number))
      if (!tied || !isLvalue(expr) || !isScalar(expr.type)) return undefined
      const value = toValue(this.c, tied.expr)
      copied.push({ target: expr, value: toValue(this.c, this.variable(value, unqualified(value.type))) })
    }
    for (const { target, value } of copied) this.assign(target, value)
    return this.out
  }

  /** For the effects that an operand has, like `*next()`. */
  private evaluate(e: CExpr): void {
    if (e.kind === 'variable' || e.kind === 'constant') return
    const { position } = this.at
    if (!isLvalue(e)) this.run(cast(this.c, toValue(this.c, e), VOID))
    else if (e.kind === 'deref') this.run({ kind: 'cast', operand: e.pointer, type: VOID, position })
    else if (e.kind === 'member') this.evaluate(e.record)
  }

  /** Executes the instruction; its result, which the zero flag tells about ('none': the flags say nothing). */
  private main(name: string, locked: boolean, parts: readonly string[]): CExpr | 'none' | undefined {
    const memory = this.memory(parts.at(-1))
    if (name === 'mov') return this.move(parts)
    if (name === 'xchg') return this.exchange(parts)
    if (!locked || !memory) return undefined
    if (name === 'xadd') return this.fetchAdd(parts[0], memory)
    if (name === 'cmpxchg') return this.compareExchange(parts[0], memory)
    if (name === 'inc' || name === 'dec')
      return this.update(name === 'inc' ? 'add' : 'sub', memory, constant(1, INT, this.at.position))
    const operand = parts.length === 2 ? this.source(parts[0]!) : undefined
    return operand && FETCH[name] ? this.update(FETCH[name], memory, operand) : undefined
  }

  private operand(part: string | undefined): Operand | undefined {
    const number = /^%[bwkqhz]?(\d+)$/.exec(part ?? '')
    if (number) return this.operands[Number(number[1])]
    const name = /^%[bwkqhz]?\[(\w+)\]$/.exec(part ?? '')
    return name ? this.operands.find(({ symbol }) => symbol?.toLowerCase() === name[1]) : undefined
  }

  /** Undefined: there are none, or several widths. */
  private widthOfRegisters(parts: readonly string[]): number | undefined {
    const widths = parts.flatMap((part) => {
      const operand = this.operand(part)
      if (!operand || isInMemory(operand)) return []
      const modifier = /^%([a-z])/.exec(part)?.[1]
      return [modifier ? MODIFIERS[modifier] : sizeOf(unqualified(operand.expr.type), this.c.target)]
    })
    return new Set(widths).size === 1 ? widths[0] : undefined
  }

  /** An object in memory of the size that the instruction accesses. */
  private memory(part: string | undefined): CExpr | undefined {
    const operand = this.operand(part)
    if (!operand || !isInMemory(operand) || !isLvalue(operand.expr)) return undefined
    const { expr } = operand
    const width = this.width ?? sizeOf(unqualified(expr.type), this.c.target)
    if (width === undefined || UNSIGNED[width] === undefined) return undefined
    return isWord(expr.type) && this.has(width, expr) ? expr : this.view(expr, width)
  }

  private view(lvalue: CExpr, width: number): CExpr {
    let view = this.views.get(lvalue)
    if (!view) {
      const register = this.operands.find(
        (one) => !isInMemory(one) && isWord(one.expr.type) && this.has(width, one.expr),
      )
      const type = register ? unqualified(register.expr.type) : UNSIGNED[width]!
      const { position } = this.at
      takeAddress(this.c, lvalue)
      const address: CExpr = { kind: 'address', lvalue, type: pointerTo(unqualified(lvalue.type)), position }
      view = { kind: 'deref', pointer: cast(this.c, address, pointerTo(type)), type, position }
      this.views.set(lvalue, view)
    }
    return view
  }

  /** Whether the instruction accesses just as much as this has. */
  private has(width: number | undefined, e: CExpr): boolean {
    return sizeOf(unqualified(e.type), this.c.target) === width
  }

  private setsAll({ expr }: Operand): boolean {
    return !isFloating(expr.type) && (this.width === undefined || this.has(this.width, expr))
  }

  /** The value of a register or an immediate. */
  private source(part: string): CExpr | undefined {
    const immediate = /^\$(-?(?:0x[\da-f]+|\d+))$/.exec(part)
    if (immediate) return constant(Number(immediate[1]), INT, this.at.position)
    const operand = this.operand(part)
    if (!operand || this.memory(part) || isFloating(operand.expr.type)) return undefined
    if (!operand.isOutput || operand.constraint.startsWith('+')) return toValue(this.c, operand.expr)
    // An output whose first value is that of the input in the same place.
    const number = this.operands.indexOf(operand)
    const tied = this.operands.find(({ isOutput, constraint }) => !isOutput && constraint === String(number))
    return tied && toValue(this.c, tied.expr)
  }

  private address(memory: CExpr): CExpr {
    for (const [original, view] of this.views) if (view === memory) this.set.add(original)
    this.set.add(memory)
    takeAddress(this.c, memory)
    return { kind: 'address', lvalue: memory, type: pointerTo(unqualified(memory.type)), position: this.at.position }
  }

  private order(order: number): CExpr {
    return constant(order, INT, this.at.position)
  }

  private run(expression: CExpr): void {
    this.out.push({ kind: 'expression', expression, ...this.at })
  }

  private assign(target: CExpr, value: CExpr): void {
    const type = unqualified(target.type)
    this.set.add(target)
    this.run({ kind: 'assign', target, value: cast(this.c, value, type), type, position: this.at.position })
  }

  /** A local variable with this value. */
  private variable(value: CExpr, type: CType): CExpr {
    const { position } = this.at
    const variable: CVariable = {
      kind: 'variable',
      name: 'register',
      type,
      position,
      storage: 'auto',
      addressTaken: true,
    }
    const initializer = [{ offset: 0, type, value: cast(this.c, value, type) }]
    this.out.push({ kind: 'declare', variable, initializer, ...this.at })
    return { kind: 'variable', variable, type, position }
  }

  private move([from, to]: readonly string[]): 'none' | undefined {
    const [source, target] = [this.memory(from), this.memory(to)]
    const destination = this.operand(to)
    if (source && destination?.isOutput && !target && this.setsAll(destination)) {
      const type = unqualified(source.type)
      const args = [this.address(source), this.order(ACQUIRE | MACHINE_ORDER_BIT)]
      this.assign(destination.expr, builtin('__atomic_load_n', args, type, this.at.position))
      return 'none'
    }
    const value = from === undefined ? undefined : this.source(from)
    if (!target || !value) return undefined
    const args = [
      this.address(target),
      cast(this.c, value, unqualified(target.type)),
      this.order(RELEASE | MACHINE_ORDER_BIT),
    ]
    this.run(builtin('__atomic_store_n', args, VOID, this.at.position))
    return 'none'
  }

  private exchange(parts: readonly string[]): 'none' | undefined {
    const memory = this.memory(parts[1]) ?? this.memory(parts[0])
    const register = this.memory(parts[1]) ? parts[0] : parts[1]
    return memory && this.fetch('__atomic_exchange_n', register, memory)
  }

  private fetchAdd(register: string | undefined, memory: CExpr): 'none' | undefined {
    return this.fetch('__atomic_fetch_add', register, memory)
  }

  /** The register's value goes to memory by the operation, and what was there to the register. */
  private fetch(name: string, register: string | undefined, memory: CExpr): 'none' | undefined {
    const operand = this.operand(register)
    const value = register === undefined ? undefined : this.source(register)
    if (!operand?.isOutput || !value || !isLvalue(operand.expr) || !this.setsAll(operand)) return undefined
    const type = unqualified(memory.type)
    const args = [this.address(memory), cast(this.c, value, type), this.order(SEQ_CST)]
    this.assign(operand.expr, builtin(name, args, type, this.at.position))
    return 'none'
  }

  private update(operation: string, memory: CExpr, operand: CExpr): CExpr {
    const type = unqualified(memory.type)
    const args = [this.address(memory), cast(this.c, operand, type), this.order(SEQ_CST)]
    const result = this.variable(builtin(`__atomic_${operation}_fetch`, args, type, this.at.position), type)
    return { kind: 'not', operand: toValue(this.c, result), type: INT, position: this.at.position }
  }

  private compareExchange(register: string | undefined, memory: CExpr): CExpr | undefined {
    const inA = ({ constraint }: Operand): boolean => /^[+=&]*a$/.test(constraint)
    const output = this.operands.find((operand) => operand.isOutput && inA(operand))
    const tie = output && String(this.operands.indexOf(output))
    const input =
      this.operands.find((one) => !one.isOutput && (inA(one) || one.constraint === tie)) ??
      (output?.constraint.startsWith('+') ? output : undefined)
    const value = register === undefined ? undefined : this.source(register)
    if (!input || !value) return undefined
    if (output && !this.isTested(output) && !this.setsAll(output)) return undefined
    const type = unqualified(memory.type)
    const expected = this.variable(toValue(this.c, input.expr), type)
    const zero = this.order(0)
    const orders = [this.order(SEQ_CST), this.order(SEQ_CST)]
    const args = [this.address(memory), this.address(expected), cast(this.c, value, type), zero, ...orders]
    const success = this.variable(builtin('__atomic_compare_exchange_n', args, BOOL, this.at.position), BOOL)
    if (output && !this.isTested(output)) this.assign(output.expr, toValue(this.c, expected))
    return toValue(this.c, success)
  }

  /** The same register takes the flag afterwards. */
  private isTested(output: Operand): boolean {
    const test = /^set\w+ (.*)$/.exec(this.instructions[1] ?? '')
    return test !== null && this.operand(test[1]) === output
  }

  /** `setz %1` or an output "=@ccz"; false: a flag is asked for that is not known. */
  private testFlag(flag: CExpr | 'none', test: string | undefined): boolean {
    const named = this.operands.flatMap((operand) => {
      const asked = /^=&?@cc(\w+)$/.exec(operand.constraint)
      return asked ? [{ operand, asked: asked[1]! }] : []
    })
    const set = /^set(\w+) (.*)$/.exec(test ?? '')
    const operand = set ? this.operand(set[2]) : undefined
    if (test !== undefined && !operand) return false
    const wanted = [...named, ...(set && operand ? [{ operand, asked: set[1]! }] : [])]
    for (const { operand: target, asked } of wanted) {
      const negated = asked === 'nz' || asked === 'ne'
      if (flag === 'none' || (!negated && asked !== 'z' && asked !== 'e') || !isLvalue(target.expr)) return false
      const { position } = this.at
      this.assign(target.expr, negated ? { kind: 'not', operand: flag, type: INT, position } : flag)
    }
    return true
  }
}
