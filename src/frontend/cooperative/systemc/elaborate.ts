// Elaboration (IEEE 1666, 4.1): modules are instantiated, ports bound and processes created before the simulation
// begins. All of it is static in the models that we read, so it happens here: instances, events and processes become
// names and numbers of the generated C program.
import { type Field, fieldsOf, type Model, type Module } from './modules.js'
import { field, type Node, named, unsupported } from './syntax.js'

/** Between the name of an instance and that of its member: a letter to C, and not one that a program would use. */
export const DOT = '\u00b7'

export interface Signal {
  /** Its C variable: the current value. */
  readonly name: string
  readonly type: string
  /** Numbers of its events, as far as somebody uses them. */
  readonly events: Map<'changed' | 'pos' | 'neg', number>
  isWritten: boolean
}

interface Port {
  readonly name: string
  bound: Signal | Port | undefined
}

export type Member =
  | { readonly kind: 'data'; readonly name: string }
  | { readonly kind: 'signal'; readonly signal: Signal }
  | { readonly kind: 'port'; readonly port: Port }
  | { readonly kind: 'event'; readonly number: number }
  | { readonly kind: 'module'; readonly instance: Instance }

/** A module's instance; sc_main and free functions are in one without a module. */
export interface Instance {
  /** Before the names of its members: `top·`. */
  readonly prefix: string
  readonly module: Module | undefined
  readonly members: Map<string, Member>
}

export interface Process {
  readonly instance: Instance
  readonly method: string
  readonly kind: 'thread' | 'method'
  /** Where it is created. */
  readonly node: Node
  /** What it is statically sensitive to: expressions of its constructor. */
  readonly sensitive: Node[]
  initializes: boolean
}

export interface Elaborated {
  readonly top: Instance
  readonly instances: readonly Instance[]
  readonly signals: readonly Signal[]
  readonly processes: readonly Process[]
  readonly variables: readonly { readonly name: string; readonly field: Field }[]
  /** Statements of constructors that are left to execute. */
  readonly construction: readonly { readonly instance: Instance; readonly node: Node }[]
  readonly assignments: readonly { readonly name: string; readonly instance: Instance; readonly value: Node }[]
  /** Statements of sc_main that are left to execute. */
  readonly main: readonly Node[]
  /** Names of the events, whose numbers count from 1. */
  readonly events: string[]
}

export class Elaboration implements Elaborated {
  readonly instances: Instance[] = []
  readonly signals: Signal[] = []
  readonly processes: Process[] = []
  readonly variables: { name: string; field: Field }[] = []
  readonly construction: { instance: Instance; node: Node }[] = []
  readonly assignments: { name: string; instance: Instance; value: Node }[] = []
  readonly main: Node[] = []
  readonly events: string[] = []
  readonly top: Instance = { prefix: '', module: undefined, members: new Map() }

  constructor(private readonly model: Model) {
    const names = new Set(model.modules.keys())
    for (const statement of named(model.main.body)) {
      const type = field(statement, 'type')
      const isChannel = statement.type === 'declaration' && type && (names.has(type.text) || /^sc_/.test(type.text))
      if (isChannel) for (const declared of fieldsOf(model.file, statement, names)) this.declare(this.top, declared)
      else if (!this.binds(this.top, statement)) this.main.push(statement)
    }
  }

  private declare(instance: Instance, declared: Field): void {
    const name = `${instance.prefix}${declared.name}`
    instance.members.set(declared.name, this.memberOf(name, declared))
  }

  private memberOf(name: string, declared: Field): Member {
    switch (declared.kind) {
      case 'data':
        this.variables.push({ name, field: declared })
        return { kind: 'data', name }
      case 'signal': {
        const signal: Signal = { name, type: declared.type, events: new Map(), isWritten: false }
        this.signals.push(signal)
        return { kind: 'signal', signal }
      }
      case 'port':
        return { kind: 'port', port: { name, bound: undefined } }
      case 'event':
        return { kind: 'event', number: this.events.push(name) }
      case 'module':
        return { kind: 'module', instance: this.instantiate(this.model.modules.get(declared.type)!, `${name}${DOT}`) }
    }
  }

  private instantiate(module: Module, prefix: string): Instance {
    const instance: Instance = { prefix, module, members: new Map() }
    this.instances.push(instance)
    for (const declared of module.fields) {
      this.declare(instance, declared)
      if (declared.kind === 'data' && declared.value)
        this.assignments.push({ name: `${prefix}${declared.name}`, instance, value: declared.value })
    }
    if (module.construct) this.construct(instance, module.construct)
    return instance
  }

  private construct(instance: Instance, definition: Node): void {
    const initialisers = named(definition).find((child) => child.type === 'field_initializer_list')
    for (const initialiser of initialisers ? named(initialisers) : []) {
      const [name, args] = named(initialiser)
      const member = instance.members.get(name!.text)
      const [value] = args ? named(args) : []
      if (member?.kind === 'data' && value) this.assignments.push({ name: member.name, instance, value })
      else if (member?.kind !== 'module' && name!.text !== 'sc_module')
        unsupported(this.model.file, initialiser, `initialiser of ${name!.text}`)
    }
    let process: Process | undefined
    for (const statement of named(field(definition, 'body')!)) {
      const created = this.processOf(instance, statement)
      if (created) this.processes.push((process = created))
      else if (!this.binds(instance, statement) && !this.describes(process, statement))
        this.construction.push({ instance, node: statement })
    }
  }

  private processOf(instance: Instance, statement: Node): Process | undefined {
    const match = /^SC_(THREAD|METHOD)\s*\(\s*(\w+)\s*\)\s*;$/.exec(statement.text)
    if (!match) return undefined
    const kind = match[1] === 'THREAD' ? 'thread' : 'method'
    if (!instance.module?.methods.has(match[2]!)) unsupported(this.model.file, statement, `process ${match[2]}`)
    return { instance, method: match[2]!, kind, node: statement, sensitive: [], initializes: true }
  }

  /** sensitive << ..., dont_initialize(). */
  private describes(process: Process | undefined, statement: Node): boolean {
    const [e] = named(statement)
    if (statement.type !== 'expression_statement' || !e || !process) return false
    if (/^dont_initialize\s*\(\s*\)$/.test(e.text)) {
      process.initializes = false
      return true
    }
    if (!/^sensitive\b/.test(e.text)) return false
    for (let at = e; at.type === 'binary_expression'; at = field(at, 'left')!)
      process.sensitive.push(field(at, 'right')!)
    if (e.type === 'call_expression') process.sensitive.push(...named(field(e, 'arguments')!))
    return true
  }

  /** port(channel), module.port(channel), module.port.bind(channel). */
  private binds(instance: Instance, statement: Node): boolean {
    const [e] = named(statement)
    if (statement.type !== 'expression_statement' || e?.type !== 'call_expression') return false
    const target = memberAt(instance, field(e, 'function')!.text.replace(/\.bind$/, ''))
    if (target?.kind !== 'port') return false
    const [argument] = named(field(e, 'arguments')!)
    const channel = argument && memberAt(instance, argument.text)
    if (channel?.kind === 'signal') target.port.bound = channel.signal
    else if (channel?.kind === 'port') target.port.bound = channel.port
    else unsupported(this.model.file, e, 'this port binding')
    return true
  }
}

/** `a.b.c` as seen from an instance. */
export const memberAt = (instance: Instance, path: string): Member | undefined => {
  const [first, ...rest] = path
    .replace(/^this\s*->\s*/, '')
    .split('.')
    .map((part) => part.trim())
  let member = instance.members.get(first!)
  for (const part of rest) member = member?.kind === 'module' ? member.instance.members.get(part) : undefined
  return member
}

/** The C function of a method: a process has the method's own name. */
export const functionName = (instance: Instance, method: string, { processes }: Elaborated): string => {
  const isProcess = processes.some((process) => process.instance === instance && process.method === method)
  return `${instance.prefix}${method}${isProcess ? `${DOT}body` : ''}`
}

export const signalOf = (member: Member | undefined): Signal | undefined => {
  if (member?.kind === 'signal') return member.signal
  if (member?.kind !== 'port') return undefined
  let at: Signal | Port | undefined = member.port
  while (at && 'bound' in at) at = at.bound
  return at
}
