// The named memory of a test. Objects get addresses far apart when they are first mentioned: in the initial state, as
// a parameter of a thread, in an instruction or in the condition.
import type { MemoryObject } from './test.js'

const FIRST_ADDRESS = 0x100000n
const DISTANCE = 0x100000n

interface Declared {
  readonly name: string
  readonly address: bigint
  size?: number
  elementSize: number
  readonly initial: Map<number, bigint>
}

export class Memory {
  private readonly objects = new Map<string, Declared>()
  /** Bytes of what no type is given for: an int, or a cell of C. */
  private readonly standardSize: number

  constructor(standardSize: number) {
    this.standardSize = standardSize
  }

  has(name: string): boolean {
    return this.objects.has(name)
  }

  private object(name: string): Declared {
    const before = this.objects.get(name)
    if (before) return before
    const address = FIRST_ADDRESS + DISTANCE * BigInt(this.objects.size)
    const made: Declared = { name, address, elementSize: this.standardSize, initial: new Map() }
    this.objects.set(name, made)
    return made
  }

  addressOf(name: string): bigint {
    return this.object(name).address
  }

  elementSizeOf(name: string): number {
    return this.object(name).elementSize
  }

  declare(name: string, elementSize: number, count: number): void {
    const object = this.object(name)
    object.elementSize = elementSize
    object.size = elementSize * count
  }

  initialise(name: string, index: number, value: bigint): void {
    const object = this.object(name)
    object.initial.set(index * object.elementSize, BigInt.asUintN(64, value))
  }

  all(): readonly MemoryObject[] {
    return [...this.objects.values()]
  }
}
