// The program model: extended control flow automata (XCFA), after aapor.txt section 2.2. A program is a set of thread
// templates over shared variables and memory regions; any number of instances of a template may be started.
//
// One shape serves every stage. The front end gives a `Unit` of procedures with calls; inlining (passes/inline/inline.ts)
// makes it a `Program` whose procedures are thread templates without calls. At first all memory is one region of
// bytes and each C access is an edge of its own; resolving pointers splits memory into regions and variables
// (passes/memory/resolve.ts), and large-block encoding joins edges (passes/large-block.ts).
import type { Expr, Value } from './expr.js'
import type { Type } from './types.js'
import type { Unsupported } from './unsupported.js'

export interface Position {
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

/** Headers and models of the library are files in angle brackets; no file of a program is called so (preprocess/source.ts). */
export const isLibrary = ({ file }: Position): boolean => file.startsWith('<') && file.endsWith('>')

/**
 * What a variable or object is that the program itself does not declare: the number of threads so far, what a thread
 * returned, the blocks that realloc may have to find, or something else of the library. Nobody goes by names.
 */
export type Role = 'thread-count' | 'thread-result' | 'reallocated-blocks' | 'argument' | 'library'

/**
 * A scalar. A global has one copy, with `initial` as first value (`'any'`: arbitrary). A local has a copy for each
 * instance of its procedure; it starts as 0, a parameter as what `start` or `call` passes; an uninitialised C local
 * is havocked where it is declared.
 */
export interface Variable {
  readonly id: number
  readonly name: string
  readonly type: Type
  readonly scope: 'global' | 'local'
  readonly initial: Value | 'any'
  /** The C variable it stands for, as the source spells it; absent for temporaries. */
  readonly source?: string
  readonly position?: Position
  /** Declared _Atomic: its accesses never race with each other. */
  readonly atomic?: boolean
  readonly role?: Role
}

/**
 * A C object in memory. Addresses are numbers below 2^31, assigned at compile time: instance k of an object occupies
 * [base + k * stride, base + k * stride + size). There is one instance (`static`: k = 0), one for each thread
 * (`thread`: k = thread number; for _Thread_local, and for locals whose address is taken), or one for each execution
 * of an `allocate` label (`heap`: k counts the executions; size is then the most that an instance may have).
 * Objects never touch: at least 16 bytes lie between two of them.
 */
export interface MemoryObject {
  readonly id: number
  readonly name: string
  readonly storage: 'static' | 'thread' | 'heap'
  readonly base: number
  readonly stride: number
  readonly size: number
  /** The scalars it consists of, as declared: for printing values, and as a hint to split memory. Heap: [] */
  readonly cells: readonly Cell[]
  /** First contents by offset; bytes without an entry are zero, or arbitrary when `contents` is `any`. */
  readonly initial: readonly { readonly offset: number; readonly type: Type; readonly value: Value }[]
  readonly contents: 'zero' | 'any'
  readonly position?: Position
  /** Storage `thread` and `heap`: for how many instances addresses are reserved. More of them is out of bounds. */
  readonly instances?: number
  /**
   * Storage `heap`, but nobody has to free it: an array of variable length, which is gone when its declaration is
   * executed again (`block`), or what alloca gave, which lives until the function returns (`function`).
   */
  readonly automatic?: 'block' | 'function'
  /** Its addresses are multiples of this, where it asks for more than all objects have. */
  readonly align?: number
  /** A local variable of the entry's outermost block: it lives until the entry returns or calls pthread_exit. */
  readonly permanent?: true
  /** A string literal: to write there is undefined behaviour, and machines stop. */
  readonly readOnly?: true
  readonly role?: Role
  /** For a function: its procedure. A function has an address and no readable byte. */
  readonly procedure?: string
  /** Storage `heap`: what the program takes it for, an array of these. Only to print: nothing may rely on it. */
  readonly element?: Element
}

/** A type as names: `name` is the tag of a structure, or nothing. */
export interface Element {
  readonly name: string
  readonly size: number
  readonly cells: readonly Cell[]
}

/** `count` scalars of `type`, at offset, offset + step, ... `path` names the first: `.next`, `[0].x`. */
export interface Cell {
  readonly offset: number
  readonly type: Type
  readonly step: number
  readonly count: number
  readonly path: string
  /** Bit-fields and members of unions share bytes with others. */
  readonly overlaps?: boolean
  readonly atomic?: boolean
}

/**
 * A part of memory. `element` is the type of its cells, each access having their byte size and hitting exactly one;
 * or `bytes`: accesses of any size, little endian. Slots say which addresses belong to it. In a program as it is
 * lowered, one region holds all objects as bytes. Regions are disjoint. A region of scope `local` is private to each
 * thread instance (no other thread ever holds an address in it).
 */
export interface Region {
  readonly id: number
  readonly name: string
  readonly scope: 'global' | 'local'
  readonly element: Type | 'bytes'
  readonly slots: readonly Slot[]
}

/** Addresses offset + i * step (0 <= i < count) of every instance of `object`. */
export interface Slot {
  readonly object: MemoryObject
  readonly offset: number
  readonly step: number
  readonly count: number
}

/**
 * What an edge does, label after label, as one atomic step. A failed `assume` or an unfinished `join` means that the
 * edge is not enabled. An access to an address outside its region's live instances is undefined behaviour: it stops
 * the thread (and discharging that is the business of the ledger and of valid-memsafety).
 */
export type Label =
  | { readonly kind: 'assign'; readonly target: Variable; readonly value: Expr }
  | { readonly kind: 'assume'; readonly condition: Expr }
  /** Any value of the variable's type, or of the range (both ends included, as values of its type). */
  | { readonly kind: 'havoc'; readonly target: Variable; readonly range?: { readonly low: Expr; readonly high: Expr } }
  | Load
  | Store
  /** A fresh instance of `object` of `size` bytes (all zero or arbitrary, by `object.contents`); target: its address. */
  | { readonly kind: 'allocate'; readonly target: Variable; readonly object: MemoryObject; readonly size: Expr }
  /** Ends the life of the heap instance at this address; NULL does nothing; anything else is undefined. */
  | { readonly kind: 'free'; readonly address: Expr }
  /** A new instance of a procedure as a thread. target: its number, counting from 1 in order of creation (main is 0). */
  | { readonly kind: 'start'; readonly target: Variable; readonly procedure: string; readonly args: readonly Expr[] }
  /** Waits until the thread with this number is at its final location. */
  | { readonly kind: 'join'; readonly thread: Expr }
  /** Only in units. A direct call names the procedure; a call through a pointer has the callee's address. */
  | Call
  /** Orders memory under weak memory models; otherwise nothing. `release`: stores before it and those after it only. */
  | { readonly kind: 'fence'; readonly order?: 'release' | 'acquire'; readonly c11?: MemoryOrder }
  /** Primitive of a cooperative scheduler (engine esst). */
  | {
      readonly kind: 'primitive'
      readonly name: string
      readonly args: readonly Expr[]
      readonly target?: Variable
      /** It stands for what is not modelled; `lacks`: a function without a definition. */
      readonly unsupported?: { readonly what: string; readonly lacks?: string }
    }

export interface Load {
  readonly kind: 'load'
  readonly target: Variable
  readonly region: Region
  readonly address: Expr
  readonly type: Type
  readonly atomic?: boolean
}

export interface Store {
  readonly kind: 'store'
  readonly region: Region
  readonly address: Expr
  readonly value: Expr
  readonly type: Type
  readonly atomic?: boolean
}

export interface Call {
  readonly kind: 'call'
  readonly callee: string | Expr
  /** For a call through a pointer: the procedures whose address is taken and whose type fits. */
  readonly candidates: readonly string[]
  readonly args: readonly Expr[]
  readonly target?: Variable
  /** What the pointer that it returns is taken for. */
  readonly element?: Element
}

/** What the edge is as synchronisation, for movers, messages and races. The labels already say what it does. */
export interface Sync {
  readonly kind:
    | 'lock'
    | 'trylock'
    | 'unlock'
    | 'read-lock'
    | 'read-unlock'
    | 'wait'
    | 'wake'
    | 'signal'
    | 'broadcast'
    | 'barrier'
    | 'post'
    | 'acquire'
    | 'start'
    | 'join'
    | 'atomic'
    | 'once'
  /** Address of the lock, condition variable or semaphore, as an expression before the edge. */
  readonly object?: Expr
  /** The object is initialised, or destroyed: then its first word says that nobody holds it or waits for it. */
  readonly life?: 'begins' | 'ends' | 'ends if free' | 'ends with any value'
  /** A wake-up that nobody caused: such steps alone do not keep a program from being deadlocked. */
  readonly spurious?: boolean
  /** A store that is weaker than sequentially consistent: store buffers keep it like an ordinary one. */
  readonly order?: 'relaxed' | 'release'
  /** The order of an atomic operation as C11 has it; absent: seq_cst. `c11Failure`: if it only reads (compare-exchange). */
  readonly c11?: MemoryOrder
  readonly c11Failure?: MemoryOrder
}

/** `unknown`: computed when the program runs. */
export type MemoryOrder = 'relaxed' | 'acquire' | 'release' | 'acq_rel' | 'seq_cst' | 'unknown'

export interface Location {
  readonly id: number
  /**
   * final: the thread has ended, joins on it succeed. error: the property `violation` is violated here. halt: this
   * thread goes no further (`reason`): exit, failed assumption, undefined behaviour. thread-exit: only in units, where
   * pthread_exit leads; inlining links it to the end of the thread.
   */
  readonly kind: 'plain' | 'final' | 'error' | 'halt' | 'thread-exit'
  /** The thread is inside an atomic block: no other thread takes a step while it is here. */
  readonly atomic: boolean
  readonly position: Position
  readonly violation?: Violation
  readonly reason?: Halt
}

export interface Violation {
  /** limit: the execution needs more than a model provides for, so that nothing is known of what follows. */
  readonly kind: 'assert' | 'reach-error' | 'overflow' | 'deref' | 'free' | 'memtrack' | 'limit'
  /** The asserted expression, or what happened, for people. */
  readonly text: string
}

export interface Halt {
  /** exit: the program ends. assume: an assumption failed. undefined: division by zero, over-wide shift, ... */
  readonly kind: 'exit' | 'assume' | 'undefined'
  readonly text: string
  /** An access of memory that is not there. */
  readonly isAccess?: boolean
  /** Undefined behaviour that valid-memsafety forbids. */
  readonly violates?: 'deref' | 'free'
  /** Undefined behaviour at which machines stop, too: a division by zero. After other kinds real programs go on. */
  readonly traps?: true
  /** The program ends by a return from its entry, whose variables are gone then. */
  readonly returns?: true
}

export interface Edge {
  readonly id: number
  readonly source: Location
  readonly target: Location
  readonly labels: readonly Label[]
  readonly position: Position
  /** The C text that this edge executes, short enough for a column of a trace. */
  readonly text: string
  readonly sync?: Sync
  /** The edges of the inlined program, in order, that this one stands for; absent in that program itself. */
  readonly origins?: readonly Edge[]
  /** Leads backwards in its automaton: every cycle of edges has one. Set by passes/back-edges.ts. */
  readonly back?: boolean
}

export interface Procedure {
  readonly name: string
  readonly parameters: readonly Variable[]
  /** Parameters and temporaries included. */
  readonly locals: readonly Variable[]
  /** The number of the thread that executes it; set when the thread starts. */
  readonly self: Variable
  /** Receives the return value; absent for void. */
  readonly result?: Variable
  readonly locations: readonly Location[]
  readonly initial: Location
  readonly final: Location
  readonly edges: readonly Edge[]
  /** Objects of storage `thread` that live in its frame; inlining copies them for each call site. */
  readonly objects: readonly MemoryObject[]
  readonly position: Position
}

export type DataModel = 'ilp32' | 'lp64'

/** What the front end gives: procedures that call each other. */
export interface Unit {
  readonly dataModel: DataModel
  readonly procedures: ReadonlyMap<string, Procedure>
  readonly entry: string
  readonly globals: readonly Variable[]
  readonly objects: readonly MemoryObject[]
  /** The one region of bytes that holds all objects, those of procedures included. */
  readonly memory: Region
  /** Variables that stand for the address of the thread's own instance of a frame object; inlining replaces them. */
  readonly frames?: ReadonlyMap<Variable, MemoryObject>
  /** Procedures that could not be lowered, and why: inlining throws it where one is reached. */
  readonly failures?: ReadonlyMap<string, Unsupported>
  /** Bytes between two objects, if more than usual. */
  readonly gap?: number
  /** What a verdict has to mention: weak memory orders, externs without a definition. */
  readonly notes?: readonly string[]
}

/** What engines see: thread templates without calls, reachable from main. */
export interface Program {
  readonly dataModel: DataModel
  readonly main: Procedure
  /** All templates, main included, by name. */
  readonly templates: ReadonlyMap<string, Procedure>
  readonly globals: readonly Variable[]
  readonly regions: readonly Region[]
  readonly objects: readonly MemoryObject[]
}
