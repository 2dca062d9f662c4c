// A litmus test as data: threads of few kinds of instructions over registers and addresses, initial values, and the
// condition on final states. Every dialect is translated to it; what an instruction orders is in its events' tags.

export interface Position {
  readonly line: number
  readonly column: number
}

/** Expected: what is not understood, and where. */
export interface LitmusError {
  readonly at: Position
  readonly message: string
}

/** Thrown inside the front end only, and turned into a value at its border. */
export class LitmusProblem extends Error {
  readonly error: LitmusError
  constructor(at: Position, message: string) {
    super(message)
    this.error = { at, message }
  }
}

export type Dialect = 'C' | 'LKMM' | 'X86' | 'AArch64' | 'PPC' | 'RISCV'

export type Operator =
  | ('+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<<' | '>>' | '>>>')
  | ('==' | '!=' | '<' | '<=' | '>' | '>=' | '<u' | '<=u' | '>u' | '>=u')
  /** Sign and zero extension of the operand's low bits, as many as `width` says. */
  | ('sext' | 'zext')

/** Values are 64 bits wide; an operation of width 32 works on the low halves and clears the upper one. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: bigint }
  | { readonly kind: 'register'; readonly name: string }
  | {
      readonly kind: 'operation'
      readonly operator: Operator
      readonly operands: readonly Expression[]
      readonly width: number
    }

export type Instruction =
  /**
   * `fromStore`: the value also depends on the last store (the status of a RISC-V store-conditional).
   * `picks`: what decided that it is this value and not another one (a conditional select): a pick dependency.
   */
  | {
      readonly kind: 'assign'
      readonly register: string
      readonly value: Expression
      readonly fromStore?: boolean
      readonly picks?: Expression
    }
  /** `pairs`: a later store may form a read-modify-write with it. */
  | {
      readonly kind: 'load'
      readonly register: string
      readonly address: Expression
      readonly size: number
      readonly signed?: boolean
      readonly tags: readonly string[]
      readonly pairs?: boolean
    }
  /**
   * `rmw`: the second half of a read-modify-write, of one instruction or of a pair of exclusive ones.
   * `picks`: what decided that there is a store at all (a compare-and-swap).
   */
  | {
      readonly kind: 'store'
      readonly address: Expression
      readonly value: Expression
      readonly size: number
      readonly tags: readonly string[]
      readonly rmw?: 'amo' | 'exclusive'
      readonly picks?: Expression
    }
  /** `result`: a register that depends on the fence (the cookie of an SRCU lock); `uses`: one that it depends on. */
  | {
      readonly kind: 'fence'
      readonly tags: readonly string[]
      readonly address?: Expression
      readonly result?: string
      readonly uses?: Expression
    }
  /** Control dependencies reach everything after it, or everything before the instruction `until`. */
  | { readonly kind: 'branch'; readonly condition: Expression; readonly target: number; readonly until?: number }
  | { readonly kind: 'jump'; readonly target: number }
  /** Any of the targets, without a dependency: a store-conditional that succeeds or fails. */
  | { readonly kind: 'choose'; readonly targets: readonly number[] }
  /** The execution goes on only if it holds; no dependency: the comparison inside a compare-and-swap, a free lock. */
  | { readonly kind: 'assume'; readonly condition: Expression }

/** An instruction with the text that it comes from. */
export interface Placed {
  readonly instruction: Instruction
  readonly text: string
  readonly line: number
}

export interface Thread {
  readonly instructions: readonly Placed[]
  readonly registers: ReadonlyMap<string, bigint>
}

/** A named piece of memory. */
export interface MemoryObject {
  readonly name: string
  readonly address: bigint
  /** Bytes; undefined if nothing declares it: then what the accesses reach. */
  readonly size?: number
  readonly elementSize: number
  /** By offset in bytes: a value of elementSize bytes. */
  readonly initial: ReadonlyMap<number, bigint>
}

export type Term =
  | { readonly kind: 'value'; readonly value: bigint }
  | { readonly kind: 'register'; readonly thread: number; readonly name: string }
  | { readonly kind: 'memory'; readonly object: string; readonly index: number }

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Condition[] }
  | { readonly kind: 'not'; readonly operand: Condition }
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly left: Term; readonly right: Term }

export type Quantifier = 'exists' | '~exists' | 'forall'

export interface LitmusTest {
  readonly name: string
  readonly dialect: Dialect
  readonly threads: readonly Thread[]
  readonly objects: readonly MemoryObject[]
  readonly quantifier: Quantifier
  readonly condition: Condition
  readonly filter?: Condition
}

export type ParsedLitmus =
  | { readonly kind: 'test'; readonly test: LitmusTest }
  | { readonly kind: 'wrong'; readonly error: LitmusError }

export const constant = (value: bigint | number): Expression => ({
  kind: 'constant',
  value: BigInt.asUintN(64, BigInt(value)),
})
export const register = (name: string): Expression => ({ kind: 'register', name })
export const operation = (operator: Operator, operands: readonly Expression[], width = 64): Expression => ({
  kind: 'operation',
  operator,
  operands,
  width,
})
