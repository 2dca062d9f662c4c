// Which registers of a thread are read before they are written again, by instruction. At the end all named ones are:
// the final condition may ask for them.
import type { Expression, Instruction, Thread } from '../../frontend/litmus/test.js'

export interface Liveness {
  isLive(pc: number, register: string): boolean
}

const isNamed = (register: string): boolean => !register.startsWith('$')

export const livenessOf = (thread: Thread): Liveness => {
  const { instructions } = thread
  const live: Set<string>[] = Array.from({ length: instructions.length + 1 }, () => new Set())
  const named = new Set<string>([...thread.registers.keys()])
  for (const { instruction } of instructions)
    for (const name of written(instruction)) if (isNamed(name)) named.add(name)
  live[instructions.length] = named
  for (let changed = true; changed; ) {
    changed = false
    for (let pc = instructions.length - 1; pc >= 0; pc--) {
      const { instruction } = instructions[pc]!
      const after = new Set(
        successors(instruction, pc).flatMap((next) => [...live[Math.min(next, instructions.length)]!]),
      )
      for (const name of written(instruction)) after.delete(name)
      for (const name of used(instruction)) after.add(name)
      if (after.size === live[pc]!.size) continue
      live[pc] = after
      changed = true
    }
  }
  return { isLive: (pc, register) => live[pc]!.has(register) }
}

const successors = (instruction: Instruction, pc: number): readonly number[] => {
  switch (instruction.kind) {
    case 'jump':
      return [instruction.target]
    case 'branch':
      return [instruction.target, pc + 1]
    case 'choose':
      return instruction.targets
    default:
      return [pc + 1]
  }
}

const registersOf = (expression: Expression): readonly string[] => {
  switch (expression.kind) {
    case 'constant':
      return []
    case 'register':
      return [expression.name]
    case 'operation':
      return expression.operands.flatMap(registersOf)
  }
}

const used = (instruction: Instruction): readonly string[] => {
  switch (instruction.kind) {
    case 'assign':
      return [instruction.value, instruction.picks].flatMap((e) => (e ? registersOf(e) : []))
    case 'load':
      return registersOf(instruction.address)
    case 'store':
      return [instruction.address, instruction.value, instruction.picks].flatMap((e) => (e ? registersOf(e) : []))
    case 'fence':
      return [instruction.address, instruction.uses].flatMap((e) => (e ? registersOf(e) : []))
    case 'branch':
    case 'assume':
      return registersOf(instruction.condition)
    case 'jump':
    case 'choose':
      return []
  }
}

const written = (instruction: Instruction): readonly string[] => {
  switch (instruction.kind) {
    case 'assign':
    case 'load':
      return [instruction.register]
    case 'fence':
      return instruction.result === undefined ? [] : [instruction.result]
    default:
      return []
  }
}
