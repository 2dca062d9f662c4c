// Points-to analysis: inclusion-based (Andersen 1994), flow-insensitive, field-sensitive. The nodes are registers and
// contents of memory; an abstract pointer is a slot (an object and a set of offsets), heap objects by allocation site.
// Contents are kept by what was stored where; a load sees every store that overlaps it. The same for programs and for
// units, whose calls pass on arguments and results without regard to who called.
import type { Expr, Label, MemoryObject, Procedure, Program, Slot, Type, Unit, Variable } from '../../index.js'
import { byteSize } from '../../index.js'
import { type Addresses, ASTRAY, addressesOf, along, type Flow, type FlowContext, flowsOf, UNMOVED } from './flows.js'
import { commonStep, contains, cover, exactSlot, overlaps, slotKey, wholeObject } from './slot.js'

/** Abstract pointers that a register or a piece of memory may hold, and where they flow. */
interface Node {
  readonly slots: Map<MemoryObject, Slot[]>
  /** No edge is here twice: a copy would pass on everything twice, and so on along every path. */
  readonly to: Map<Node, Step[]>
  /** Accesses through this node's pointers. */
  readonly dereferences: Dereference[]
}

type Step = Omit<Flow, 'from'>

interface Dereference {
  readonly flow: Step
  readonly size: number
  readonly kind: 'load' | 'store'
  /** A load: what receives the contents. A store: what the contents receive from. */
  readonly node: Node
}

/** A piece of an object that was accessed. */
interface Piece {
  readonly slot: Slot
  readonly size: number
  readonly node: Node
}

interface Contents {
  readonly loads: Map<string, Piece>
  readonly stores: Map<string, Piece>
}

/** More slots than these in one object become one that covers them. */
const MAX_SLOTS = 12

/** Of an object that is accessed in more pieces than these, further ones are the whole object: pieces are paired. */
const MAX_PIECES = 500

export interface PointsTo {
  /** Where the address of an expression of this template may lie. */
  targets(address: Expr, procedure: Procedure): readonly Slot[]
  /** Objects of which a thread may reach an instance of another thread: statics, and what pointers lead to. */
  readonly escaped: ReadonlySet<MemoryObject>
  readonly addresses: Addresses
}

export const pointsTo = (program: Program): PointsTo =>
  new Solver({ ...program, procedures: program.templates, frames: new Map() }).solve()

/** Of a unit. `started`: the models that thread functions run in, called with a function and its argument. */
export const pointsToInUnit = (unit: Unit, started: readonly string[]): PointsTo =>
  new Solver({ ...unit, frames: unit.frames ?? new Map(), main: undefined, started }).solve()

/** What programs and units have in common. */
interface Analysed {
  readonly dataModel: Program['dataModel']
  readonly objects: readonly MemoryObject[]
  readonly globals: readonly Variable[]
  readonly procedures: ReadonlyMap<string, Procedure>
  readonly main: Procedure | undefined
  /** Variables that stand for the address of an object. */
  readonly frames: ReadonlyMap<Variable, MemoryObject>
  readonly started?: readonly string[]
}

class Solver {
  private readonly variables = new Map<Variable, Node>()
  private readonly contents = new Map<MemoryObject, Contents>()
  private readonly foreign = new Set<MemoryObject>()
  private readonly addresses: Addresses
  private readonly work: (() => void)[] = []
  /** Nodes whose pointers other threads can get: globals and arguments of threads. */
  private readonly published: Node[] = []

  constructor(private readonly program: Analysed) {
    this.addresses = addressesOf(program.objects)
  }

  solve(): PointsTo {
    for (const object of this.program.objects) this.initialise(object)
    for (const variable of this.program.globals) {
      this.published.push(this.nodeOf(variable))
      if (variable.initial !== 'any') this.addConstant(variable.initial, this.nodeOf(variable))
    }
    for (const [variable, object] of this.program.frames) this.add(this.nodeOf(variable), exactSlot(object, 0))
    for (const procedure of this.program.procedures.values())
      for (const edge of procedure.edges) for (const label of edge.labels) this.constrain(label, procedure)
    this.propagate()
    const escaped = this.escape()
    return {
      escaped,
      addresses: this.addresses,
      targets: (address, procedure) => this.targets(address, procedure),
    }
  }

  private initialise(object: MemoryObject): void {
    for (const { offset, type, value } of object.initial) {
      if (!this.addresses.objectAt(value)) continue
      this.addConstant(value, this.piece(exactSlot(object, offset), byteSize(type), 'stores').node)
    }
  }

  private addConstant(value: number | bigint, node: Node): void {
    const found = this.addresses.objectAt(value)
    if (found) this.add(node, exactSlot(found.object, found.offset))
  }

  // ---- constraints

  private constrain(label: Label, procedure: Procedure): void {
    switch (label.kind) {
      case 'assign':
        this.assign(this.nodeOf(label.target), label.value, procedure)
        break
      case 'load':
        this.access('load', label.address, label.type, this.nodeOf(label.target), procedure)
        break
      case 'store': {
        const value = newNode()
        this.assign(value, label.value, procedure)
        this.access('store', label.address, label.type, value, procedure)
        break
      }
      case 'allocate':
        this.add(this.nodeOf(label.target), exactSlot(label.object, 0))
        break
      case 'start':
        this.start(label, procedure)
        break
      case 'call':
        for (const name of typeof label.callee === 'string' ? [label.callee] : label.candidates)
          this.call(name, label.args, label.target, procedure)
        break
      case 'primitive':
        if (label.name === 'start')
          for (const name of this.program.started ?? []) this.call(name, label.args, undefined, procedure)
        break
      case 'assume':
      case 'havoc':
      case 'free':
      case 'join':
      case 'fence':
        break
    }
  }

  private call(name: string, args: readonly Expr[], target: Variable | undefined, caller: Procedure): void {
    const callee = this.program.procedures.get(name)
    callee?.parameters.forEach((parameter, i) => {
      if (args[i]) this.assign(this.nodeOf(parameter), args[i], caller)
    })
    if (target && callee?.result) this.link(this.nodeOf(callee.result), this.nodeOf(target), UNMOVED)
  }

  private start(label: Label & { readonly kind: 'start' }, procedure: Procedure): void {
    this.program.procedures.get(label.procedure)?.parameters.forEach((parameter, i) => {
      const arg = label.args[i]
      this.published.push(this.nodeOf(parameter))
      if (arg) this.assign(this.nodeOf(parameter), arg, procedure)
    })
  }

  private context(procedure: Procedure): FlowContext {
    return {
      addresses: this.addresses,
      procedure,
      isMain: procedure === this.program.main,
      pointerWidth: this.program.dataModel === 'lp64' ? 64 : 32,
      foreign: (object) => this.foreign.add(object),
    }
  }

  private assign(node: Node, value: Expr, procedure: Procedure): void {
    for (const { from, ...flow } of flowsOf(value, this.context(procedure)))
      if ('object' in from) this.add(node, along(from, { from, ...flow }))
      else this.link(this.nodeOf(from), node, flow)
  }

  private access(kind: 'load' | 'store', address: Expr, type: Type, node: Node, procedure: Procedure): void {
    const size = byteSize(type)
    for (const { from, ...flow } of flowsOf(address, this.context(procedure))) {
      const dereference: Dereference = { flow, size, kind, node }
      if ('object' in from) this.dereference(dereference, from)
      else {
        const pointer = this.nodeOf(from)
        pointer.dereferences.push(dereference)
        for (const slots of [...pointer.slots.values()])
          for (const slot of [...slots]) this.dereference(dereference, slot)
      }
    }
  }

  // ---- propagation

  private propagate(): void {
    for (let task = this.work.pop(); task; task = this.work.pop()) task()
  }

  /**
   * Adds a pointer to a node, unless the node has it, and passes it on. Few slots of an object are kept apart; the one
   * that covers more stands for what lies outside the object, too. Covers only grow, so that this comes to an end.
   */
  private add(node: Node, slot: Slot): void {
    const slots = node.slots.get(slot.object) ?? []
    if (slots.some((known) => contains(known, slot))) return
    const added = slots.length < MAX_SLOTS ? slot : cover([slot, ...slots])
    if (added !== slot && slots.some((known) => contains(known, added))) return
    node.slots.set(slot.object, [...slots.filter((known) => !contains(added, known)), added])
    this.work.push(() => {
      for (const [next, steps] of [...node.to])
        for (const step of [...steps]) this.add(next, along(added, { from: added, ...step }))
      for (const dereference of [...node.dereferences]) this.dereference(dereference, added)
    })
  }

  private link(from: Node, to: Node, step: Step): void {
    const steps = from.to.get(to)
    if (steps?.some((known) => isSameStep(known, step))) return
    if (steps) steps.push(step)
    else from.to.set(to, [step])
    for (const slots of [...from.slots.values()])
      for (const slot of slots) this.add(to, along(slot, { from: slot, ...step }))
  }

  private dereference({ flow, size, kind, node }: Dereference, pointer: Slot): void {
    const slot = along(pointer, { from: pointer, ...flow })
    if (kind === 'load') this.link(this.piece(slot, size, 'loads').node, node, UNMOVED)
    else this.link(node, this.piece(slot, size, 'stores').node, UNMOVED)
  }

  /** The contents of a part of an object; a new part is linked with those that it overlaps. */
  private piece(accessed: Slot, size: number, kind: keyof Contents): Piece {
    let contents = this.contents.get(accessed.object)
    if (!contents) this.contents.set(accessed.object, (contents = { loads: new Map(), stores: new Map() }))
    const known = contents[kind].get(`${slotKey(accessed)}:${size}`)
    if (known) return known
    const slot = contents[kind].size < MAX_PIECES ? accessed : wholeObject(accessed.object)
    const key = `${slotKey(slot)}:${size}`
    let piece = contents[kind].get(key)
    if (piece) return piece
    piece = { slot, size, node: newNode() }
    contents[kind].set(key, piece)
    for (const other of contents[kind === 'loads' ? 'stores' : 'loads'].values()) {
      if (!overlaps(slot, size, other.slot, other.size)) continue
      const [store, load] = kind === 'loads' ? [other, piece] : [piece, other]
      this.link(store.node, load.node, isWholeCopy(store, load) ? UNMOVED : { shift: 0, ...ASTRAY })
    }
    return piece
  }

  private nodeOf(variable: Variable): Node {
    let node = this.variables.get(variable)
    if (!node) this.variables.set(variable, (node = newNode()))
    return node
  }

  // ---- answers

  private targets(address: Expr, procedure: Procedure): readonly Slot[] {
    const result = newNode()
    for (const { from, ...flow } of flowsOf(address, this.context(procedure))) {
      const sources = 'object' in from ? [from] : [...this.nodeOf(from).slots.values()].flat()
      for (const slot of sources) {
        const reached = along(slot, { from: slot, ...flow })
        const known = result.slots.get(reached.object)
        if (!known) result.slots.set(reached.object, [reached])
        else if (!known.some((other) => contains(other, reached))) known.push(reached)
      }
    }
    return [...result.slots.values()].flat()
  }

  /** Objects whose address is in memory that others see, directly or through such memory. */
  private escape(): Set<MemoryObject> {
    const escaped = new Set<MemoryObject>()
    const visit = (object: MemoryObject): void => {
      if (escaped.has(object)) return
      escaped.add(object)
      for (const { node } of this.contents.get(object)?.stores.values() ?? [])
        for (const next of node.slots.keys()) visit(next)
    }
    for (const object of this.foreign) visit(object)
    for (const node of this.published) for (const object of node.slots.keys()) visit(object)
    for (const object of this.program.objects) if (object.storage === 'static') visit(object)
    return escaped
  }
}

const newNode = (): Node => ({ slots: new Map(), to: new Map(), dereferences: [] })

const isSameStep = (a: Step, b: Step): boolean =>
  a.shift === b.shift && a.stride === b.stride && a.widest === b.widest && a.forward === b.forward

/** The load reads exactly what the store wrote; otherwise it may see parts, shifted. */
const isWholeCopy = (store: Piece, load: Piece): boolean => {
  if (store.size !== load.size) return false
  const step = commonStep(store.slot, load.slot)
  const distance = store.slot.offset - load.slot.offset
  return step === 0 ? distance === 0 : step >= store.size && distance % step === 0
}
