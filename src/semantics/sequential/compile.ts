// A procedure as nodes with compiled edges. Guards and effects are apart: an edge with an assumption behind an effect
// (a lock that waits) is nothing for one execution of one thread.
import type {
  Call,
  Edge,
  Label,
  Location,
  MemoryObject,
  Position,
  Procedure,
  Unit,
  Variable,
} from '../../xcfa/index.js'
import { UNINITIALISED, UNINITIALISED_LARGE } from '../../xcfa/passes/inline/tidy.js'
import { compileExpr, type Get, type Scope } from './expressions.js'
import { type Block, GaveUp, type Memory } from './memory.js'
import { isKnown, type Maybe } from './value.js'

export interface Frame {
  readonly procedure: CompiledProcedure
  readonly locals: Maybe[]
  /** Objects of this activation. */
  readonly blocks: readonly Block[]
  /** Arrays of variable length and what alloca gave, by their site. */
  automatic: Map<MemoryObject, Block[]> | undefined
  node: Node
  /** Which variable of the caller takes the result. */
  result: ((locals: Maybe[], value: Maybe) => void) | undefined
}

type Effect = (locals: Maybe[], frame: Frame) => void

export interface CompiledCall {
  readonly callee: string | Get
  readonly candidates: ReadonlySet<string>
  readonly args: readonly Get[]
  readonly label: Call
  readonly target: number | undefined
  readonly position: Position
}

export interface CompiledEdge {
  readonly guards: readonly Get[]
  readonly effects: readonly Effect[]
  readonly call: CompiledCall | undefined
  readonly target: Node
  readonly edge: Edge
}

interface Node {
  readonly location: Location
  edges: readonly CompiledEdge[] | undefined
}

export interface CompiledProcedure {
  readonly procedure: Procedure
  readonly initial: Node
  readonly localIndex: ReadonlyMap<Variable, number>
  /** Frame objects, and the variables that hold their addresses. */
  readonly frames: readonly { readonly object: MemoryObject; readonly index: number }[]
  /** Blocks of activations that have ended. */
  readonly pool: (readonly Block[])[]
  readonly edgesOf: (node: Node) => readonly CompiledEdge[]
}

export interface Machine {
  readonly unit: Unit
  readonly globals: Maybe[]
  readonly globalIndex: ReadonlyMap<Variable, number>
  readonly memory: Memory
}

export const compileProcedure = (machine: Machine, procedure: Procedure): CompiledProcedure => {
  const localIndex = new Map<Variable, number>()
  const frameObjects = new Set(procedure.objects)
  const frames: CompiledProcedure['frames'][number][] = []
  const variables = new Set([...procedure.locals, ...procedure.parameters, procedure.self])
  if (procedure.result) variables.add(procedure.result)
  for (const variable of variables) localIndex.set(variable, localIndex.size)
  for (const [variable, object] of machine.unit.frames ?? [])
    if (frameObjects.has(object)) {
      if (!localIndex.has(variable)) localIndex.set(variable, localIndex.size)
      frames.push({ object, index: localIndex.get(variable)! })
    }
  const scope: Scope = { globals: machine.globals, globalIndex: machine.globalIndex, localIndex }
  const nodes = new Map<Location, Node>()
  const outgoing = new Map<Location, Edge[]>()
  for (const edge of procedure.edges) {
    const known = outgoing.get(edge.source)
    if (known) known.push(edge)
    else outgoing.set(edge.source, [edge])
  }
  const nodeOf = (location: Location): Node => {
    let node = nodes.get(location)
    if (!node) nodes.set(location, (node = { location, edges: undefined }))
    return node
  }
  const compiled: CompiledProcedure = {
    procedure,
    initial: nodeOf(procedure.initial),
    localIndex,
    frames,
    pool: [],
    edgesOf: (node) =>
      (node.edges ??= (outgoing.get(node.location) ?? []).map((edge) => compileEdge(machine, scope, edge, nodeOf))),
  }
  return compiled
}

const compileEdge = (machine: Machine, scope: Scope, edge: Edge, nodeOf: (at: Location) => Node): CompiledEdge => {
  const guards: Get[] = []
  const effects: Effect[] = []
  let call: CompiledCall | undefined
  for (const label of edge.labels) {
    if (label.kind === 'assume') {
      if (effects.length > 0 || call) throw new GaveUp('an assumption inside a step')
      guards.push(compileExpr(scope, label.condition))
    } else if (label.kind === 'call') call = compileCall(scope, label, edge.position)
    else {
      if (call) throw new GaveUp('an effect behind a call')
      const effect = compileLabel(machine, scope, label)
      if (effect) effects.push(effect)
    }
  }
  return { guards, effects, call, target: nodeOf(edge.target), edge }
}

const compileCall = (scope: Scope, label: Call, position: Position): CompiledCall => ({
  callee: typeof label.callee === 'string' ? label.callee : compileExpr(scope, label.callee),
  candidates: new Set(label.candidates),
  args: label.args.map((arg) => compileExpr(scope, arg)),
  label,
  target: label.target ? scope.localIndex.get(label.target) : undefined,
  position,
})

const setter = (scope: Scope, variable: Variable): ((locals: Maybe[], value: Maybe) => void) => {
  const local = scope.localIndex.get(variable)
  if (local !== undefined)
    return (locals, value) => {
      locals[local] = value
    }
  const index = scope.globalIndex.get(variable)
  if (index === undefined) throw new Error(`variable ${variable.name} is nowhere`)
  return (_, value) => {
    scope.globals[index] = value
  }
}

/** Undefined: nothing to do. */
const compileLabel = ({ memory }: Machine, scope: Scope, label: Label): Effect | undefined => {
  switch (label.kind) {
    case 'assign': {
      const [set, get] = [setter(scope, label.target), compileExpr(scope, label.value)]
      return (locals) => set(locals, get(locals))
    }
    case 'havoc': {
      const set = setter(scope, label.target)
      return (locals) => set(locals, undefined)
    }
    case 'load': {
      const [set, address, { type }] = [setter(scope, label.target), compileExpr(scope, label.address), label]
      return (locals) => set(locals, memory.load(address(locals), type))
    }
    case 'store': {
      const [get, address, { type }] = [compileExpr(scope, label.value), compileExpr(scope, label.address), label]
      return (locals) => memory.store(address(locals), type, get(locals))
    }
    case 'allocate': {
      const [set, size, { object }] = [setter(scope, label.target), compileExpr(scope, label.size), label]
      return (locals, frame) => set(locals, allocate(memory, frame, object, size(locals)).base)
    }
    case 'free': {
      const address = compileExpr(scope, label.address)
      return (locals) => free(memory, address(locals))
    }
    case 'fence':
      return undefined
    case 'primitive':
      return primitive(memory, scope, label)
    case 'start':
    case 'join':
      return giveUp('threads')
    case 'assume':
    case 'call':
      return undefined
  }
}

const giveUp =
  (reason: string): Effect =>
  () => {
    throw new GaveUp(reason)
  }

const MAX_OBJECT = 1 << 28

const allocate = (memory: Memory, frame: Frame, object: MemoryObject, size: Maybe): Block => {
  if (typeof size !== 'number' || size > MAX_OBJECT) throw new GaveUp('an allocation whose size is not known or large')
  const block = memory.allocate(size, object.contents, !object.automatic)
  if (object.automatic) {
    frame.automatic ??= new Map()
    const before = frame.automatic.get(object) ?? []
    if (object.automatic === 'block') for (const gone of before.splice(0)) memory.release(gone)
    frame.automatic.set(object, [...before, block])
  }
  return block
}

const free = (memory: Memory, address: Maybe): void => {
  if (address === 0) return
  const block = typeof address === 'number' ? memory.startingAt(address) : undefined
  if (!block?.live || !block.heap) throw new GaveUp('undefined behaviour: free of what was not allocated')
  memory.release(block)
}

const primitive = (memory: Memory, scope: Scope, label: Label & { kind: 'primitive' }): Effect | undefined => {
  // Stores of arbitrary values follow.
  if (label.name === UNINITIALISED) return undefined
  if (label.name !== UNINITIALISED_LARGE) return giveUp(label.unsupported ? label.name : 'threads')
  const address = compileExpr(scope, label.args[0]!)
  return (locals) => {
    const at = address(locals)
    const block = isKnown(at) ? memory.startingAt(Number(at)) : undefined
    if (block) block.unknown = new Uint8Array(block.size).fill(255)
  }
}
