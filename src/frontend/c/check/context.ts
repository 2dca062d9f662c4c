// What checking knows at a point of the program: the file's tree, the scopes, the function around it, and what all
// files share (linkage, the library, warnings).
import { type Position, Unsupported, type Value } from '../../../xcfa/index.js'
import type { CFunction, CRecord, CStatement, CType, CVariable } from '../ast.js'
import { type Diagnostic, InputError } from '../diagnostic.js'
import type { SyntaxNode, SyntaxTree } from '../parse/index.js'
import type { IntCType, Target } from './types.js'

interface TypedefSymbol {
  readonly kind: 'typedef'
  readonly type: CType
}

interface EnumeratorSymbol {
  readonly kind: 'enumerator'
  readonly value: Value
  readonly type: IntCType
}

export type CSymbol = CVariable | CFunction | TypedefSymbol | EnumeratorSymbol

export type Tag = { readonly kind: 'record'; readonly record: CRecord } | { readonly kind: 'enum'; type: IntCType }

export interface Scope {
  readonly parent: Scope | undefined
  readonly names: Map<string, CSymbol>
  readonly tags: Map<string, Tag>
  /** GNU `__label__ name;`: labels of this block only, and the names that they have in the function. */
  labels?: Map<string, string>
  /** The function whose outermost scope this is. */
  function?: FunctionContext
}

export const newScope = (parent: Scope | undefined): Scope => ({ parent, names: new Map(), tags: new Map() })

/** A function while its body is checked. */
export interface FunctionContext {
  readonly function: CFunction
  readonly labels: Set<string>
  readonly uses: { name: string; node: SyntaxNode }[]
  /** GNU nested functions: the function around, and the cells in which this one leaves addresses of its variables. */
  readonly outer: FunctionContext | undefined
  readonly cells: Map<CVariable, CVariable>
  /** Why a statement was not checked to its end. */
  skipped: Unsupported | undefined
  /** How many loops, switches are around: where break and continue may stand. */
  loops: number
  readonly switches: SwitchContext[]
  /** Statements that come before the one being checked: hidden variables. */
  pending: CStatement[]
}

export interface SwitchContext {
  readonly type: IntCType
  readonly seen: { low: Value; high: Value }[]
  hasDefault: boolean
}

/** What the program's library gives; see library/index.ts. */
export interface Library {
  readonly model: (name: string) => { readonly file: string; readonly text: string } | undefined
  readonly ownedTypes: ReadonlySet<string>
  readonly ownedTypesText: string
  readonly initialise: (
    typeName: string,
    constants: Constants,
  ) => readonly { readonly field: string; readonly value: bigint }[] | undefined
  /** Names that mean an intrinsic, and those of them that win over a definition of the program. */
  readonly aliases: Readonly<Record<string, string>>
  readonly overriding: ReadonlySet<string>
  /** C type names of `__heddle_nondet_NAME`. */
  readonly nondetTypes: Readonly<Record<string, string>>
}

export type Constants = readonly (bigint | Constants)[]

/** What all files share. */
/** Attributes constructor and destructor. Those with a lower priority run first. */
export interface ImplicitCall {
  readonly kind: string
  readonly priority: number
  readonly function: CFunction
}

export interface ProgramContext {
  readonly target: Target
  readonly library: Library
  readonly parse: (file: string, text: string) => SyntaxTree
  /** Lines of the files as written, by name. */
  readonly sources: ReadonlyMap<string, readonly string[]>
  /** Functions and variables with external linkage. */
  readonly externals: Map<string, CVariable | CFunction>
  /** Symbols that only the library's own text has declared so far: the program's declaration replaces theirs. */
  readonly libraryOnly: Set<CVariable | CFunction>
  /** All variables of static and thread storage, in order of appearance. */
  readonly variables: Set<CVariable>
  readonly functions: Set<CFunction>
  readonly defined: Set<CVariable | CFunction>
  /** What each function refers to; `undefined` stands for the initialisers of static variables. */
  /** Constructors, which run before the entry, and destructors. */
  readonly implicit: ImplicitCall[]
  readonly references: Map<CFunction | undefined, Set<CFunction | CVariable>>
  /** Library functions that the intrinsics in a function need. */
  readonly needed: Map<CFunction | undefined, Set<string>>
  /** Variables that reachable code mentions. */
  readonly reached: Set<CVariable>
  /** How many files of the program define a function of this name. */
  readonly definitions: Map<string, number>
  readonly functionNames: Set<string>
  readonly ownedTypes: Map<string, CType>
  readonly ownedRecords: Map<CRecord, string>
  /** Calls whose result nobody uses. */
  readonly discarded: WeakSet<SyntaxNode>
  /** Names of such types that the program has its own functions for: there they are what it says. */
  readonly disownedTypes: Set<string>
  /** Variables whose initialiser is not modelled. */
  readonly unmodelled: Map<CVariable, Unsupported>
  /** Functions whose variables nested functions use. */
  readonly withNested: Set<CFunction>
  /** See `CProgram.jump`. */
  jump: CVariable | undefined
  /** How many labels have a number there. */
  numberedLabels: number
  /** What is wrong in the bodies of functions: errors if execution can reach them. */
  readonly broken: Map<CFunction | CVariable | undefined, readonly Diagnostic[]>
  readonly warnings: Diagnostic[]
  readonly errors: Diagnostic[]
  /** Checks the library's file that defines this name; what it declares is then among the externals. */
  readonly loadModel: (name: string) => CVariable | CFunction | undefined
}

export interface Context {
  readonly program: ProgramContext
  readonly target: Target
  readonly tree: SyntaxTree
  readonly fileScope: Scope
  /** Of the library: its definitions give way to the program's. */
  readonly isLibrary: boolean
  scope: Scope
  function: FunctionContext | undefined
  /** In a parameter list: sizes of its arrays, to be computed where the function begins. */
  parameterSizes: CStatement[] | undefined
  /** Above 0 in sizeof, typeof and the like: nothing there is executed. */
  unevaluated: number
  depth: number
}

export const textOf = (c: Context, node: SyntaxNode): string => c.tree.text.slice(node.start, node.end)
export const positionOf = (c: Context, node: SyntaxNode): Position => c.tree.position(node.start)

export const fail = (c: Context, node: SyntaxNode, text: string): never => failAt(positionOf(c, node), text)

export const failAt = (position: Position, text: string): never => {
  throw errorAt(position, text)
}

/** To be thrown where the compiler must see that nothing follows. */
export const failure = (c: Context, node: SyntaxNode, text: string): InputError => errorAt(positionOf(c, node), text)

const errorAt = (position: Position, text: string): InputError =>
  new InputError([{ severity: 'error', text, position }])

export const unsupported = (what: string, position: Position): never => {
  throw new Unsupported(what, position)
}

export const warn = (c: Context, position: Position, text: string): void => {
  if (!c.isLibrary) c.program.warnings.push({ severity: 'warning', text, position })
}

export const lookup = (c: Context, name: string): CSymbol | undefined => {
  for (let scope: Scope | undefined = c.scope; scope; scope = scope.parent) {
    const symbol = scope.names.get(name)
    if (symbol) return symbol
  }
  return undefined
}

/** The name in the function of a label that is visible here. */
export const labelNamed = (c: Context, name: string): string => {
  for (let scope: Scope | undefined = c.scope; scope; scope = scope.parent) {
    const own = scope.labels?.get(name)
    if (own !== undefined) return own
  }
  return name
}

/** The function whose label it is, if that is one around this one. */
export const labelOwner = (c: Context, name: string): FunctionContext | undefined => {
  let scope: Scope | undefined = c.scope
  while (scope && !scope.labels?.has(name)) scope = scope.parent
  while (scope && !scope.function) scope = scope.parent
  return scope?.function === c.function ? undefined : scope?.function
}

export const lookupTag = (c: Context, name: string): Tag | undefined => {
  for (let scope: Scope | undefined = c.scope; scope; scope = scope.parent) {
    const tag = scope.tags.get(name)
    if (tag) return tag
  }
  return undefined
}

export const inScope = <T>(c: Context, work: () => T): T => {
  const outer = c.scope
  c.scope = newScope(outer)
  try {
    return work()
  } finally {
    c.scope = outer
  }
}

export const unevaluated = <T>(c: Context, work: () => T): T => {
  c.unevaluated++
  try {
    return work()
  } finally {
    c.unevaluated--
  }
}

/** The known name nearest to a misspelt one, if it is near. */
export const suggestion = (c: Context, name: string, fits: (symbol: CSymbol) => boolean): string => {
  let best: string | undefined
  // Names of one or two letters are near to everything.
  let bestDistance = name.length < 3 ? 0 : Math.floor(name.length / 3) + 1
  for (let scope: Scope | undefined = c.scope; scope; scope = scope.parent)
    for (const [candidate, symbol] of scope.names) {
      if (candidate.startsWith('__') !== name.startsWith('__') || !fits(symbol)) continue
      const distance = editDistance(name, candidate, bestDistance)
      if (distance < bestDistance) {
        best = candidate
        bestDistance = distance
      }
    }
  return best ? `; did you mean '${best}'?` : ''
}

const editDistance = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
