// One edge of one thread slot as JavaScript: guards first, read from the old state; then a copy of the state whose
// words are changed in place, with the hash sum corrected; then the record is emitted. Variables are single-assignment
// constants, so that the loop over the values of a choice may be entered again.
import { type Edge, type Expr, type Label, Unsupported, type Variable } from '../../../xcfa/index.js'
import { checkCode, encodeCode, readCode, replaceWord, type StateName, wideParts, writeCode } from './cells.js'
import type { Choice } from './choice.js'
import { conditionCode, type ExpressionContext, literal, valueCode } from './expression.js'
import type { Generator } from './generator.js'
import type { Cells, SlotLayout, TemplateLayout } from './layout.js'
import { loadCode, storeCode } from './memory-code.js'

/** Generates the code of one edge; a new one for each. */
export class EdgeCode {
  private readonly lines: string[] = []
  private readonly values = new Map<Variable, string>()
  private readonly dirty = new Set<Variable>()
  private readonly choices: string[] = []
  private readonly indeterminate: string[] = []
  private readonly context: ExpressionContext
  /** The label that is being generated. */
  private position = 0
  private threads: string | undefined
  private closing = ''
  private names = 0
  /** The state as it is now: the old one, until something must be written. */
  private state: StateName = { array: 'S', base: 'b' }
  private hash = 'h'
  /** The statement that gives the step up. */
  private failure: string

  constructor(
    readonly generator: Generator,
    private readonly slot: SlotLayout,
    readonly template: TemplateLayout,
    readonly edge: Edge,
    readonly index: number,
  ) {
    this.context = { helpers: generator.helpers, read: (variable) => this.read(variable) }
    this.failure = `break e${index}`
  }

  /** The statements that emit every successor along the edge. */
  generate(): string {
    this.edge.labels.forEach((label, position) => {
      this.label(label, position)
    })
    this.finish()
    return `e${this.index}: {\n${this.lines.join('')}${this.closing}}\n`
  }

  emit(code: string): void {
    this.lines.push(`${code}\n`)
  }

  private fresh(prefix: string): string {
    return `${prefix}${this.names++}`
  }

  value(e: Expr): string {
    return valueCode(e, this.context)
  }

  /** Names a value, so that it is computed once. */
  named(code: string, prefix = 'k'): string {
    if (/^[\w$]+$/.test(code)) return code
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
    const number = this.names++
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

  assign(variable: Variable, code: string): void {
    const name = this.fresh('v')
    this.emit(`const ${name} = ${code}`)
    this.values.set(variable, name)
    this.dirty.add(variable)
  }

  /** Undefined behaviour: instead of the step, the thread stops where it is. */
  undefinedUnless(condition: string): void {
    const stopped = this.slot.stopped.get(this.edge.source)
    if (stopped === undefined) throw new Error('a location where a thread may stop has no counter for it')
    const stop = this.generator.stopper(this.slot, this.template)
    const note = `if (R.tracing) R.note([${this.choices}], [${this.indeterminate}])`
    this.emit(`if (!(${condition})) { ${stop}(S, b, h, ${stopped}, ${this.index}); ${note}; ${this.failure} }`)
  }

  threadCount(): string {
    return (this.threads ??= this.named(this.readCell(this.generator.layout.threadCount, 0), 'n'))
  }

  private read(variable: Variable): string {
    const known = this.values.get(variable)
    if (known) return known
    if (variable === this.template.procedure.self) return `${this.slot.number}`
    const flag = this.generator.layout.unchosen.get(variable)
    if (flag) return this.readUnchosen(variable, flag)
    const name = this.fresh('v')
    this.emit(`const ${name} = ${this.readCell(this.cellsOf(variable), 0)}`)
    this.values.set(variable, name)
    return name
  }

  /** A global that started with any value: whoever reads it first chooses it. */
  private readUnchosen(variable: Variable, flag: Cells): string {
    const open = this.named(`${this.readCell(flag, 0)} !== 0`, 'u')
    const current = this.named(this.readCell(this.cellsOf(variable), 0), 'r')
    const site = { kind: 'indeterminate', label: this.position - 1, target: variable, type: variable.type } as const
    const value = this.choose(this.generator.choice(this, site), open, current)
    this.notesIndeterminate(value, open)
    this.values.set(variable, value)
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
        this.assign(label.target, this.value(label.value))
        break
      case 'assume':
        this.emit(`if (!(${conditionCode(label.condition, this.context)})) ${this.failure}`)
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
        this.allocate(label)
        break
      case 'free':
        this.free(label.address)
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
    if (snapshot) {
      this.newRecord(snapshot.hash)
      this.emit(`${this.state.array}.set(${snapshot.words}, ${this.state.base})`)
    }
    const chosen = `${array}[${loop}i]`
    return this.named(condition ? `${condition} ? ${chosen} : ${otherwise}` : chosen, 'x')
  }

  /** What was written before a choice is written again for each of its values. */
  private snapshot(): { readonly words: string; readonly hash: string } {
    const { array, base } = this.state
    const words = this.named(`${array}.slice(${base}, ${base} + ${this.generator.layout.words})`, 'q')
    return { words, hash: this.named(`${this.hash} | 0`, 'q') }
  }

  /** An expression for the array of values. */
  private choiceArray(choice: Choice): string {
    switch (choice.kind) {
      case 'values':
        return this.generator.constantArray(choice.values)
      case 'sample':
        return `R.partial(${this.generator.constantArray(choice.values)}, ${this.generator.reasonNumber(choice.reason)})`
      case 'dynamic': {
        const changed = [...this.dirty]
        const number = this.generator.dynamicChoice(choice, this.slot, this.template, changed)
        return `R.values(${number}, S, b, [${changed.map((variable) => this.values.get(variable)!)}])`
      }
    }
  }

  /** A value that was chosen for unwritten memory, if the condition holds. */
  notesIndeterminate(value: string, condition: string): void {
    this.indeterminate.push(`...(${condition} ? [${value}] : [])`)
  }

  private allocate({ target, object, size }: Extract<Label, { kind: 'allocate' }>): void {
    const { heap } = this.generator.layout
    const instances = heap.instances.get(object)
    const number = this.generator.objectNumber(object)
    if (!instances) {
      this.emit(`R.needHeap(${number}, 0)`)
      this.assign(target, '0')
      return
    }
    const bytes = this.named(this.value(size), 'z')
    const count = this.named(this.readCell(heap.allocated.get(object)!, 0), 'n')
    this.emit(`if (${count} >= ${instances.count}) R.needHeap(${number}, ${count})`)
    this.emit(`if (!(${bytes} >= 0 && ${bytes} <= ${object.size})) R.tooLarge(${this.index}, ${bytes})`)
    this.write(heap.extents!, this.named(`${instances.first} + ${count}`), `(${bytes} + 1)`)
    this.write(heap.allocated.get(object)!, 0, `(${count} + 1)`)
    this.assign(target, `${object.base} + ${count} * ${object.stride}`)
  }

  private free(address: Expr): void {
    const { heap } = this.generator.layout
    const at = this.named(this.value(address), 'a')
    if (!heap.extents) {
      this.undefinedUnless(`${at} === 0`)
      return
    }
    const instance = this.named(`${this.generator.useHeapInstance()}(${at})`, 'k')
    this.undefinedUnless(`${at} === 0 || (${instance} >= 0 && ${this.readCell(heap.extents, instance)} > 0)`)
    this.copy()
    const { array, base } = this.state
    this.emit(`if (${at} !== 0) ${this.hash} = R.clear(${array}, ${base}, ${this.hash}, ${instance})`)
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
        parts.push({ cells: this.cellsOf(variable), value: this.values.get(variable)! })
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

/** A field and its new value; absent: all bits zero, for what is not live. */
export interface Part {
  readonly cells: Cells
  readonly value: string | undefined
}

/** Statements that write fields, each word once. */
export const flushCode = (
  parts: readonly Part[],
  state: StateName,
  hash: string,
  { helpers }: Generator,
): readonly string[] => {
  const words = new Map<number, { mask: number; readonly bits: string[] }>()
  const change = (word: number, mask: number, bits: string | undefined): void => {
    let entry = words.get(word)
    if (!entry) words.set(word, (entry = { mask: 0, bits: [] }))
    entry.mask |= mask
    if (bits !== undefined) entry.bits.push(bits)
  }
  for (const { cells, value } of parts) {
    if (cells.domain.kind === 'wide') {
      const [low, high] = wideParts(helpers, cells.domain.as)
      change(cells.word, -1, value && `${low}(${value})`)
      change(cells.word + 1, -1, value && `${high}(${value})`)
    } else if (cells.bits > 0) {
      const mask = cells.bits === 32 ? -1 : ((1 << cells.bits) - 1) << cells.shift
      change(cells.word, mask, value && encodeCode(cells, value, `${cells.shift}`, helpers))
    }
  }
  return [...words].map(([word, { mask, bits }]) => {
    const kept = mask === -1 ? [] : [`(x & ${~mask})`]
    return replaceWord(state, `${word}`, [...kept, ...bits].join(' | ') || '0', hash)
  })
}
