// The front end's door: from the text of C files to a program. Wrong input throws InputError, what is not modelled
// and reached throws Unsupported; the file system and the parser's WASM come from the caller.
import { type DataModel, isLibrary, type Position, type Program, type Unit, Unsupported } from '../../xcfa/index.js'
import { inline } from '../../xcfa/passes/inline/inline.js'
import { orderAddresses } from '../../xcfa/passes/memory/address-order.js'
import { layoutDependence } from '../../xcfa/passes/memory/address-values.js'
import { limitArguments } from '../../xcfa/passes/memory/argument-limits.js'
import { freesWrite } from '../../xcfa/passes/memory/free-writes.js'
import { guessedPointer } from '../../xcfa/passes/memory/guessed-pointers.js'
import { HANDLE_STORED, sharedHandles, storeHandlesAgain } from '../../xcfa/passes/memory/handle-writes.js'
import { INITIALISED_IDLE, mayInitialiseHeld } from '../../xcfa/passes/memory/late-initialisation.js'
import { outlivingLocal } from '../../xcfa/passes/memory/outliving.js'
import { type Reused, reuseAddresses } from '../../xcfa/passes/memory/reuse.js'
import { touchingObjects } from '../../xcfa/passes/memory/touching.js'
import { withoutWideValues } from '../../xcfa/passes/wide-values.js'
import type { CFunction, CProgram, CVariable } from './ast.js'
import { check, type Library } from './check/index.js'
import { targetOf } from './check/types.js'
import { type Diagnostic, InputError } from './diagnostic.js'
import { errorNumbers } from './error-numbers.js'
import { assumeExterns, type ExternOptions, undefinedFunctions } from './externs.js'
import { otherThreadsJoin } from './joins.js'
import * as library from './library/index.js'
import { lower } from './lower/index.js'
import type { CParser, SyntaxTree } from './parse/index.js'
import { CommonText, preprocess, type SystemHeaders } from './preprocess/index.js'
import { looksAtResult } from './results.js'

export { type Diagnostic, InputError } from './diagnostic.js'
export { stubsText } from './externs.js'
export { harnessFor } from './harness.js'
export { c, type LibraryPart } from './library/index.js'
export { ATOMIC_RECORD, MACHINE_ORDER, WEAK_ORDER } from './lower/index.js'
export { type CParser, loadParser } from './parse/index.js'
export type { SystemHeaders } from './preprocess/index.js'
export { decodeSource } from './source-text.js'

export interface SourceFile {
  readonly name: string
  readonly text: string
  /** The text is not what the file has: its line markers say which lines of it are meant. */
  readonly preprocessed?: boolean
  /** What holds for this file beside the options of all: macros, and where its headers are. */
  readonly options?: Pick<CompileOptions, 'defines' | 'undefines' | 'includeDirs' | 'preincludes'>
}

export interface CompileOptions {
  readonly dataModel: DataModel
  /** NAME or NAME=VALUE. */
  readonly defines?: readonly string[]
  readonly undefines?: readonly string[]
  /** Files that are read before each file of the program. */
  readonly preincludes?: readonly string[]
  readonly includeDirs?: readonly string[]
  /** Headers of the system are read; without, those of ours only. */
  readonly system?: SystemHeaders
  /** A file that the program includes; undefined if there is none. */
  readonly readFile?: (path: string) => string | undefined
  /** The function where execution begins; `main` unless said. */
  readonly entry?: string | undefined
  readonly spuriousWakeups?: boolean
  readonly mallocMayFail?: boolean
  /** Accesses to volatile objects do not race, as kernels have it. */
  readonly volatileIsAtomic?: boolean
  /** Signed overflow is a violation (property no-overflow). */
  readonly checkOverflow?: boolean
  /** Accesses out of bounds are to be found (property valid-memsafety): objects lie far apart. */
  readonly checkMemory?: boolean
  /** Races are to be found (property no-data-race): `free` writes its block, unsafe functions their hidden state. */
  readonly checkRaces?: boolean
  /** Whoever executes the program notices when pointers to freed blocks are compared (see `Compiled.watched`). */
  readonly watchesFreed?: boolean
  /** False: the property does not look for places, and limits of library models are undefined behaviour. */
  readonly checkLimits?: boolean
  /** Calls of these functions are errors, like `reach_error`, whether or not the program defines them. */
  readonly errorFunctions?: readonly string[]
  /** A look at the procedures before they are inlined; it may throw to spare the rest. */
  readonly look?: (unit: Unit) => void
  readonly recursionLimit?: number
  /** Cut executions before what is not modelled instead of throwing it: then violations count, and no proof does. */
  readonly cutUnsupported?: boolean
  /** What is assumed of functions without a definition; without, executions that reach one are not decided. */
  readonly externs?: ExternOptions
  /** Libraries beside C's own, found first. */
  readonly parts?: readonly library.LibraryPart[]
}

export interface Compiled {
  readonly unit: Unit
  /** The raw program: inlined, all memory one region of bytes. */
  readonly program: Program
  readonly warnings: readonly Diagnostic[]
  /** What a verdict has to mention. */
  readonly notes: readonly string[]
  /** Functions that can be reached and have no definition. */
  readonly undefinedFunctions: readonly CFunction[]
  /** Variables that are declared, used and not defined. */
  readonly undefinedVariables: readonly CVariable[]
  /** Where executions were cut, the first place: nothing can be said of all executions. */
  readonly cut?: Unsupported
  /** Nothing can be said of all executions if one compares a pointer to a freed block, as it may do here. */
  readonly watched?: Position
  /** All that are declared, those of models included. */
  readonly functions: readonly CFunction[]
}

const LIBRARY: Library = {
  model: library.model,
  ownedTypes: library.OWNED_TYPES,
  ownedTypesText: library.OWNED_TYPES_TEXT,
  initialise: library.initialise,
  aliases: library.ALIASES,
  overriding: library.OVERRIDING,
  nondetTypes: library.NONDET_TYPES,
}

/** Several files are linked. What is wrong is told of the whole text: a message may suggest any name in it. */
export const compile = (files: readonly SourceFile[], options: CompileOptions, parser: CParser): Compiled => {
  try {
    return compileText(files, options, parser, false)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return compileText(files, options, parser, true)
  }
}

const compileText = (
  files: readonly SourceFile[],
  options: CompileOptions,
  parser: CParser,
  isWhole: boolean,
): Compiled => {
  const { program: typed, warnings } = typecheck(files, options, parser, isWhole)
  const assumed = assumeExterns(typed, options.externs ?? { pure: [], havoc: false }, targetOf(options.dataModel))
  const errors = errorNumbers(typed)
  const whole = lower(typed, {
    dataModel: options.dataModel,
    ...(options.entry !== undefined ? { entry: options.entry } : {}),
    checks: {
      overflow: options.checkOverflow === true,
      memory: options.checkMemory === true,
      limits: options.checkLimits !== false,
    },
    errorNumbers: errors,
    options: {
      'spurious-wakeups': options.spuriousWakeups !== false,
      'volatile-is-atomic': options.volatileIsAtomic === true,
      'malloc-may-fail': options.mallocMayFail === true,
      'block-sizes': hasModel(typed, 'realloc'),
      races: options.checkRaces === true,
      cancellation: hasModel(typed, 'pthread_cancel'),
      // Nobody has told main its own handle, which other threads find in memory.
      'own-handle': typed.functions.get('pthread_self')?.body !== undefined,
      'mutual-joins': otherThreadsJoin(typed),
      errno: errors.length > 0,
      'barrier-serial': looksAtResult(typed, 'pthread_barrier_wait'),
      'detached-joins':
        typed.functions.get('pthread_join')?.body !== undefined &&
        ['pthread_detach', 'pthread_attr_setdetachstate'].some((name) => typed.functions.get(name)?.body !== undefined),
      'cleanup-handlers': typed.functions.get('__heddle_push_handler')?.body !== undefined,
    },
  })
  options.look?.(whole)
  const unit = withoutWideValues(whole)
  const limit = options.recursionLimit
  const cuts: Unsupported[] = []
  const inlined = inline(unit, {
    ...(limit !== undefined ? { recursionLimit: limit } : {}),
    ...(options.cutUnsupported ? { cut: (problem) => cuts.push(problem) } : {}),
  })
  const local = options.checkMemory ? undefined : outlivingLocal(unit)
  const { program, unmodelled, watched, notes } = withAddressChoices(inlined, options)
  return {
    unit,
    program,
    warnings,
    notes: [
      ...(options.volatileIsAtomic ? ['accesses to volatile objects are atomic'] : []),
      ...assumed,
      ...(unit.notes ?? []),
      ...notes,
      ...(mayInitialiseHeld(inlined) ? [INITIALISED_IDLE] : []),
      ...(local ? [`nothing uses ${local.name} (${placeText(local.position!)}) after its function has returned`] : []),
    ],
    undefinedFunctions: undefinedFunctions(typed),
    undefinedVariables: typed.undefinedExterns,
    functions: [...typed.functions.values()],
    ...(watched && { watched }),
    ...cutBy(cuts[0] ?? unmodelled ?? (hasModel(typed, 'atexit') ? exitsLate(program) : undefined)),
  }
}

/** The program calls this function of the library, and does not define it itself. */
const hasModel = ({ functions }: CProgram, name: string): boolean => {
  const body = functions.get(name)?.body
  return body !== undefined && isLibrary(body.position)
}

const placeText = ({ file, line }: Position): string => `${file}:${line}`

/** After `pthread_exit` of main the last thread ends the program: nobody knows here which one that is. */
const exitsLate = ({ main }: Program): Unsupported | undefined => {
  const late = main.edges.find(({ target }) => target === main.final)
  return (
    late && new Unsupported('functions that atexit was given, after main has ended by pthread_exit,', late.position)
  )
}

const cutBy = (cut: Unsupported | undefined): Pick<Compiled, 'cut'> => (cut ? { cut } : {})

/** What C and POSIX leave open about addresses and handles, as choices of the program. */
const withAddressChoices = (
  inlined: Program,
  options: CompileOptions,
): Reused & { readonly notes: readonly string[] } => {
  const isModelled = options.checkLimits !== false && !options.checkMemory && !options.checkRaces
  // Orders first: the model of reuse compares addresses itself.
  const ordered = orderAddresses(inlined)
  const reused = reuseAddresses(ordered.program, isModelled, options.watchesFreed)
  const guessed = options.checkMemory ? undefined : guessedPointer(inlined)
  const dependent = layoutDependence(inlined)
  const unmodelled =
    reused.unmodelled ??
    ordered.unmodelled ??
    (guessed && new Unsupported('an access through a pointer that was made from a number', guessed)) ??
    (dependent && new Unsupported('a decision by a number that depends on where objects lie, or by padding', dependent))
  const limited = limitArguments(reused.program, options.checkLimits !== false)
  const shared = sharedHandles(limited)
  const program = options.checkRaces ? storeHandlesAgain(freesWrite(limited), shared) : limited
  return {
    program,
    notes: [
      ...(shared.size > 0 && !options.checkRaces ? [HANDLE_STORED] : []),
      ...touchingObjects(inlined, reused.watched !== undefined),
    ],
    ...(unmodelled ? { unmodelled } : {}),
    ...(reused.watched && { watched: reused.watched }),
  }
}

/** The library's names for intrinsics, and those of the user's error functions. */
const withErrors = (names: readonly string[]): Pick<Library, 'aliases' | 'overriding'> => ({
  aliases: { ...LIBRARY.aliases, ...Object.fromEntries(names.map((name) => [name, '__heddle_reach_error'])) },
  overriding: new Set([...LIBRARY.overriding, ...names]),
})

interface Typed {
  readonly program: CProgram
  readonly warnings: readonly Diagnostic[]
}

/** Preprocesses, parses and checks. */
const typecheck = (files: readonly SourceFile[], options: CompileOptions, parser: CParser, whole: boolean): Typed => {
  const warnings: Diagnostic[] = []
  const { header, model } = library.withParts(options.parts ?? [])
  const { dataModel } = options
  const common = new CommonText()
  const parseModel = (name: string, text: string): SyntaxTree =>
    parser.parse(preprocess(name, text, { dataModel, header, common }), whole)
  const parseFile = ({ name, text, preprocessed = false, options: own }: SourceFile): SyntaxTree =>
    parser.parse(
      preprocess(name, text, {
        dataModel,
        header,
        common,
        preprocessed,
        defines: [...(own?.defines ?? []), ...(options.defines ?? [])],
        undefines: [...(own?.undefines ?? []), ...(options.undefines ?? [])],
        preincludes: [...(own?.preincludes ?? []), ...(options.preincludes ?? [])],
        includeDirectories: [...(own?.includeDirs ?? []), ...(options.includeDirs ?? [])],
        ...(options.readFile && { readFile: options.readFile }),
        ...(options.system && { system: options.system }),
        warn: (warning) => warnings.push(warning),
      }),
      whole,
    )
  const program = check(files.map(parseFile), {
    dataModel,
    library: { ...LIBRARY, ...withErrors(options.errorFunctions ?? []), model },
    sources: new Map(files.flatMap(({ name, text, preprocessed }) => (preprocessed ? [] : [[name, text]]))),
    parse: parseModel,
    ...(options.entry !== undefined ? { entry: options.entry } : {}),
  })
  return { program, warnings: [...warnings, ...program.warnings] }
}
