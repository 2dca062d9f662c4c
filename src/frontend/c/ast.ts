// The typed syntax tree of C: what the checker (check/) makes of a parse tree, and all that lowering (lower/) sees.
// Every name is resolved, every expression has its C type, every implicit conversion is a `cast`, sizeof and
// constant expressions are folded, array and function designators have decayed where C says so.
import type { Position, Value } from '../../xcfa/index.js'

/** Set in the memory order of a load, store or fence that stands for an instruction of the machine. */
export const MACHINE_ORDER_BIT = 1 << 8

// ---- types

export type CType =
  | { readonly kind: 'void' }
  /** _Bool: width 1, unsigned. char is signed. An enumeration is unsigned int, or int if it has negative values (gcc). */
  | {
      readonly kind: 'int'
      readonly width: number
      readonly signed: boolean
      readonly name: string
      /** Of an enumeration: where it is defined. It is compatible with its integer type, not with other enumerations. */
      readonly enumeration?: Position
    }
  | { readonly kind: 'float'; readonly width: 32 | 64 | 80; readonly name: string }
  | { readonly kind: 'pointer'; readonly to: CType }
  /** length undefined: incomplete, or a flexible array member. A variable length array has `variable`. */
  | { readonly kind: 'array'; readonly of: CType; readonly length: number | undefined; readonly variable?: CExpr }
  | CRecord
  | {
      readonly kind: 'function'
      readonly result: CType
      readonly parameters: readonly CType[]
      readonly variadic: boolean
      /** Declared as `int f()`: a call may pass anything, with default promotions. */
      readonly unprototyped?: true
    }
  /** A qualified type keeps its qualifiers here; `unqualified` strips them. */
  | {
      readonly kind: 'qualified'
      readonly type: CType
      readonly atomic: boolean
      readonly volatile: boolean
      readonly constant: boolean
    }

/** A struct or union. `complete` is false until its members are known; identity is by object. */
export interface CRecord {
  readonly kind: 'record'
  readonly union: boolean
  readonly tag: string
  /** Of a record without a tag: the first name that a typedef gave it. */
  typedefName?: string
  complete: boolean
  fields: readonly CField[]
  size: number
  align: number
}

export interface CField {
  /** '' for an anonymous struct or union member. */
  readonly name: string
  readonly type: CType
  /** In bytes from the start of the record (for a bit-field: of its storage unit). */
  readonly offset: number
  readonly bits?: CBits
}

/** Where a bit-field is: from the byte at the field's offset, `size` bytes are read and written for it. */
export interface CBits {
  /** From the first bit of that byte. */
  readonly offset: number
  readonly width: number
  readonly size: number
  /** All bit-fields of the memory location (C11 3.14) have the same bytes, which are read and written at once. */
  readonly whole: boolean
}

// ---- symbols

export interface CVariable {
  readonly kind: 'variable'
  readonly name: string
  type: CType
  readonly position: Position
  /** static: one object for the program (globals and static locals); thread: _Thread_local; auto: a local. */
  readonly storage: 'static' | 'thread' | 'auto'
  /** The address is taken, or it is not a scalar: it must live in memory. */
  addressTaken: boolean
  /** _Alignas or aligned(n), where that is more than the type asks for. */
  align?: number
  /** Static and thread storage only. An extern without a definition is zero, and noted in `CProgram.undefinedExterns`. */
  initializer?: CInitializer
  /** GNU: the flexible array member that an initialiser gave elements. They lie where, or beyond where, its type ends. */
  tail?: { readonly offset: number; readonly type: CType }
}

export interface CFunction {
  readonly kind: 'function'
  readonly name: string
  type: CType & { readonly kind: 'function' }
  readonly position: Position
  parameters: readonly CVariable[]
  /** Undefined: declared only; a library model or an error with its name. */
  body: CStatement | undefined
  /** Used other than as a callee. */
  addressTaken: boolean
  /** It has a va_start: callers pass the address of the arguments beyond the prototype behind the others. */
  takesArguments?: boolean
  /** Labels whose address is taken. */
  addressedLabels?: Set<string>
  /** Labels that nested functions jump to, with the numbers by which the program's jump is known. */
  labelsFromInside?: Map<string, number>
}

/** Flattened: which scalar, at which byte offset, gets which value; what is not named is zero. */
export type CInitializer = readonly {
  readonly offset: number
  readonly type: CType
  readonly bits?: CField['bits']
  readonly value: CExpr
}[]

// ---- expressions

interface Typed {
  readonly type: CType
  readonly position: Position
}

/** Lvalues are `variable`, `deref`, `member`, `string`, `compound`; a value is read from one only by `load`. */
export type CExpr = Typed &
  /** `overflows`: a signed operation that was folded left its type. */
  (
    | { readonly kind: 'constant'; readonly value: Value; readonly overflows?: true }
    | { readonly kind: 'string'; readonly bytes: readonly number[] }
    | { readonly kind: 'variable'; readonly variable: CVariable }
    | { readonly kind: 'function'; readonly function: CFunction }
    /** GNU &&label, of the function around. */
    | { readonly kind: 'label'; readonly name: string; readonly function: CFunction }
    /** *pointer; a[i] is deref(add(a, i)). */
    | { readonly kind: 'deref'; readonly pointer: CExpr }
    | { readonly kind: 'member'; readonly record: CExpr; readonly field: CField }
    /** The value in an lvalue (lvalue conversion; of a record: the whole record, for assignment and passing). */
    | { readonly kind: 'load'; readonly lvalue: CExpr }
    /** &lvalue, also array decay (type: pointer to element) and function decay. */
    | { readonly kind: 'address'; readonly lvalue: CExpr }
    /** Conversion by value; to void discards. */
    | { readonly kind: 'cast'; readonly operand: CExpr }
    | { readonly kind: 'unary'; readonly op: '-' | '~'; readonly operand: CExpr }
    /** Logical not: int 0 or 1. */
    | { readonly kind: 'not'; readonly operand: CExpr }
    /** Operands are converted to a common type already; shifts: only promoted. */
    | {
        readonly kind: 'binary'
        readonly op: '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '&' | '|' | '^'
        readonly left: CExpr
        readonly right: CExpr
      }
    /** pointer + index (index of the pointer's width, signed; in elements of `elementSize` bytes). */
    | { readonly kind: 'pointerAdd'; readonly pointer: CExpr; readonly index: CExpr; readonly elementSize: number }
    | { readonly kind: 'pointerDifference'; readonly left: CExpr; readonly right: CExpr; readonly elementSize: number }
    | {
        readonly kind: 'compare'
        readonly op: '==' | '!=' | '<' | '<=' | '>' | '>='
        readonly left: CExpr
        readonly right: CExpr
      }
    | { readonly kind: 'logical'; readonly op: '&&' | '||'; readonly left: CExpr; readonly right: CExpr }
    | { readonly kind: 'conditional'; readonly condition: CExpr; readonly then: CExpr; readonly else: CExpr }
    | { readonly kind: 'comma'; readonly left: CExpr; readonly right: CExpr }
    /** The value is that of the target after the assignment. `value` is converted to the target's type. */
    | { readonly kind: 'assign'; readonly target: CExpr; readonly value: CExpr }
    /** target op= operand: load, convert to `computeAs`, operate, convert back, store. Pointers: elementSize set. */
    | {
        readonly kind: 'compoundAssign'
        readonly op: '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '&' | '|' | '^'
        readonly target: CExpr
        readonly operand: CExpr
        readonly computeAs: CType
        readonly elementSize?: number
      }
    | {
        readonly kind: 'increment'
        readonly by: 1 | -1
        readonly prefix: boolean
        readonly target: CExpr
        readonly elementSize?: number
      }
    /** Arguments are converted (default promotions beyond the prototype). */
    | { readonly kind: 'call'; readonly callee: CExpr; readonly args: readonly CExpr[] }
    /** __builtin_*, __atomic_*, __sync_*, stdatomic generics, va_*: by name, with unconverted argument types. */
    | { readonly kind: 'builtin'; readonly name: string; readonly args: readonly CExpr[] }
    /** A compound literal: an object that is initialised where it stands. */
    | { readonly kind: 'compound'; readonly variable: CVariable; readonly initializer: CInitializer }
    /** GNU ({ ... }). */
    | { readonly kind: 'statements'; readonly body: readonly CStatement[]; readonly value: CExpr | undefined }
  )

// ---- statements

/** `isCleanup`: executed when the block that it stands in is left (GNU: attribute cleanup), not where it stands. */
export type CStatement = {
  readonly position: Position /** As written, on one line, at most 60 characters. */
  readonly text: string
} & (
  | { readonly kind: 'expression'; readonly expression: CExpr; readonly isCleanup?: true }
  /** An auto variable comes to life: initialised, or arbitrary. */
  | { readonly kind: 'declare'; readonly variable: CVariable; readonly initializer?: CInitializer }
  | { readonly kind: 'block'; readonly body: readonly CStatement[] }
  | { readonly kind: 'if'; readonly condition: CExpr; readonly then: CStatement; readonly else: CStatement | undefined }
  | { readonly kind: 'while'; readonly condition: CExpr; readonly body: CStatement }
  | { readonly kind: 'do'; readonly body: CStatement; readonly condition: CExpr }
  | {
      readonly kind: 'for'
      readonly init: readonly CStatement[]
      readonly condition: CExpr | undefined
      readonly step: CExpr | undefined
      readonly body: CStatement
    }
  | { readonly kind: 'switch'; readonly value: CExpr; readonly body: CStatement }
  | { readonly kind: 'case'; readonly low: Value; readonly high: Value; readonly body: CStatement }
  | { readonly kind: 'default'; readonly body: CStatement }
  | { readonly kind: 'label'; readonly name: string; readonly body: CStatement }
  /** `out`: the function around, whose label it is. */
  | { readonly kind: 'goto'; readonly label: string; readonly out?: CFunction }
  /** GNU goto *target: to one of the labels whose address the function takes. */
  | { readonly kind: 'computedGoto'; readonly target: CExpr }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'return'; readonly value: CExpr | undefined }
  | { readonly kind: 'empty' }
  /** Supported nowhere (inline assembly with operands, computed goto): lowering says so if it is reached. */
  | { readonly kind: 'unsupported'; readonly what: string }
)

// ---- the program

/** All files linked, with the library models that they use. */
export interface CProgram {
  readonly functions: ReadonlyMap<string, CFunction>
  readonly variables: readonly CVariable[]
  /** Declared extern, defined nowhere: they start as zero, and the ledger says so. */
  readonly undefinedExterns: readonly CVariable[]
  /** In a program with jumps out of nested functions: the number of the label that a thread is on its way to, or 0. */
  readonly jump?: CVariable
}
