// What the assembly dialects share: the table of instructions (a column for each thread), labels, and an emitter that
// resolves them. A dialect translates one instruction at a time.

import type { Memory } from './memory.js'
import { type Instruction, LitmusProblem, type Placed, type Position, type Thread } from './test.js'

export interface Cell {
  readonly text: string
  readonly at: Position
}

/** Reads `P0 | P1 ;` and the rows below it; one list of cells for each thread. */
export const readTable = (text: string, firstLine: number): readonly (readonly Cell[])[] => {
  const rows: Cell[][] = []
  const lines = text.split('\n')
  let pending: Cell[] = []
  lines.forEach((content, i) => {
    let start = 0
    for (let at = 0; at <= content.length; at++) {
      const character = content[at]
      if (character !== '|' && character !== ';' && character !== undefined) continue
      const piece = content.slice(start, at)
      if (character === undefined && piece.trim() === '') break
      const column = start + (piece.length - piece.trimStart().length) + 1
      pending.push({ text: piece.trim(), at: { line: firstLine + i, column } })
      start = at + 1
      if (character === ';') {
        rows.push(pending)
        pending = []
      }
    }
  })
  if (pending.length > 0) throw new LitmusProblem(pending[0]!.at, 'this row of instructions does not end with ";"')
  const [header, ...body] = rows
  if (!header || header.length === 0)
    throw new LitmusProblem({ line: firstLine, column: 1 }, 'expected the threads: P0 | P1 ;')
  for (const cell of header)
    if (!/^P\d+(?::\S+)?$/.test(cell.text))
      throw new LitmusProblem(cell.at, `expected the name of a thread, but found "${cell.text}"`)
  for (const row of body)
    if (row.length > header.length)
      throw new LitmusProblem(
        row[header.length]!.at,
        `this row has ${row.length} columns, but there are ${header.length} threads`,
      )
  return header.map((_, column) =>
    body.flatMap((row) => (row[column] && row[column]!.text !== '' ? [row[column]!] : [])),
  )
}

type Unresolved = { readonly label: string; readonly at: Position }

/** Collects the instructions of one thread. Targets are labels until the end. */
export class Emitter {
  private readonly placed: { instruction: Instruction; text: string; line: number; targets?: readonly Unresolved[] }[] =
    []
  private readonly labels = new Map<string, number>()
  private fresh = 0
  private cell: Cell = { text: '', at: { line: 1, column: 1 } }
  readonly memory: Memory
  /** How wide the last comparison was: the jumps that follow it in the text look at as many bits. */
  comparedBits: 32 | 64 = 32

  constructor(memory: Memory) {
    this.memory = memory
  }

  at(cell: Cell): void {
    this.cell = cell
  }

  fail(message: string): never {
    throw new LitmusProblem(this.cell.at, message)
  }

  emit(instruction: Instruction): void {
    this.placed.push({ instruction, text: this.cell.text, line: this.cell.at.line })
  }

  /** A jump, branch or choice whose targets are labels. */
  emitTo(
    instruction: Extract<Instruction, { kind: 'branch' | 'jump' | 'choose' }>,
    ...labels: readonly string[]
  ): void {
    const targets = labels.map((label) => ({ label, at: this.cell.at }))
    this.placed.push({ instruction, text: this.cell.text, line: this.cell.at.line, targets })
  }

  label(name: string): void {
    if (this.labels.has(name)) this.fail(`the label "${name}" is defined twice`)
    this.labels.set(name, this.placed.length)
  }

  temporary(): string {
    return `$${this.fresh++}`
  }

  finish(registers: ReadonlyMap<string, bigint>): Thread {
    const resolve = ({ label, at }: Unresolved): number => {
      const target = this.labels.get(label)
      if (target === undefined) throw new LitmusProblem(at, `the label "${label}" is not defined in this thread`)
      return target
    }
    const instructions = this.placed.map(({ instruction, text, line, targets }): Placed => {
      if (!targets) return { instruction, text, line }
      if (instruction.kind === 'choose')
        return { instruction: { ...instruction, targets: targets.map(resolve) }, text, line }
      if (instruction.kind === 'branch' && targets[1])
        return { instruction: { ...instruction, target: resolve(targets[0]!), until: resolve(targets[1]) }, text, line }
      if (instruction.kind === 'jump' || instruction.kind === 'branch')
        return { instruction: { ...instruction, target: resolve(targets[0]!) }, text, line }
      return { instruction, text, line }
    })
    return { instructions, registers }
  }
}

export type Translate = (emitter: Emitter, mnemonic: string, operands: readonly string[]) => void

/** Translates the instructions of one kind; false if the mnemonic is of another kind. */
export type Rule = (emitter: Emitter, mnemonic: string, operands: readonly string[]) => boolean

/** A dialect as a list of rules, of which the first that knows an instruction translates it. */
export const byRules =
  (dialect: string, normalise: (mnemonic: string) => string, rules: readonly Rule[]): Translate =>
  (emitter, mnemonic, operands) => {
    if (!rules.some((rule) => rule(emitter, normalise(mnemonic), operands)))
      emitter.fail(`the instruction ${mnemonic} is not supported for ${dialect}`)
  }

export const lowerCase = (mnemonic: string): string => mnemonic.toLowerCase()
export const upperCase = (mnemonic: string): string => mnemonic.toUpperCase()

/** A number as assemblers write it, in decimal or hexadecimal; undefined for anything else. */
export const numberIn = (text: string | undefined): bigint | undefined => {
  const match = /^(-?)(0x[0-9a-f]+|\d+)$/i.exec(text ?? '')
  return match ? (match[1] ? -BigInt(match[2]!) : BigInt(match[2]!)) : undefined
}

/** `LDR W0,[X1,#4]` to its mnemonic and operands; commas inside brackets do not separate. */
const splitInstruction = (text: string): readonly [string, readonly string[]] => {
  const match = /^(\S+)\s*(.*)$/s.exec(text.trim())!
  const operands: string[] = []
  let depth = 0
  let current = ''
  for (const character of match[2]!) {
    if (character === '[' || character === '(') depth++
    if (character === ']' || character === ')') depth--
    if (character === ',' && depth === 0) {
      operands.push(current.trim())
      current = ''
    } else current += character
  }
  if (current.trim() !== '') operands.push(current.trim())
  return [match[1]!, operands]
}

export const translateThread = (
  cells: readonly Cell[],
  memory: Memory,
  registers: ReadonlyMap<string, bigint>,
  translate: Translate,
): Thread => {
  const emitter = new Emitter(memory)
  for (const cell of cells) {
    emitter.at(cell)
    let { text } = cell
    for (let label = /^([A-Za-z_.][\w.]*):\s*/.exec(text); label; label = /^([A-Za-z_.][\w.]*):\s*/.exec(text)) {
      emitter.label(label[1]!)
      text = text.slice(label[0].length)
    }
    if (text === '') continue
    const [mnemonic, operands] = splitInstruction(text)
    translate(emitter, mnemonic, operands)
  }
  return emitter.finish(registers)
}

/** `success` and `failure` emitted one after the other, of which an execution takes either. */
export const emitEither = (emitter: Emitter, name: string, first: () => void, second: () => void): void => {
  const [one, two, end] = [`${name}1`, `${name}2`, `${name}3`]
  emitter.emitTo({ kind: 'choose', targets: [] }, one, two)
  emitter.label(one)
  first()
  emitter.emitTo({ kind: 'jump', target: 0 }, end)
  emitter.label(two)
  second()
  emitter.label(end)
}
