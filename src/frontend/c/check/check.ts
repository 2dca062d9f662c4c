// Checks a whole program: all files, then the library models that they reach, linked into one CProgram.

import type { DataModel } from '../../../xcfa/index.js'
import type { CExpr, CFunction, CProgram, CVariable } from '../ast.js'
import { type Diagnostic, InputError } from '../diagnostic.js'
import { child, field, namedChildren, type SyntaxNode, type SyntaxTree } from '../parse/index.js'
import { ARGUMENTS, askedArguments, giveArguments } from './arguments.js'
import { type Context, fail, type Library, newScope, type ProgramContext, textOf } from './context.js'
import { checkDeclaration } from './declarations/declarations.js'
import { checkFunctionBody, declareDefinition } from './declarations/functions.js'
import { refuseReentered } from './declarations/nested.js'
import { specifiedType } from './declarations/specifiers.js'
import { checkStaticAssert } from './expressions/expressions.js'
import { callImplicitly } from './implicit-calls.js'
import { definesFunction, MissingModel, mentioned, reachableModels, wantedText } from './models.js'
import { isStaticAssert } from './statements.js'
import { arrayOf, isComplete, qualifiersOf, qualify, targetOf, typeName, unqualified, VOID } from './types.js'

export interface CheckOptions {
  readonly dataModel: DataModel
  readonly library: Library
  /** Preprocesses and parses C text of the library; `file` is how positions name it. */
  readonly parse: (file: string, text: string) => SyntaxTree
  /** The files before preprocessing, by the names that positions have: statements are shown as written there. */
  readonly sources?: ReadonlyMap<string, string>
  /** Where execution begins: what it cannot reach needs no model. */
  readonly entry?: string
}

/** A checked program, with what a compiler would warn about. */
export interface CheckedProgram extends CProgram {
  readonly warnings: readonly Diagnostic[]
}

const MAX_ERRORS = 20

/** Throws InputError with all that is wrong (up to a number). */
export const check = (files: readonly SyntaxTree[], options: CheckOptions): CheckedProgram => {
  const roots = mentioned(files)
  while (true) {
    try {
      return checkWith(files, options, roots)
    } catch (error) {
      if (!(error instanceof MissingModel) || roots.has(error.functionName)) throw error
      roots.add(error.functionName)
    }
  }
}

/** `roots` are the names by which the program can reach functions of the library. */
const checkWith = (files: readonly SyntaxTree[], options: CheckOptions, roots: ReadonlySet<string>): CheckedProgram => {
  const program = newProgram(options, reachableModels(roots, options.library.model))
  countDefinitions(program, files)
  loadOwnedTypes(program)
  disownTypes(program)
  for (const tree of files) checkFile(program, tree, false)
  if (program.errors.length > 0) throw new InputError(program.errors.slice(0, MAX_ERRORS))
  loadModels(program, options.entry ?? 'main')
  return result(program)
}

const newProgram = (
  { dataModel, library, parse, sources }: CheckOptions,
  wanted: ReadonlySet<string>,
): ProgramContext => {
  const loaded = new Set<string>()
  const program: ProgramContext = {
    target: targetOf(dataModel),
    library,
    parse,
    sources: new Map([...(sources ?? [])].map(([name, text]) => [name, text.split('\n')])),
    externals: new Map(),
    libraryOnly: new Set(),
    variables: new Set(),
    functions: new Set(),
    defined: new Set(),
    implicit: [],
    references: new Map(),
    needed: new Map(),
    reached: new Set(),
    definitions: new Map(),
    functionNames: new Set(),
    ownedTypes: new Map(),
    ownedRecords: new Map(),
    discarded: new WeakSet(),
    disownedTypes: new Set(),
    unmodelled: new Map(),
    withNested: new Set(),
    jump: undefined,
    numberedLabels: 0,
    broken: new Map(),
    warnings: [],
    errors: [],
    loadModel: (name) => {
      const model = library.model(name)
      if (model && !loaded.has(model.file)) {
        loaded.add(model.file)
        checkFile(program, parse(model.file, wantedText(model.text, wanted)), true)
      }
      if (model && !wanted.has(name) && definesFunction(model.text, name)) throw new MissingModel(name)
      return model && program.externals.get(name)
    },
  }
  return program
}

/** A program's own definition of a name, even later in the text, decides what a call of it means. */
const countDefinitions = (program: ProgramContext, files: readonly SyntaxTree[]): void => {
  for (const tree of files)
    for (const node of tree.root.children) {
      if (node.type !== 'function_definition') continue
      let part = field(node, 'declarator')
      while (part && part.type !== 'identifier') part = field(part, 'declarator') ?? namedChildren(part)[0]
      const name = part ? tree.text.slice(part.start, part.end) : ''
      program.definitions.set(name, (program.definitions.get(name) ?? 0) + 1)
    }
}

const newContext = (program: ProgramContext, tree: SyntaxTree, isLibrary: boolean): Context => {
  const fileScope = newScope(undefined)
  const { target } = program
  return {
    program,
    target,
    tree,
    fileScope,
    isLibrary,
    scope: fileScope,
    function: undefined,
    parameterSizes: undefined,
    unevaluated: 0,
    depth: 0,
  }
}

/** Types of the library that a preprocessed file would define in glibc's way. */
const loadOwnedTypes = (program: ProgramContext): void => {
  const c = newContext(program, program.parse('<heddle/types.h>', program.library.ownedTypesText), true)
  for (const node of c.tree.root.children) if (node.named) checkDeclaration(c, node, [])
  for (const name of program.library.ownedTypes) {
    const symbol = c.fileScope.names.get(name)
    if (symbol?.kind !== 'typedef') continue
    program.ownedTypes.set(name, symbol.type)
    const type = unqualified(symbol.type)
    // mtx_t is a pthread_mutex_t: the first name counts.
    if (type.kind === 'record' && !program.ownedRecords.has(type)) program.ownedRecords.set(type, name)
  }
}

/** A program that defines sem_wait itself also means its own sem_t. */
const disownTypes = (program: ProgramContext): void => {
  const defined = [...program.definitions.keys()]
  for (const name of program.library.ownedTypes) {
    const prefix = name === 'once_flag' ? 'call_once' : name.replace(/(?:attr)?_t$/, '_')
    if (prefix !== 'pthread_' && defined.some((one) => one.startsWith(prefix))) program.disownedTypes.add(name)
  }
}

const guarded = (c: Context, work: () => void): void => {
  try {
    work()
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    c.program.errors.push(...error.diagnostics)
  }
}

const checkFile = (program: ProgramContext, tree: SyntaxTree, isLibrary: boolean): void => {
  const c = newContext(program, tree, isLibrary)
  for (const node of tree.root.children) if (node.named) guarded(c, () => checkTopLevel(c, node))
}

const checkTopLevel = (c: Context, node: SyntaxNode): void => {
  c.scope = c.fileScope
  c.unevaluated = 0
  c.depth = 0
  c.parameterSizes = undefined
  switch (node.type) {
    case 'declaration':
    case 'type_definition':
      checkDeclaration(c, node, [])
      return
    case 'function_definition': {
      const definition = declareDefinition(c, node)
      if (definition) checkFunctionBody(c, definition)
      return
    }
    case 'struct_specifier':
    case 'union_specifier':
    case 'enum_specifier':
      specifiedType(c, node)
      return
    case 'primitive_type':
    case 'type_identifier':
    case 'sized_type_specifier':
      return
    case 'linkage_specification': {
      const body = field(node, 'body')
      const items = body?.type === 'declaration_list' ? namedChildren(body) : body ? [body] : []
      for (const item of items) checkTopLevel(c, item)
      return
    }
    case 'expression_statement':
      topLevelExpression(c, node)
      return
    default:
      fail(c, node, `unexpected '${textOf(c, node).slice(0, 30)}' outside of a function`)
  }
}

const topLevelExpression = (c: Context, node: SyntaxNode): void => {
  const inner = namedChildren(node)[0]
  if (!inner || (inner.type === 'gnu_asm_expression' && child(node, ';'))) return
  if (isStaticAssert(c, inner)) checkStaticAssert(c, inner)
  else fail(c, node, `expected a declaration before '${textOf(c, inner).slice(0, 30)}'`)
}

// ---- linking

/** All that execution can reach from the entry, with the models of what is declared only. */
const loadModels = (program: ProgramContext, entry: string): void => {
  const reached = new Set<CFunction | CVariable | undefined>()
  const waiting: (CFunction | CVariable | undefined)[] = [undefined]
  const main = program.externals.get(entry)
  if (main) waiting.push(main)
  else waiting.push(...program.functions)
  if (main?.kind === 'function') waiting.push(argumentsOf(program, main), ...callImplicitly(program, main))
  while (waiting.length > 0) {
    const symbol = waiting.pop()
    if (reached.has(symbol)) continue
    reached.add(symbol)
    program.errors.push(...(program.broken.get(symbol) ?? []))
    if (symbol && !program.defined.has(symbol)) program.loadModel(symbol.name)
    if (symbol?.kind === 'variable') {
      const unmodelled = program.unmodelled.get(symbol)
      if (unmodelled) throw unmodelled
      continue
    }
    for (const name of program.needed.get(symbol) ?? []) {
      const model = program.loadModel(name)
      if (model) waiting.push(model)
    }
    waiting.push(...(program.references.get(symbol) ?? []))
  }
  if (program.errors.length > 0) throw new InputError(program.errors.slice(0, MAX_ERRORS).sort(byPosition))
  for (const [symbol, diagnostics] of program.broken)
    if (!reached.has(symbol))
      program.warnings.push(...diagnostics.map((one): Diagnostic => ({ ...one, severity: 'warning' })))
  for (const symbol of reached) {
    if (symbol?.kind === 'function') program.functions.add(symbol)
    else if (symbol?.kind === 'variable') program.reached.add(symbol)
  }
}

/** The model that gives the entry its arguments, where it asks for them. */
const argumentsOf = (program: ProgramContext, entry: CFunction): CFunction | undefined => {
  const texts = askedArguments(entry)
  const model = texts && program.loadModel(ARGUMENTS)
  if (model?.kind !== 'function') return undefined
  giveArguments(entry, texts!, model)
  return model
}

/** In one file, from its beginning to its end. */
const byPosition = ({ position: a }: Diagnostic, { position: b }: Diagnostic): number =>
  a && b && a.file === b.file ? a.line - b.line || a.column - b.column : 0

const result = (program: ProgramContext): CheckedProgram => {
  refuseReentered(program)
  for (const fn of program.functions) meanAsCalled(program, fn)
  const variables = [...program.variables].filter(
    (variable) => program.defined.has(variable) || program.reached.has(variable),
  )
  for (const variable of variables) completeTentative(program, variable)
  return {
    functions: new Map([...program.functions].map((one) => [one.name, one])),
    variables,
    ...(program.jump ? { jump: program.jump } : {}),
    undefinedExterns: variables.filter((variable) => !program.defined.has(variable)),
    warnings: program.warnings,
  }
}

/** Functions that end the program or are errors are the same through a pointer, whatever body the program gives an error. */
const meanAsCalled = ({ library }: ProgramContext, fn: CFunction): void => {
  const name = Object.hasOwn(library.aliases, fn.name) ? library.aliases[fn.name]! : ''
  if (!ENDS.has(name) || (fn.body && !library.overriding.has(fn.name))) return
  const { position } = fn.body ?? fn
  const expression: CExpr = { kind: 'builtin', name, args: [], type: VOID, position }
  if (!fn.body)
    fn.parameters = fn.type.parameters.map((type, i) => ({
      ...{ kind: 'variable', name: `argument${i + 1}`, type: unqualified(type), position, storage: 'auto' },
      addressTaken: unqualified(type).kind === 'record',
    }))
  fn.body = {
    kind: 'block',
    body: [{ kind: 'expression', expression, position, text: `${fn.name}()` }],
    position,
    text: '',
  }
}

const ENDS = new Set(['__heddle_reach_error', '__heddle_exit', '__heddle_leave'])

/** A tentative array without a size has one element (C11 6.9.2p2). */
const completeTentative = (program: ProgramContext, variable: CVariable): void => {
  const type = unqualified(variable.type)
  if (type.kind === 'array' && type.length === undefined)
    variable.type = qualify(arrayOf(type.of, program.defined.has(variable) ? 1 : 0), qualifiersOf(variable.type))
  if (!isComplete(variable.type, program.target) && program.defined.has(variable))
    throw new InputError([
      {
        severity: 'error',
        text: `storage size of '${variable.name}' is not known: '${typeName(variable.type)}'`,
        position: variable.position,
      },
    ])
}
