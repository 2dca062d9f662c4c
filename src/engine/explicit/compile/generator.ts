// A program under a layout as JavaScript: for each thread slot functions that emit all successors by its steps, a
// switch over program counters each, cut into chunks that the optimising compiler still accepts (platform.md).
import { interpreterOf } from '../../../semantics/interpreter.js'
import { livenessOf } from '../../../semantics/step/liveness.js'
import type { Reason } from '../../../verdict/reason.js'
import type { Edge, Location, MemoryObject, Procedure, Value, Variable } from '../../../xcfa/index.js'
import { checkCode, multipliers, readCode } from './cells.js'
import { type Choice, type ChoiceSite, choiceAt, type Evaluator } from './choice.js'
import { type EdgeCode, edgesCode } from './edge.js'
import { Helpers } from './expression.js'
import { flushCode, type Part } from './flush.js'
import type { Cells, Layout, SlotLayout, TemplateLayout } from './layout.js'
import { cellAt, type RegionCells } from './memory.js'
import { Runtime } from './runtime.js'
import { initialState } from './state.js'

export interface CompileOptions {
  /** Locals that nothing reads any more are zeroed, and choices that nothing reads are not made. */
  readonly forgetDead: boolean
  /** Steps that a state cannot hold are left out: the search is partial then, and sees no deadlock that is none. */
  readonly leaveOut: boolean
  /** Choices that lead to nothing but the end of the program are made, too. */
  readonly endsMatter: boolean
  /** The search is partial once a pointer to a freed block is compared. */
  readonly watchesFreed?: boolean
}

/** Emits the successors of the state at S[b..] (hash sum h) by the slot's thread, which is at `counter`. */
type Expand = (S: Int32Array, b: number, h: number, counter: number) => void

/** An edge as a step of a certain thread. */
export interface CompiledEdge {
  readonly slot: number
  readonly edge: Edge
  readonly template: TemplateLayout
  /** Undefined behaviour stopped the thread on it. */
  readonly stops?: true
}

export interface Compiled {
  readonly layout: Layout
  readonly runtime: Runtime
  readonly edges: readonly CompiledEdge[]
  readonly expand: readonly Expand[]
  /** Writes the program counter of every slot. */
  readonly counters: (S: Int32Array, b: number, counters: Int32Array) => void
  readonly multipliers: Int32Array
  /** The state before the first step, with values for globals that start as any. */
  readonly initial: (chosen: ReadonlyMap<Variable, Value>) => Int32Array
}

/** Source of one function; V8 gives up on 60 KB of bytecode. */
const CHUNK = 24_000

export const compile = (layout: Layout, options: CompileOptions): Compiled => new Generator(layout, options).compile()

export class Generator {
  readonly helpers = new Helpers()
  private readonly runtime: Runtime
  private readonly functions: string[] = []
  private readonly defined = new Set<string>()
  private readonly edges: CompiledEdge[] = []
  private readonly stops = new Map<number, number>()
  private readonly owners = new Map<Cells, number>()
  private readonly semantics
  private readonly liveInitially: ReadonlySet<Variable>
  private arrays = 0

  constructor(
    readonly layout: Layout,
    readonly options: CompileOptions,
  ) {
    const main = layout.slots[0]!.templates[0]!
    this.liveInitially = this.liveAt(main.procedure.initial, main)
    this.runtime = new Runtime(layout, (variable) => this.liveInitially.has(variable))
    this.semantics = interpreterOf(layout.program).layout
  }

  compile(): Compiled {
    const expand = this.layout.slots.map((slot) => this.slotFunction(slot))
    const counters = this.countersFunction()
    const names = [...this.helpers.table.keys()]
    const body = `'use strict'\n${this.functions.join('\n')}\nreturn [[${expand}], ${counters}]`
    const constants = multipliers(this.layout.words)
    const make = new Function('R', 'C', ...names, body) as (...args: unknown[]) => [Expand[], Compiled['counters']]
    const [expanders, decode] = make(this.runtime, constants, ...this.helpers.table.values())
    return {
      layout: this.layout,
      runtime: this.runtime,
      edges: this.edges,
      expand: expanders,
      counters: decode,
      multipliers: constants,
      initial: (chosen) => initialState(this.layout, chosen, (variable) => this.liveInitially.has(variable)),
    }
  }

  // ---- functions of a slot

  private slotFunction(slot: SlotLayout): string {
    const chunks: { name: string; first: number; last: number }[] = []
    let cases: string[] = []
    let size = 0
    let first = 1
    const close = (last: number): void => {
      const name = `slot${slot.number}_${chunks.length}`
      this.functions.push(`function ${name}(S, b, h, pc) {\nswitch (pc) {\n${cases.join('')}}\n}`)
      chunks.push({ name, first, last })
      cases = []
      size = 0
      first = last + 1
    }
    for (const { procedure, counters } of slot.templates) {
      const template = slot.templates.find((t) => t.procedure === procedure)!
      const outgoing = groupBySource(procedure)
      for (const [location, counter] of counters) {
        const code = this.locationCode(slot, template, outgoing.get(location) ?? [])
        if (code === '') continue
        if (size > 0 && size + code.length > CHUNK) close(counter - 1)
        cases.push(`case ${counter}: {\n${code}return }\n`)
        size += code.length
      }
    }
    close(slot.locations.length - 1)
    if (chunks.length === 1) return chunks[0]!.name
    const name = `slot${slot.number}`
    const tests = chunks.map((chunk) => `if (pc <= ${chunk.last}) return ${chunk.name}(S, b, h, pc)\n`)
    this.functions.push(`function ${name}(S, b, h, pc) {\n${tests.join('')}}`)
    return name
  }

  private locationCode(slot: SlotLayout, template: TemplateLayout, edges: readonly Edge[]): string {
    if (edges.length === 0) return ''
    const numbered = edges.map((edge) => ({
      edge,
      index: this.edges.push({ slot: slot.number, edge, template }) - 1,
    }))
    return edgesCode(this, slot, template, numbered)
  }

  /** Another number for an edge, for when undefined behaviour stops the thread on it: that it does not reach its end. */
  stopOf(index: number): number {
    let stop = this.stops.get(index)
    if (stop === undefined) this.stops.set(index, (stop = this.edges.push({ ...this.edges[index]!, stops: true }) - 1))
    return stop
  }

  private countersFunction(): string {
    const lines = this.layout.slots.map(
      (slot) => `P[${slot.number}] = ${readCode(slot.counter, 0, { array: 'S', base: 'b' }, this.helpers)}\n`,
    )
    this.functions.push(`function counters(S, b, P) {\n${lines.join('')}}`)
    return 'counters'
  }

  private define(name: string, source: () => string): string {
    if (!this.defined.has(name)) {
      this.defined.add(name)
      this.functions.push(source())
    }
    return name
  }

  /** Starts a thread of a template in slot n of the state under construction; returns its new hash sum. */
  starter(procedure: string): string {
    return this.define(`start_${mangled(procedure)}`, () => {
      const parameters = this.layout.program.templates
        .get(procedure)!
        .parameters.map((_, i) => `, a${i}`)
        .join('')
      const cases = this.layout.slots.flatMap((slot) => {
        const template = slot.templates.find((t) => t.procedure.name === procedure)
        return template && slot.number > 0 ? [`case ${slot.number}: ${this.startInto(slot, template)}return h\n`] : []
      })
      const name = `start_${mangled(procedure)}`
      const need = `R.needSlot(n, ${JSON.stringify(procedure)})\nreturn h`
      return `function ${name}(out, o, h, n${parameters}) {\nswitch (n) {\n${cases.join('')}}\n${need}\n}`
    })
  }

  private startInto(slot: SlotLayout, template: TemplateLayout): string {
    const { procedure, counters, locals } = template
    const live = this.liveAt(procedure.initial, template)
    const parts: Part[] = [{ cells: slot.counter, value: `${counters.get(procedure.initial)!}` }]
    const checks: string[] = []
    for (const [variable, cells] of locals) {
      const position = procedure.parameters.indexOf(variable)
      if (!live.has(variable)) continue
      const value = position >= 0 ? `a${position}` : '0'
      checks.push(checkCode(cells, value, this.ownerNumber(cells)))
      parts.push({ cells, value })
    }
    const state = { array: 'out', base: 'o' }
    return `${checks.join('')}${flushCode(parts, state, 'h', this).join('')}`
  }

  /** Emits the state in which undefined behaviour has stopped the slot's thread. */
  stopper(slot: SlotLayout, { procedure, locals }: TemplateLayout): string {
    const name = `stop${slot.number}_${mangled(procedure.name)}`
    return this.define(name, () => {
      const { words } = this.layout
      const cleared = this.options.forgetDead ? [...locals.values()].map((cells) => ({ cells, value: undefined })) : []
      const parts = [...cleared, { cells: slot.counter, value: 'pc' }]
      return `function ${name}(S, b, h, pc, edge) {
if (R.top > R.limit) R.grow()
const out = R.out, o = R.top
for (let i = 0; i < ${words}; i++) out[o + i] = S[b + i]
${flushCode(parts, { array: 'out', base: 'o' }, 'h', this).join('')}
out[o + ${words}] = h; out[o + ${words + 1}] = edge; R.top = o + ${words + 2}
R.undefined(edge)
}`
    })
  }

  /** Whether the thread with a number is at its final location. */
  useEnded(): string {
    return this.define('ended', () => {
      const cases = this.layout.slots.map((slot) => {
        const finals = slot.templates.map(({ procedure, counters }) => counters.get(procedure.final))
        const tests = finals.filter((c) => c !== undefined).map((counter) => `pc === ${counter}`)
        const read = readCode(slot.counter, 0, { array: 'S', base: 'b' }, this.helpers)
        return `case ${slot.number}: { const pc = ${read}; return ${tests.join(' || ') || 'false'} }\n`
      })
      return `function ended(S, b, n) {\nswitch (n) {\n${cases.join('')}}\nreturn false\n}`
    })
  }

  // ---- what edges refer to

  ownerNumber(cells: Cells): number {
    let number = this.owners.get(cells)
    if (number === undefined) this.owners.set(cells, (number = this.runtime.cells.push(cells) - 1))
    return number
  }

  reasonNumber(reason: Reason): number {
    return this.runtime.reasonNumber(reason)
  }

  objectNumber(object: MemoryObject): number {
    const known = this.runtime.objects.indexOf(object)
    return known >= 0 ? known : this.runtime.objects.push(object) - 1
  }

  constantArray(values: readonly Value[]): string {
    return this.helpers.use(`values${this.arrays++}`, () => values)
  }

  useAddresses({ region, addresses }: RegionCells): string {
    return this.helpers.use(`cell${region.id}`, () => (address: Value) => cellAt(addresses, address))
  }

  usePlaces(region: RegionCells): {
    readonly heapInstance: string
    readonly offsets: string
    readonly threads: string
  } {
    const { id } = region.region
    return {
      heapInstance: this.helpers.use(`heap${id}`, () => region.heapInstance),
      offsets: this.helpers.use(`offset${id}`, () => region.offsets),
      threads: this.helpers.use(`threadOf${id}`, () =>
        Int32Array.from(region.places, ({ object, instance }) => (object.storage === 'thread' ? instance : 0)),
      ),
    }
  }

  /** From the address of a heap instance to its number. */
  useHeapInstance(): string {
    return this.helpers.use('heapInstanceAt', () => {
      const numbers = new Map<Value, number>()
      for (const [object, { first, count }] of this.layout.heap.instances)
        for (let i = 0; i < count; i++) numbers.set(object.base + i * object.stride, first + i)
      return (address: Value) => numbers.get(address) ?? -1
    })
  }

  // ---- choices

  choice(code: EdgeCode, site: Omit<ChoiceSite, 'template' | 'edge' | 'endsMatter'>): Choice {
    const template = this.semantics.templates.get(code.template.procedure.name)!
    const { endsMatter, forgetDead } = this.options
    const { edge } = code
    const known = knownChoices(template.procedure, edge)
    const key = `${site.kind} ${site.label} ${site.target.id} ${endsMatter} ${forgetDead}`
    let choice = known.get(key)
    if (!choice) {
      choice = choiceAt({ ...site, template, edge, endsMatter }, this.evaluator(template), forgetDead)
      known.set(key, choice)
    }
    return choice
  }

  private evaluator(template: Parameters<typeof this.semantics.evaluator>[0]): Evaluator {
    return (e, lookup) => {
      const globals = this.layout.program.globals.map(lookup)
      return this.semantics.evaluator(template, e)({ globals, locals: template.variables.map(lookup) })
    }
  }

  dynamicChoice(
    choice: Extract<Choice, { kind: 'dynamic' }>,
    slot: SlotLayout,
    template: TemplateLayout,
    changed: readonly Variable[],
  ): number {
    return this.runtime.dynamicChoices.push({ choice, slot, template, changed: [...changed] }) - 1
  }

  // ---- liveness

  /** Locals that need a value at a location. */
  liveAt(location: Location, { procedure, locals }: TemplateLayout): ReadonlySet<Variable> {
    if (!this.options.forgetDead) return new Set(locals.keys())
    const { isLiveAt } = livenessOf(procedure)
    return new Set([...locals.keys()].filter((variable) => isLiveAt(variable, location)))
  }

  /** Locals that hold a value before or within the edge and need none after it. */
  deadAfter(edge: Edge, template: TemplateLayout): ReadonlySet<Variable> {
    if (!this.options.forgetDead) return new Set()
    const after = this.liveAt(edge.target, template)
    const before = this.liveAt(edge.source, template)
    return new Set([...before].filter((variable) => !after.has(variable)))
  }

  /** Locals that the edge assigns but nothing reads after it. */
  neededAfter(variable: Variable, edge: Edge, template: TemplateLayout): boolean {
    return variable.scope === 'global' || !this.options.forgetDead || this.liveAt(edge.target, template).has(variable)
  }
}

/** Layouts differ from restart to restart; what a choice tries does not depend on them. */
const choices = new WeakMap<Procedure, Map<Edge, Map<string, Choice>>>()

const knownChoices = (procedure: Procedure, edge: Edge): Map<string, Choice> => {
  let byEdge = choices.get(procedure)
  if (!byEdge) choices.set(procedure, (byEdge = new Map()))
  let known = byEdge.get(edge)
  if (!known) byEdge.set(edge, (known = new Map()))
  return known
}

const groupBySource = ({ edges }: Procedure): ReadonlyMap<Location, readonly Edge[]> => {
  const groups = new Map<Location, Edge[]>()
  for (const edge of edges) {
    const group = groups.get(edge.source)
    if (group) group.push(edge)
    else groups.set(edge.source, [edge])
  }
  return groups
}

const mangled = (name: string): string => name.replace(/\W/g, (c) => `$${c.charCodeAt(0)}`)
