// Bodies of functions as C: text is copied, and what C does not have is replaced (names of members, reads and writes of
// channels, waits and notifications). Lines stay where they are. What is not known to be C is unsupported.
import { DOT, type Elaborated, functionName, type Instance, memberAt, type Signal, signalOf } from './elaborate.js'
import { cType, type Method, type Model } from './modules.js'
import { field, type Node, named, unsupported } from './syntax.js'

/** Parts of C++ that are the same in C, once their own parts are. */
const SAME_IN_C = new Set(
  `argument_list array_declarator assignment_expression binary_expression break_statement case_statement
  cast_expression char_literal comma_expression comment compound_statement condition_clause conditional_expression
  continue_statement declaration do_statement else_clause expression_statement for_statement identifier if_statement
  init_declarator initializer_list number_literal parenthesized_expression primitive_type return_statement
  sized_type_specifier string_literal subscript_argument_list subscript_expression switch_statement type_descriptor
  type_qualifier unary_expression update_expression while_statement`.split(/\s+/),
)

/** In picoseconds. */
const UNITS: Readonly<Record<string, number>> = { SC_PS: 1, SC_NS: 1e3, SC_US: 1e6, SC_MS: 1e9, SC_SEC: 1e12 }

/** The file that the generated text between the model's own is in. */
export const elaboratedName = (file: string): string => `${file} (elaborated)`

export const PRIMITIVE = '__heddle_primitive_sc_'

export class Emitter {
  constructor(
    private readonly model: Model,
    private readonly elaborated: Elaborated,
  ) {}

  method(instance: Instance, method: Method): string {
    return `${this.signature(instance, method)}\n${this.at(method.body)}${this.body(instance, method)}\n${this.back()}`
  }

  signature(instance: Instance, { name, type, parameters }: Method): string {
    const list = named(parameters).map((p) => cType(p.text))
    for (const p of named(parameters))
      if (!/^[\w\s]+$/.test(p.text)) unsupported(this.model.file, p, 'a parameter of this form')
    return `${type} ${functionName(instance, name, this.elaborated)}(${list.join(', ') || 'void'})`
  }

  private body(instance: Instance, { parameters, body }: Method): string {
    return new Body(this.model, this.elaborated, instance, localNames(parameters, body)).emit(body)
  }

  /** Statements outside methods: of constructors and of sc_main. */
  statement(instance: Instance, node: Node): string {
    const text = new Body(this.model, this.elaborated, instance, localNames(node)).emit(node)
    return this.line(node, text)
  }

  expression(instance: Instance, node: Node): string {
    return new Body(this.model, this.elaborated, instance, new Set()).emit(node)
  }

  event(instance: Instance, node: Node): number {
    return new Body(this.model, this.elaborated, instance, new Set()).event(node)
  }

  /** A line of ours that stands for a place of the model. */
  line(node: Node, text: string): string {
    return `${this.at(node)}${text}\n${this.back()}`
  }

  at(node: Node): string {
    return `#line ${node.startPosition.row + 1} "${this.model.file}"\n`
  }

  /** What follows is ours. */
  back(): string {
    return `#line 1 "${elaboratedName(this.model.file)}"`
  }
}

/** Names that are declared in these parts hide members. */
const localNames = (...nodes: readonly Node[]): ReadonlySet<string> => {
  const names = new Set<string>()
  const work = [...nodes]
  for (let node = work.pop(); node; node = work.pop()) {
    if (/^(?:parameter_)?declaration$/.test(node.type))
      for (const declarator of node.childrenForFieldName('declarator'))
        if (declarator) names.add(/\w+/.exec(declarator.text)![0])
    work.push(...named(node))
  }
  return names
}

class Body {
  constructor(
    private readonly model: Model,
    private readonly elaborated: Elaborated,
    private readonly instance: Instance,
    private readonly locals: ReadonlySet<string>,
  ) {}

  emit(node: Node): string {
    switch (node.type) {
      case 'identifier':
      case 'field_expression':
        return this.name(node)
      case 'call_expression':
        return this.call(node)
      case 'assignment_expression':
        return this.assignment(node)
      case 'true':
        return '1'
      case 'false':
        return '0'
      case 'primitive_type':
        return cType(node.text)
      case 'expression_statement':
        return /^cout\b/.test(node.text) ? this.output(node) : this.copy(node)
      default:
        if (node.isNamed && !SAME_IN_C.has(node.type))
          return unsupported(this.model.file, node, `C++ construct ${node.type.replaceAll('_', ' ')}`)
        return this.copy(node)
    }
  }

  /** The text with its parts replaced, and all that lies between them as it was. */
  private copy(node: Node): string {
    if (node.childCount === 0) return node.text
    let text = ''
    let at = node.startIndex
    for (const child of node.children) {
      if (!child) continue
      text += node.text.slice(at - node.startIndex, child.startIndex - node.startIndex) + this.emit(child)
      at = child.endIndex
    }
    return text + node.text.slice(at - node.startIndex)
  }

  /** Printing changes nothing, if what is printed does not. */
  private output(node: Node): string {
    if (/[()=]|\+\+|--/.test(node.text.replace(/"[^"]*"/g, ''))) unsupported(this.model.file, node, 'this output')
    return `;${'\n'.repeat(node.text.split('\n').length - 1)}`
  }

  private member(node: Node) {
    const first = /^\w+/.exec(node.text)?.[0]
    return first !== undefined && this.locals.has(first) ? undefined : memberAt(this.instance, node.text)
  }

  private name(node: Node): string {
    const member = this.member(node)
    if (member?.kind === 'data') return member.name
    const signal = this.signal(node)
    if (signal) return signal.name
    if (member) return unsupported(this.model.file, node, `this use of ${node.text}`)
    if (node.type === 'identifier') return node.text
    return unsupported(this.model.file, node, `member ${node.text}`)
  }

  private signal(node: Node): Signal | undefined {
    const member = this.member(node)
    if (member?.kind !== 'signal' && member?.kind !== 'port') return undefined
    return signalOf(member) ?? unsupported(this.model.file, node, `port ${node.text} that is not bound`)
  }

  private assignment(node: Node): string {
    const left = field(node, 'left')!
    const signal = /^(?:identifier|field_expression)$/.test(left.type) ? this.signal(left) : undefined
    if (!signal) return this.copy(node)
    if (field(node, 'operator')?.text !== '=') unsupported(this.model.file, node, 'this assignment to a channel')
    return this.write(signal, field(node, 'right')!)
  }

  private write(signal: Signal, value: Node): string {
    signal.isWritten = true
    return `${signal.name}${DOT}write(${this.emit(value)})`
  }

  // ---- calls

  private call(node: Node): string {
    const callee = field(node, 'function')!
    const args = named(field(node, 'arguments')!)
    if (callee.type === 'field_expression') return this.memberCall(node, callee, args)
    if (callee.type !== 'identifier') unsupported(this.model.file, node, 'a call of this form')
    switch (callee.text) {
      case 'wait':
        return this.wait(args)
      case 'next_trigger':
        return this.nextTrigger(node, args)
      case 'sc_start':
        return `${PRIMITIVE}start(${args.length === 0 ? '-1' : this.time(node, args)})`
      case 'sc_stop':
        return `${PRIMITIVE}stop()`
      case 'sc_assert':
        return `assert(${args.map((arg) => this.emit(arg)).join(', ')})`
      default:
        return this.function(node, callee.text)
    }
  }

  private function(node: Node, name: string): string {
    if (this.instance.module?.methods.has(name)) {
      const text = this.emit(field(node, 'arguments')!)
      return `${functionName(this.instance, name, this.elaborated)}${text}`
    }
    return this.copy(node)
  }

  private memberCall(node: Node, callee: Node, args: readonly Node[]): string {
    const object = field(callee, 'argument')!
    const name = field(callee, 'field')!.text
    const signal = object.type === 'this' ? undefined : this.signal(object)
    if (signal && name === 'read' && args.length === 0) return signal.name
    if (signal && name === 'write' && args.length === 1) return this.write(signal, args[0]!)
    const member = object.type === 'this' ? undefined : this.member(object)
    if (member?.kind === 'event') return this.notification(node, member.number, name, args)
    const instance = object.type === 'this' ? this.instance : member?.kind === 'module' ? member.instance : undefined
    if (instance?.module?.methods.has(name)) {
      const list = args.map((arg) => this.emit(arg)).join(', ')
      return `${functionName(instance, name, this.elaborated)}(${list})`
    }
    return unsupported(this.model.file, node, `${callee.text}()`)
  }

  private notification(node: Node, event: number, name: string, args: readonly Node[]): string {
    if (name === 'cancel') return `${PRIMITIVE}cancel(${event})`
    if (name !== 'notify') return unsupported(this.model.file, node, `sc_event::${name}`)
    if (args.length === 0) return `${PRIMITIVE}notify(${event})`
    if (args.length === 1 && args[0]!.text === 'SC_ZERO_TIME') return `${PRIMITIVE}notify_delta(${event})`
    return `${PRIMITIVE}notify_time(${event}, ${this.time(node, args)})`
  }

  private wait(args: readonly Node[]): string {
    const [first] = args
    if (!first) return `${PRIMITIVE}wait()`
    const last = args.at(-1)!
    if (this.isTime(args)) return `${PRIMITIVE}wait_time(${this.time(first, args)})`
    if (args.length > 1) {
      const events = this.events(last).numbers
      return `(${events.map((e) => `${PRIMITIVE}list(${e}), `).join('')}${PRIMITIVE}wait_time(${this.time(first, args.slice(0, -1))}))`
    }
    const { numbers, all } = this.events(first)
    if (numbers.length === 1) return `${PRIMITIVE}wait_event(${numbers[0]})`
    const list = numbers.map((e) => `${PRIMITIVE}list(${e}), `).join('')
    return `(${list}${PRIMITIVE}wait_${all ? 'all' : 'any'}())`
  }

  private nextTrigger(node: Node, args: readonly Node[]): string {
    if (args.length === 0) return `${PRIMITIVE}next_trigger(0)`
    if (this.isTime(args)) return `${PRIMITIVE}next_trigger_time(${this.time(node, args)})`
    if (args.length > 1) return unsupported(this.model.file, node, 'next_trigger with a time and an event')
    return `${PRIMITIVE}next_trigger(${this.event(args[0]!)})`
  }

  /** e1 | e2 | ... or e1 & e2 & ... */
  private events(node: Node): { readonly numbers: readonly number[]; readonly all: boolean } {
    if (node.type !== 'binary_expression') return { numbers: [this.event(node)], all: false }
    const operator = field(node, 'operator')!.text
    const [left, right] = [this.events(field(node, 'left')!), this.events(field(node, 'right')!)]
    const isMixed = [left, right].some(({ numbers, all }) => numbers.length > 1 && all !== (operator === '&'))
    if ((operator !== '|' && operator !== '&') || isMixed) unsupported(this.model.file, node, 'this list of events')
    return { numbers: [...new Set([...left.numbers, ...right.numbers])], all: operator === '&' }
  }

  /** The number of an event: one that is declared, or one of a channel's. */
  event(node: Node): number {
    const member = this.member(node)
    if (member?.kind === 'event') return member.number
    const [, path, kind] = /^(.*?)(?:\.(\w+)\s*\(\s*\))?$/s.exec(node.text)!
    const signal = signalOf(memberAt(this.instance, path!))
    const event = EVENTS[kind ?? 'default_event']
    if (!signal || !event) return unsupported(this.model.file, node, `event ${node.text}`)
    let number = signal.events.get(event)
    if (number === undefined)
      signal.events.set(event, (number = this.elaborated.events.push(`${signal.name}${kind ? `${DOT}${kind}()` : ''}`)))
    return number
  }

  // ---- times

  private isTime(args: readonly Node[]): boolean {
    const last = args.at(-1)!.text
    return last in UNITS || last === 'SC_ZERO_TIME' || /^sc_time\b/.test(last)
  }

  private time(node: Node, args: readonly Node[]): string {
    const [first, second] = args
    if (args.length === 1 && first!.text === 'SC_ZERO_TIME') return '0'
    if (args.length === 1 && /^sc_time\b/.test(first!.text)) {
      const inner = field(first!, 'arguments')
      if (inner) return this.time(node, named(inner))
    }
    const unit = UNITS[second?.text ?? '']
    if (args.length !== 2 || unit === undefined) return unsupported(this.model.file, node, 'a time of this form')
    if (/^\d+$/.test(first!.text)) return `${BigInt(first!.text) * BigInt(unit)}LL`
    return `(long long)(${this.emit(first!)}) * ${unit}LL`
  }
}

const EVENTS: Readonly<Record<string, 'changed' | 'pos' | 'neg' | undefined>> = {
  default_event: 'changed',
  value_changed_event: 'changed',
  value_changed: 'changed',
  posedge_event: 'pos',
  pos: 'pos',
  negedge_event: 'neg',
  neg: 'neg',
}
