// One execution of a program that starts no threads and asks for no input: then it is the only one, and what it comes
// to is what the program does. It runs on procedures before inlining, so that recursion is as deep as it likes. As soon
// as a step depends on what is not known (inputs, uninitialised memory), on threads or on undefined behaviour, it gives
// up: engines that know of these have to decide.
import type { Location, Unit, Value } from '../../xcfa/index.js'
import { FIRST_ADDRESS } from '../../xcfa/passes/inline/addresses.js'
import { THREAD_EPILOGUE } from '../../xcfa/passes/inline/inline.js'
import { isErrorFor } from '../violation.js'
import {
  type CompiledCall,
  type CompiledEdge,
  type CompiledProcedure,
  compileProcedure,
  type Frame,
  type Machine,
} from './compile.js'
import { type Block, GaveUp, Memory } from './memory.js'
import { isKnown, type Maybe, partialCast } from './value.js'

export type Run =
  /** The program ended, and no error was met. */
  | { readonly kind: 'ended'; readonly steps: number }
  | { readonly kind: 'error'; readonly location: Location; readonly steps: number }
  | { readonly kind: 'gave up'; readonly reason: string; readonly steps: number }

export interface RunOptions {
  readonly property: string
  readonly stopped: () => string | undefined
  /** Told of each call of a function with this name: its arguments. For tests against compilers. */
  /** Only the first of all alternatives, which is the order from left to right: no proof. */
  readonly firstChoices?: true
  readonly observe?: { readonly name: string; readonly call: (args: readonly (Value | undefined)[]) => void }
}

const STEPS_BETWEEN_LOOKS = 1 << 14
const MAX_DEPTH = 1 << 17
const MAX_CHOICES = 1 << 12

/** Executions by other choices (orders of evaluation, for the most part) that are tried. */
const MAX_EXECUTIONS = 64

/** All executions must end well; they differ only where a step has alternatives. */
export const runSequential = (unit: Unit, options: RunOptions): Run => {
  let choices: readonly number[] = []
  let steps = 0
  for (let executions = 1; ; executions++) {
    const execution = new Execution(unit, options, choices)
    const run = execution.run()
    steps += run.steps
    if (run.kind !== 'ended' || options.firstChoices) return { ...run, steps }
    const next = following(execution.taken)
    if (!next) return { kind: 'ended', steps }
    if (executions === MAX_EXECUTIONS) return { kind: 'gave up', reason: 'many orders of evaluation', steps }
    choices = next
  }
}

interface Choice {
  readonly index: number
  readonly of: number
}

/** The next execution in the order of a depth-first search. */
const following = (taken: readonly Choice[]): readonly number[] | undefined => {
  const last = taken.findLastIndex(({ index, of }) => index + 1 < of)
  if (last < 0) return undefined
  return [...taken.slice(0, last).map(({ index }) => index), taken[last]!.index + 1]
}

class Execution {
  private readonly machine: Machine
  private readonly compiled = new Map<string, CompiledProcedure>()
  private readonly functionAt: ReadonlyMap<number, string>
  private readonly stack: Frame[] = []
  private steps = 0
  /** The alternatives that were there, and which was taken. */
  readonly taken: Choice[] = []

  constructor(
    private readonly unit: Unit,
    private readonly options: RunOptions,
    private readonly choices: readonly number[],
  ) {
    this.machine = {
      unit,
      globals: unit.globals.map(({ initial }) => (initial === 'any' ? undefined : initial)),
      globalIndex: new Map(unit.globals.map((variable, index) => [variable, index])),
      memory: memoryOf(unit),
    }
    const functions = unit.objects.filter(({ procedure }) => procedure !== undefined)
    this.functionAt = new Map(functions.map(({ base, procedure }) => [base, procedure!]))
  }

  run(): Run {
    try {
      return this.execute()
    } catch (error) {
      if (!(error instanceof GaveUp)) throw error
      return { kind: 'gave up', reason: error.message, steps: this.steps }
    }
  }

  private execute(): Run {
    const entry = this.procedure(this.unit.entry)
    let frame = this.enter(
      entry,
      entry.procedure.parameters.map(() => undefined),
      undefined,
    )
    for (;;) {
      if (++this.steps % STEPS_BETWEEN_LOOKS === 0) {
        const reason = this.options.stopped()
        if (reason !== undefined) throw new GaveUp(reason)
      }
      const { location } = frame.node
      if (location.kind !== 'plain') {
        const end = this.endAt(location)
        if (end) return end
        if (this.stack.length === 1) return this.ended()
        frame = this.leave(frame)
        continue
      }
      const edge = this.chosen(frame)
      for (const effect of edge.effects) effect(frame.locals, frame)
      frame.node = edge.target
      if (edge.call) frame = this.call(frame, edge.call)
    }
  }

  private ended(): Run {
    return { kind: 'ended', steps: this.steps }
  }

  /** How the program ends at a location; undefined: only the procedure does. */
  private endAt(location: Location): Run | undefined {
    switch (location.kind) {
      case 'error':
        return location.violation && isErrorFor(this.options.property, location.violation)
          ? { kind: 'error', location, steps: this.steps }
          : this.ended()
      case 'halt':
        if (location.reason?.kind === 'undefined') throw new GaveUp(`undefined behaviour: ${location.reason.text}`)
        return this.ended()
      case 'thread-exit':
        throw new GaveUp('threads')
      default:
        return undefined
    }
  }

  /** The edge that is enabled, or of several the one whose turn it is. */
  private chosen(frame: Frame): CompiledEdge {
    const edges = frame.procedure.edgesOf(frame.node)
    let found: CompiledEdge | undefined
    let others: CompiledEdge[] | undefined
    for (const edge of edges) {
      if (!isEnabled(edge, frame.locals)) continue
      if (!found) found = edge
      else (others ??= []).push(edge)
    }
    if (!found) throw new GaveUp('a step that waits')
    if (!others) return found
    const all = [found, ...others]
    const index = this.choices[this.taken.length] ?? 0
    this.taken.push({ index, of: all.length })
    if (this.taken.length > MAX_CHOICES && !this.options.firstChoices) throw new GaveUp('many orders of evaluation')
    return all[index]!
  }

  // ---- calls

  private procedure(name: string): CompiledProcedure {
    let known = this.compiled.get(name)
    if (known) return known
    const problem = this.unit.failures?.get(name)
    if (problem) throw new GaveUp(problem.message)
    const procedure = this.unit.procedures.get(name)
    if (!procedure) throw new GaveUp(`unsupported: function ${name} without a definition`)
    known = compileProcedure(this.machine, procedure)
    this.compiled.set(name, known)
    return known
  }

  private call(frame: Frame, call: CompiledCall): Frame {
    const name = typeof call.callee === 'string' ? call.callee : this.pointedTo(call, call.callee(frame.locals))
    if (name === THREAD_EPILOGUE && !this.unit.procedures.has(name)) return frame
    const args = call.args.map((arg) => arg(frame.locals))
    const { observe } = this.options
    if (observe?.name === name) observe.call(args.map((arg) => (isKnown(arg) ? arg : undefined)))
    const callee = this.procedure(name)
    const { parameters, result } = callee.procedure
    if (parameters.length !== args.length) throw new GaveUp('undefined behaviour: a call with other arguments')
    const passed = parameters.map((parameter, i) => partialCast(call.label.args[i]!.type, parameter.type, args[i]))
    const { target } = call
    const targetType = call.label.target?.type
    if (target === undefined || !targetType) return this.enter(callee, passed, undefined)
    return this.enter(callee, passed, (locals, value) => {
      locals[target] = result ? partialCast(result.type, targetType, value) : 0
    })
  }

  private pointedTo(call: CompiledCall, address: Maybe): string {
    const name = typeof address === 'number' ? this.functionAt.get(address) : undefined
    if (name === undefined || !call.candidates.has(name))
      throw new GaveUp('undefined behaviour: a call of no function of this type')
    return name
  }

  private enter(procedure: CompiledProcedure, args: readonly Maybe[], result: Frame['result']): Frame {
    if (this.stack.length >= MAX_DEPTH) throw new GaveUp(`recursion deeper than ${MAX_DEPTH}`)
    const locals: Maybe[] = new Array(procedure.localIndex.size).fill(0)
    procedure.procedure.parameters.forEach((parameter, i) => {
      locals[procedure.localIndex.get(parameter)!] = args[i]
    })
    const blocks = this.frameBlocks(procedure)
    procedure.frames.forEach(({ index }, i) => {
      locals[index] = blocks[i]!.base
    })
    const frame: Frame = { procedure, locals, blocks, automatic: undefined, node: procedure.initial, result }
    this.stack.push(frame)
    return frame
  }

  private frameBlocks({ frames, pool }: CompiledProcedure): readonly Block[] {
    const used = pool.pop()
    if (!used) return frames.map(({ object }) => this.machine.memory.allocate(object.size, 'any', false))
    for (const block of used) {
      block.live = true
      if (block.unknown) block.unknown.fill(255)
      else block.unknown = new Uint8Array(block.size).fill(255)
    }
    return used
  }

  private leave(frame: Frame): Frame {
    const { procedure, blocks, automatic } = frame
    for (const block of blocks) block.live = false
    for (const block of [...(automatic?.values() ?? [])].flat()) this.machine.memory.release(block)
    procedure.pool.push(blocks)
    this.stack.pop()
    const caller = this.stack.at(-1)!
    const result = procedure.procedure.result
    frame.result?.(caller.locals, result ? frame.locals[procedure.localIndex.get(result)!] : 0)
    return caller
  }
}

const isEnabled = ({ guards }: CompiledEdge, locals: Maybe[]): boolean => {
  for (const guard of guards) {
    const value = guard(locals)
    if (value === undefined) throw new GaveUp('a branch on a value that is not known')
    if (value === 0) return false
  }
  return true
}

/** Static objects with their first contents; those of threads as main has them. */
const memoryOf = (unit: Unit): Memory => {
  const memory = new Memory(FIRST_ADDRESS)
  const objects = unit.objects.filter(({ procedure, storage }) => procedure === undefined && storage !== 'heap')
  const end = Math.max(
    FIRST_ADDRESS,
    ...unit.objects.map(({ base, stride, instances }) => base + stride * (instances ?? 1)),
  )
  for (const object of objects.toSorted((a, b) => a.base - b.base)) {
    const block = memory.place(object.base, object.size)
    if (object.contents === 'any') block.unknown = new Uint8Array(object.size).fill(255)
    for (const { offset, type, value } of object.initial) memory.store(object.base + offset, type, value)
    if (object.readOnly) block.readOnly = true
  }
  memory.startDynamicAt(end)
  return memory
}
