// Sequential C over all integer types: promotions, conversions, shifts, bit-fields, pointers, control flow. One number
// comes out, a checksum of all that was computed. Behaviour is what `cc -fwrapv` defines: divisors are positive,
// shifts are narrower than their type, indices are masked, an expression has at most one side effect.
import type { Choices } from './choices.js'

export interface SequentialOptions {
  /** Statements in each function, at most (default 8). */
  readonly statements?: number
  readonly features?: Partial<SequentialFeatures>
}

interface SequentialFeatures {
  readonly bitFields: boolean
  readonly pointers: boolean
  readonly arrays: boolean
  readonly structs: boolean
  readonly unions: boolean
  readonly loops: boolean
  readonly switches: boolean
  readonly calls: boolean
  readonly statics: boolean
}

const ALL: SequentialFeatures = {
  bitFields: true,
  pointers: true,
  arrays: true,
  structs: true,
  unions: true,
  loops: true,
  switches: true,
  calls: true,
  statics: true,
}

export interface SequentialProgram {
  /** Everything before main; `unsigned long long compute(void)` gives the result. */
  readonly definitions: string
}

/** Prints the result, for the machine's compiler (-fwrapv). */
export const runnable = ({ definitions }: SequentialProgram): string =>
  `#include <stdio.h>\n${definitions}\nint main(void) {\n  printf("%llu\\n", compute());\n  return 0;\n}\n`

/** Claims the result: the assertion holds exactly if the semantics agree. */
export const checkable = ({ definitions }: SequentialProgram, result: bigint): string =>
  `#include <assert.h>\n${definitions}\nint main(void) {\n  assert(compute() == ${result}ull);\n  return 0;\n}\n`

export const sequentialProgram = (choices: Choices, options: SequentialOptions = {}): SequentialProgram => ({
  definitions: new SequentialGenerator(choices, options).definitions(),
})

const TYPES = [
  'int',
  'unsigned',
  'char',
  'unsigned char',
  'signed char',
  'short',
  'unsigned short',
  'long',
  'unsigned long',
  'long long',
  'unsigned long long',
  '_Bool',
] as const

const LITERALS = [
  '0',
  '1',
  '2',
  '-1',
  '7',
  '127',
  '128',
  '255u',
  '-128',
  '32767',
  '65535',
  '2147483647',
  '(-2147483647 - 1)',
  '2147483648',
  '4294967295u',
  '0x7fffffffffffffffLL',
  '0xffffffffffffffffULL',
  '010',
  "'a'",
  "'\\xff'",
  '1L',
  '3ul',
  'ENUMERATOR',
] as const

interface Local {
  readonly name: string
  /** Usable as an operand of & (no bit-field). */
  readonly addressable: boolean
  readonly type: string
}

class SequentialGenerator {
  private readonly features: SequentialFeatures
  private readonly statementLimit: number
  private locals: Local[] = []
  private names = 0
  private budget = 0
  private functions: { readonly name: string; readonly parameters: number }[] = []
  /** Helpers are called inside expressions, in no certain order: they change nothing but their own variables. */
  private pure = true
  /** Loop counters may be read, never written. */
  private counters: string[] = []

  constructor(
    private readonly choices: Choices,
    options: SequentialOptions,
  ) {
    this.features = { ...ALL, ...options.features }
    this.statementLimit = options.statements ?? 8
  }

  definitions(): string {
    const { choices, features } = this
    const globals = [
      'enum { ENUMERATOR = 5, NEGATIVE = -3 };',
      'static unsigned long long checksum;',
      'static void mix(unsigned long long value) {',
      '  checksum = checksum * 1000003u + value;',
      '}',
      ...(features.structs ? this.structure() : []),
      ...(features.unions ? ['union overlay { unsigned int word; unsigned char bytes[4]; short halves[2]; };'] : []),
      `static ${choices.pick(TYPES)} global = ${choices.pick(LITERALS)};`,
    ]
    const helpers = features.calls ? Array.from({ length: choices.below(3) }, () => this.helper()) : []
    return [...globals, ...helpers.flat(), ...this.compute(), ''].join('\n')
  }

  private structure(): readonly string[] {
    const { choices } = this
    const bits = this.features.bitFields
      ? [
          `  ${choices.pick(['unsigned', 'int'])} narrow : ${1 + choices.below(8)};`,
          `  int wide : ${9 + choices.below(20)};`,
          `  unsigned char small : ${1 + choices.below(8)};`,
          '  _Bool flag : 1;',
        ]
      : ['  char narrow;', '  int wide;', '  unsigned char small;', '  _Bool flag;']
    return ['struct record {', `  ${choices.pick(TYPES)} first;`, ...bits, `  ${choices.pick(TYPES)} cells[4];`, '};']
  }

  private helper(): readonly string[] {
    const { choices } = this
    const name = `helper${this.functions.length}`
    const parameters = ['a', 'b'].slice(0, 1 + choices.below(2))
    this.locals = parameters.map((parameter) => ({ name: parameter, addressable: true, type: choices.pick(TYPES) }))
    this.counters = []
    const signature = this.locals.map((local) => `${local.type} ${local.name}`).join(', ')
    this.budget = 2
    const body = [...this.statements(1), `return ${this.expression(2)};`]
    const lines = [`static ${choices.pick(TYPES)} ${name}(${signature}) {`, ...indent(body), '}']
    this.functions.push({ name, parameters: parameters.length })
    return lines
  }

  private compute(): readonly string[] {
    const { choices, features } = this
    this.locals = [{ name: 'global', addressable: true, type: '' }]
    this.counters = []
    this.pure = false
    const declarations: string[] = []
    for (let count = 2 + choices.below(4); count > 0; count--) declarations.push(this.declaration())
    if (features.arrays) {
      declarations.push(`${choices.pick(TYPES)} array[4] = { ${choices.pick(LITERALS)}, ${choices.pick(LITERALS)} };`)
      this.addLocals(['array[0]', 'array[3]', `array[${this.expression(1)} & 3]`])
    }
    if (features.structs) declarations.push(...this.structureLocals())
    if (features.unions && choices.rarely(2)) {
      declarations.push(`union overlay overlay = { ${choices.pick(LITERALS)} };`)
      this.addLocals(['overlay.word', 'overlay.bytes[1]', 'overlay.bytes[3]', 'overlay.halves[1]'])
    }
    if (features.pointers) declarations.push(...this.pointers())
    this.budget = 1 + choices.below(this.statementLimit)
    const body = [...declarations, ...this.statements(2)]
    const sum = this.locals.map((local) => `mix(${local.name});`)
    return ['unsigned long long compute(void) {', ...indent([...body, ...sum, 'return checksum;']), '}']
  }

  private addLocals(names: readonly string[], addressable = false): void {
    for (const name of names) this.locals.push({ name, addressable, type: '' })
  }

  private declaration(): string {
    const { choices } = this
    const type = choices.pick(TYPES)
    const name = `v${this.names++}`
    const isStatic = this.features.statics && !this.pure && choices.rarely(8)
    const line = `${isStatic ? 'static ' : ''}${type} ${name} = ${isStatic ? choices.pick(LITERALS) : this.expression(2)};`
    this.locals.push({ name, addressable: true, type })
    return line
  }

  private structureLocals(): readonly string[] {
    const { choices } = this
    const values = Array.from({ length: 3 }, () => choices.pick(LITERALS)).join(', ')
    this.addLocals(['record.first', 'record.narrow', 'record.wide', 'record.small', 'record.flag', 'record.cells[2]'])
    return [
      choices.rarely(2)
        ? `struct record record = { .wide = ${choices.pick(LITERALS)}, .cells = { [1] = ${choices.pick(LITERALS)}, 3 } };`
        : `struct record record = { ${values} };`,
    ]
  }

  private pointers(): readonly string[] {
    const lines: string[] = []
    const target = this.locals.find((local) => local.addressable && local.type !== '')
    if (target) {
      lines.push(`${target.type} *pointer = &${target.name};`)
      this.addLocals(['(*pointer)'])
    }
    if (this.features.structs && this.choices.rarely(2)) {
      lines.push('struct record *to_record = &record;')
      this.addLocals(['to_record->wide', 'to_record->cells[1]', '(*(to_record->cells + 2))'])
    }
    return lines
  }

  // ---- statements

  private statements(depth: number): string[] {
    const result: string[] = []
    do result.push(...this.statement(depth))
    while (this.budget > 0 && (depth === 2 || this.choices.rarely(2)))
    return result
  }

  private statement(depth: number): readonly string[] {
    this.budget--
    const { choices, features } = this
    const simple: (() => readonly string[])[] = [
      () => [`${this.target()} = ${this.expression(3)};`],
      () => [this.compound()],
      () => [`${choices.pick(['++', '--'])}${this.target()};`],
    ]
    if (!this.pure)
      simple.push(
        () => [`mix(${this.expression(3)});`],
        () => [`mix(${this.target()}${choices.pick(['++', '--'])});`],
        () => [`mix((${this.target()} = ${this.expression(2)}));`],
      )
    if (depth === 0) return choices.pick(simple)()
    const nested: (() => readonly string[])[] = [() => this.conditional(depth), () => this.block(depth)]
    if (features.loops)
      nested.push(
        () => this.forLoop(depth),
        () => this.whileLoop(depth),
      )
    if (features.switches) nested.push(() => this.switchStatement(depth))
    if (features.structs && features.pointers && this.locals.some((local) => local.name === 'record.first'))
      nested.push(() => [
        '{',
        '  struct record copy = record;',
        '  copy.narrow++;',
        '  mix(copy.narrow);',
        '  record = copy;',
        '}',
      ])
    return choices.pick([...simple, ...nested])()
  }

  private compound(): string {
    const target = this.target()
    switch (this.choices.below(4)) {
      case 0:
        return `${target} ${this.choices.pick(['+=', '-=', '*=', '^=', '&=', '|='])} ${this.expression(2)};`
      case 1:
        return `${target} ${this.choices.pick(['<<=', '>>='])} ${this.shiftAmount(target)};`
      case 2:
        return `${target} ${this.choices.pick(['/=', '%='])} ${this.divisor()};`
      default:
        return `${target} += ${this.choices.pick(LITERALS)};`
    }
  }

  private conditional(depth: number): readonly string[] {
    const then = indent(this.statements(depth - 1))
    const rest = this.choices.rarely(2) ? ['} else {', ...indent(this.statements(depth - 1)), '}'] : ['}']
    return [`if (${this.expression(2)}) {`, ...then, ...rest]
  }

  /** A block with a variable of its own that hides nothing. */
  private block(depth: number): readonly string[] {
    const before = this.locals.length
    const line = this.declaration()
    const body = this.statements(depth - 1)
    const inner = this.locals.splice(before).map((local) => `mix(${local.name});`)
    return ['{', ...indent([line, ...body, ...(this.pure ? [] : inner)]), '}']
  }

  private forLoop(depth: number): readonly string[] {
    const counter = `i${this.names++}`
    const type = this.choices.pick(['int', 'unsigned char', 'long', 'unsigned'])
    const limit = 1 + this.choices.below(4)
    this.counters.push(counter)
    const body = this.statements(depth - 1)
    const leave = this.choices.rarely(4)
      ? [`if (${this.expression(1)}) ${this.choices.pick(['break', 'continue'])};`]
      : []
    this.counters.pop()
    return [`for (${type} ${counter} = 0; ${counter} < ${limit}; ${counter}++) {`, ...indent([...leave, ...body]), '}']
  }

  private whileLoop(depth: number): readonly string[] {
    const counter = `n${this.names++}`
    const start = `int ${counter} = ${1 + this.choices.below(3)};`
    this.counters.push(counter)
    const body = indent(this.statements(depth - 1))
    this.counters.pop()
    return this.choices.rarely(2)
      ? [start, 'do {', ...body, `} while (--${counter} > 0);`]
      : [start, `while (${counter}-- > 0) {`, ...body, '}']
  }

  private switchStatement(depth: number): readonly string[] {
    const end = () => (this.choices.rarely(3) ? [] : ['break;'])
    const branch = (label: string) => [label, ...indent([...this.statements(depth - 1), ...end()])]
    return [
      `switch ((${this.expression(2)}) & 3) {`,
      ...branch('case 0:'),
      ...branch('case 1:'),
      ...(this.choices.rarely(2) ? branch('default:') : []),
      'case 3:',
      ...indent(this.pure ? ['break;'] : ['mix(3);']),
      '}',
    ]
  }

  // ---- expressions

  private target(): string {
    return this.choices.pick(this.locals).name
  }

  private operand(): string {
    const { choices } = this
    if (this.counters.length > 0 && choices.rarely(4)) return choices.pick(this.counters)
    return choices.rarely(3) ? choices.pick(LITERALS) : this.locals.length > 0 ? this.target() : '1'
  }

  /** Narrower than int's 32 bits, whatever the promoted type. */
  private shiftAmount(left: string): string {
    return this.choices.rarely(2) && left !== '' ? `(${this.expression(1)} & 15)` : String(this.choices.below(31))
  }

  private divisor(): string {
    return `((${this.expression(1)} & 7) + 1)`
  }

  private expression(depth: number): string {
    const { choices } = this
    if (depth === 0) return this.operand()
    const inner = () => this.expression(depth - 1)
    const kinds: (() => string)[] = [
      () => this.operand(),
      () => `(${inner()} ${choices.pick(['+', '-', '*', '&', '|', '^'])} ${inner()})`,
      () => `(${inner()} ${choices.pick(['<', '<=', '>', '>=', '==', '!='])} ${inner()})`,
      () => `((${choices.pick(TYPES)})${inner()})`,
      () => `${choices.pick(['-', '~', '!', '+'])}(${inner()})`,
      () => `(${inner()} ${choices.pick(['&&', '||'])} ${inner()})`,
      () => `(${inner()} ? ${inner()} : ${inner()})`,
      () => `(${inner()} ${choices.pick(['/', '%'])} ${this.divisor()})`,
      () => `(${inner()} ${choices.pick(['<<', '>>'])} ${this.shiftAmount(' ')})`,
      () => `(${inner()}, ${inner()})`,
      () => `(sizeof(${choices.pick(TYPES)}) ${choices.pick(['+', '*', '-'])} ${inner()})`,
      () => `(${choices.pick(TYPES)})-(${inner()}) * 2`,
    ]
    const [called] = this.functions
    if (called) kinds.push(() => `${called.name}(${Array.from({ length: called.parameters }, inner).join(', ')})`)
    return choices.pick(kinds)()
  }
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)
