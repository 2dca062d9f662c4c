// The edges that leave a location, for one thread slot, as JavaScript. Labels that edges begin with in common are
// executed once (large blocks share them), then the code branches. Guards are read from the old state; the first write
// makes a copy, whose words are changed in place with the hash sum corrected; then the record is emitted. Variables are
// single-assignment constants, so that the loop over the values of a choice may be entered again.
import { type Edge, type Expr, type Label, Unsupported, type Variable } from '../../../xcfa/index.js'
import { read } from '../../../xcfa/passes/labels.js'
import { isWaitersComparison } from '../../../xcfa/passes/memory/reuse.js'
import { domainBounds, exactly, typeBounds } from './bounds.js'
import { checkCode, readCode, type StateName, writeCode } from './cells.js'
import type { Choice } from './choice.js'
import { type Code, conditionCode, type ExpressionContext, literal, valueCode } from './expression.js'
import { flushCode, type Part } from './flush.js'
import type { Generator } from './generator.js'
import { allocateCode, freeCode } from './heap-code.js'
import type { Cells, SlotLayout, TemplateLayout } from './layout.js'
import { loadCode, storeCode } from './memory-code.js'

/** An edge with its number among all compiled ones. */
export interface NumberedEdge {
  readonly edge: Edge
  readonly index: number
}

/** The statements that emit every successor along the edges, which leave one location. */
export const edgesCode = (
  generator: Generator,
  slot: SlotLayout,
  template: TemplateLayout,
  edges: readonly NumberedEdge[],
): string => new EdgeCode(generator, slot, template, edges).generate(0)

/** An edge that chooses sampled values many times tries no more combinations of them: it proves nothing anyway. */
const MAX_COMBINATIONS = 256

/** Generates the code of some edges from a label on; where they part, a copy goes on with each part. */
export class EdgeCode {
  private readonly lines: string[] = []
  private values = new Map<Variable, Code>()
  private dirty = new Set<Variable>()
  private choices: string[] = []
  private indeterminate: string[] = []
  /** Combinations of the values that were sampled so far. */
  private combinations = 1
  private readonly context: ExpressionContext
  /** The label that is being generated. */
  private position = 0
  private threads: string | undefined
  private closing = ''
  /** The state as it is now: the old one, until something must be written. */
  state: StateName = { array: 'S', base: 'b' }
  hash = 'h'
  /** The statement that gives the step up. */
  failure = 'return'
  /** A guard can never be passed: nothing more to generate. */
  private impossible = false
  private readonly names: { next: number }

  constructor(
    readonly generator: Generator,
    private readonly slot: SlotLayout,
    readonly template: TemplateLayout,
    private readonly edges: readonly NumberedEdge[],
    from?: EdgeCode,
  ) {
    this.context = {
      ...{ helpers: generator.helpers, read: (variable) => this.read(variable) },
      ...(generator.options.watchesFreed &&
        !edges.every(({ edge }) => isWaitersComparison(edge)) && {
          beforeComparing: (pointer) => this.watchCode(pointer),
        }),
    }
    this.names = from?.names ?? { next: 0 }
    if (!from) return
    this.values = new Map(from.values)
    this.dirty = new Set(from.dirty)
    this.choices = [...from.choices]
    this.indeterminate = [...from.indeterminate]
    this.combinations = from.combinations
    this.threads = from.threads
    this.state = from.state
    this.hash = from.hash
  }

  /** The edge that stands for all of them, as long as they have not parted. */
  get edge(): Edge {
    return this.edges[0]!.edge
  }

  get index(): number {
    return this.edges[0]!.index
  }

  /** The code from this label on, for edges that agree on those before it. */
  generate(from: number): string {
    const [first, ...others] = this.edges
    let position = from
    for (; !this.impossible; position++) {
      const label = first!.edge.labels[position]
      if (!label || others.some(({ edge }) => edge.labels[position] !== label)) break
      if (others.length > 0 && this.chooses(label)) break
      this.label(label, position)
    }
    if (!this.impossible) {
      if (others.length === 0) this.finish()
      else this.branch(position)
    }
    return `${this.lines.join('')}${this.closing}`
  }

  /** Which values a choice tries depends on the rest of the edge: edges do not share it. */
  private chooses(label: Label): boolean {
    const { unchosen, regions } = this.generator.layout
    if (label.kind === 'havoc' || (label.kind === 'load' && regions.get(label.region)?.unchosen)) return true
    return unchosen.size > 0 && [...read(label)].some((variable) => unchosen.has(variable))
  }

  /** Each group of edges that go on with the same label becomes a block of its own. */
  private branch(position: number): void {
    const snapshot = this.copied ? this.snapshot() : undefined
    const groups = new Map<Label | NumberedEdge, NumberedEdge[]>()
    for (const numbered of this.edges) {
      const label = numbered.edge.labels[position]
      // An edge that ends here stands alone.
      const key = label && !this.chooses(label) ? label : numbered
      const group = groups.get(key)
      if (group) group.push(numbered)
      else groups.set(key, [numbered])
    }
    for (const group of groups.values()) {
      const part = new EdgeCode(this.generator, this.slot, this.template, group, this)
      const name = this.fresh('p')
      part.failure = `break ${name}`
      if (snapshot) part.restore(snapshot)
      this.lines.push(`${name}: {\n${part.generate(position)}}\n`)
    }
  }

  /** Notices a pointer to a freed block. */
  private watchCode({ text }: Code): string {
    const { file, line } = this.edge.position
    const reason = this.generator.reasonNumber({ kind: 'freed-address', at: { file, line } })
    return `R.compared(${this.state.array}, ${this.state.base}, ${text}, ${reason})`
  }

  emit(code: string): void {
    this.lines.push(`${code}\n`)
  }

  private fresh(prefix: string): string {
    return `${prefix}${this.names.next++}`
  }

  code(e: Expr): Code {
    return valueCode(e, this.context)
  }

  value(e: Expr): string {
    return this.code(e).text
  }

  /** Names a value, so that it is computed once. */
  named(code: string, prefix = 'k'): string {
    if (/^[\w$]+$|^\(-\d+\)$/.test(code)) return code
    const name = this.fresh(prefix)
    this.emit(`const ${name} = ${code}`)
    return name
  }

  private get copied(): boolean {
    return this.state.array !== 'S'
  }

  /** From here on the successor's words are written. */
  copy(): void {
    if (this.copied) return
    this.newRecord(this.hash)
    const { array, base } = this.state
    this.emit(`for (let i = 0; i < ${this.generator.layout.words}; i++) ${array}[${base} + i] = S[b + i]`)
  }

  private newRecord(hash: string): void {
    const number = this.names.next++
    this.emit('if (R.top > R.limit) R.grow()')
    this.emit(`const out${number} = R.out, o${number} = R.top; let h${number} = ${hash}`)
    this.state = { array: `out${number}`, base: `o${number}` }
    this.hash = `h${number}`
  }

  write(cells: Cells, index: number | string, value: string): void {
    this.copy()
    const owner = this.generator.ownerNumber(cells)
    this.emit(writeCode(cells, index, value, this.state, this.hash, owner, this.generator.helpers))
  }

  readCell(cells: Cells, index: number | string): string {
    return readCode(cells, index, this.state, this.generator.helpers)
  }

  assign(variable: Variable, text: string, bounds = typeBounds(variable.type)): void {
    this.values.set(variable, { text: this.named(text, 'v'), bounds })
    this.dirty.add(variable)
  }

  /** Undefined behaviour: instead of the step, the thread stops where it is. */
  undefinedUnless(condition: string): void {
    const stopped = this.slot.stopped.get(this.edge.source)
    if (stopped === undefined) throw new Error('a location where a thread may stop has no counter for it')
    const stop = this.generator.stopper(this.slot, this.template)
    const note = `if (R.tracing) R.note([${this.choices}], [${this.indeterminate}])`
    this.emit(
      `if (!(${condition})) { ${stop}(S, b, h, ${stopped}, ${this.generator.stopOf(this.index)}); ${note}; ${this.failure} }`,
    )
  }

  threadCount(): string {
    return (this.threads ??= this.named(this.readCell(this.generator.layout.threadCount, 0), 'n'))
  }

  private read(variable: Variable): Code {
    const known = this.values.get(variable)
    if (known) return known
    if (variable === this.template.procedure.self)
      return { text: `${this.slot.number}`, bounds: exactly(this.slot.number) }
    const cells = this.cellsOf(variable)
    const flag = this.generator.layout.unchosen.get(variable)
    const text = flag ? this.readUnchosen(variable, cells, flag) : this.named(this.readCell(cells, 0), 'v')
    const code = { text, bounds: flag ? typeBounds(variable.type) : domainBounds(cells.domain, variable.type) }
    this.values.set(variable, code)
    return code
  }

  /** A global that started with any value: whoever reads it first chooses it. */
  private readUnchosen(variable: Variable, cells: Cells, flag: Cells): string {
    const open = this.named(`${this.readCell(flag, 0)} !== 0`, 'u')
    const current = this.named(this.readCell(cells, 0), 'r')
    const site = { kind: 'indeterminate', label: this.position - 1, target: variable, type: variable.type } as const
    const value = this.choose(this.generator.choice(this, site), open, current)
    this.notesIndeterminate(value, open)
    this.dirty.add(variable)
    return value
  }

  private cellsOf(variable: Variable): Cells {
    const { globals } = this.generator.layout
    const cells = variable.scope === 'global' ? globals.get(variable) : this.template.locals.get(variable)
    if (!cells) throw new Error(`variable ${variable.name} belongs to no part of the program`)
    return cells
  }

  private label(label: Label, position: number): void {
    this.position = position
    switch (label.kind) {
      case 'assign':
        this.assignCode(label.target, this.code(label.value))
        break
      case 'assume':
        this.assume(label.condition)
        break
      case 'havoc': {
        const { target, range } = label
        const site = { kind: 'havoc', label: position, target, type: target.type, ...(range ? { range } : {}) } as const
        const value = this.choose(this.generator.choice(this, site))
        this.choices.push(value)
        this.assign(target, value)
        break
      }
      case 'load':
        loadCode(this, label, position)
        break
      case 'store':
        storeCode(this, label)
        break
      case 'allocate':
        allocateCode(this, label)
        break
      case 'free':
        freeCode(this, label.address)
        break
      case 'start':
        this.start(label)
        break
      case 'join':
        this.join(label.thread)
        break
      case 'fence':
        break
      case 'call':
      case 'primitive':
        throw new Unsupported(`${label.kind} in explicit exploration`, this.edge.position)
    }
  }

  private assignCode(variable: Variable, { text, bounds }: Code): void {
    this.assign(variable, text, bounds ?? typeBounds(variable.type))
  }

  private assume(condition: Expr): void {
    const code = conditionCode(condition, this.context)
    if (code === 'true') return
    if (code === 'false') this.impossible = true
    this.emit(code === 'false' ? this.failure : `if (!${code}) ${this.failure}`)
  }

  /** A loop over the values, or over `otherwise` if the condition is false; all code that follows is inside it. */
  choose(choice: Choice, condition?: string, otherwise?: string): string {
    const values = this.choiceArray(choice)
    const array = this.named(condition ? `${condition} ? ${values} : R.none` : values, 'w')
    const loop = this.fresh('c')
    if (condition) this.emit(`const ${loop}n = ${condition} ? ${array}.length : 1`)
    const bound = condition ? `${loop}n` : `${array}.length`
    const snapshot = this.copied ? this.snapshot() : undefined
    this.emit(`${loop}: for (let ${loop}i = 0; ${loop}i < ${bound}; ${loop}i++) {`)
    this.closing = `}\n${this.closing}`
    this.failure = `continue ${loop}`
    if (snapshot) this.restore(snapshot)
    const chosen = `${array}[${loop}i]`
    return this.named(condition ? `${condition} ? ${chosen} : ${otherwise}` : chosen, 'x')
  }

  /** What was written before a choice, or before edges part, is written again for each of them. */
  private snapshot(): Snapshot {
    const { array, base } = this.state
    const words = this.named(`${array}.slice(${base}, ${base} + ${this.generator.layout.words})`, 'q')
    return { words, hash: this.named(`${this.hash} | 0`, 'q') }
  }

  private restore({ words, hash }: Snapshot): void {
    this.newRecord(hash)
    this.emit(`${this.state.array}.set(${words}, ${this.state.base})`)
  }

  /** An expression for the array of values. */
  private choiceArray(choice: Choice): string {
    switch (choice.kind) {
      case 'values':
        return this.generator.constantArray(choice.values)
      case 'sample': {
        const values = choice.values.slice(0, Math.max(1, Math.floor(MAX_COMBINATIONS / this.combinations)))
        this.combinations *= values.length
        return `R.partial(${this.generator.constantArray(values)}, ${this.generator.reasonNumber(choice.reason)})`
      }
      case 'dynamic': {
        const changed = [...this.dirty]
        const number = this.generator.dynamicChoice(choice, this.slot, this.template, changed)
        return `R.values(${number}, S, b, [${changed.map((variable) => this.values.get(variable)!.text)}])`
      }
    }
  }

  /** A value that was chosen for unwritten memory, if the condition holds. */
  notesIndeterminate(value: string, condition: string): void {
    this.indeterminate.push(`...(${condition} ? [${value}] : [])`)
  }

  private start({ target, procedure, args }: Extract<Label, { kind: 'start' }>): void {
    const count = this.threadCount()
    const values = args.map((arg) => `, ${this.named(this.value(arg), 'a')}`).join('')
    this.copy()
    const { array, base } = this.state
    this.emit(`${this.hash} = ${this.generator.starter(procedure)}(${array}, ${base}, ${this.hash}, ${count}${values})`)
    this.write(this.generator.layout.threadCount, 0, `(${count} + 1)`)
    this.threads = this.named(`${count} + 1`, 'n')
    this.assign(target, count)
  }

  private join(thread: Expr): void {
    const { array, base } = this.state
    this.emit(`if (!${this.generator.useEnded()}(${array}, ${base}, ${this.value(thread)})) ${this.failure}`)
  }

  /** Writes back variables and the program counter, word by word, and emits the record. */
  private finish(): void {
    const { generator, edge, template, slot } = this
    const parts: Part[] = []
    const dead = generator.deadAfter(edge, template)
    for (const variable of this.dirty) {
      if (variable === template.procedure.self) throw new Error('the number of a thread is assigned')
      if (generator.neededAfter(variable, edge, template))
        parts.push({ cells: this.cellsOf(variable), value: this.values.get(variable)!.text })
    }
    for (const variable of this.dirty) {
      const flag = generator.layout.unchosen.get(variable)
      if (flag) parts.push({ cells: flag, value: '0' })
    }
    for (const variable of dead) parts.push({ cells: this.cellsOf(variable), value: undefined })
    if (edge.target !== edge.source)
      parts.push({ cells: slot.counter, value: literal(template.counters.get(edge.target)!) })
    this.copy()
    this.flush(parts)
    const { words } = generator.layout
    const { array, base } = this.state
    this.emit(`${array}[${base} + ${words}] = ${this.hash}; ${array}[${base} + ${words + 1}] = ${this.index}`)
    this.emit(`R.top = ${base} + ${words + 2}`)
    this.emit(`if (R.tracing) R.note([${this.choices}], [${this.indeterminate}])`)
  }

  private flush(parts: readonly Part[]): void {
    for (const { cells, value } of parts)
      if (value !== undefined) this.emit(checkCode(cells, value, this.generator.ownerNumber(cells)))
    for (const line of flushCode(parts, this.state, this.hash, this.generator)) this.emit(line)
  }
}

/** Names of a copy of the words and of their hash sum. */
interface Snapshot {
  readonly words: string
  readonly hash: string
}
