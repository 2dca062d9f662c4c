// From files to a program: reads them, and the parser's WASM, and calls the front end.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { type Compiled, decodeSource, InputError, loadParser } from '../../frontend/c/index.js'
import { compileCooperative, isCxx, loadCxxParser } from '../../frontend/cooperative/index.js'
import type { Unit } from '../../xcfa/index.js'
import { readAsset } from './assets.js'
import { compileOptionsOf, type LoadRequest } from './compile-options.js'
import { type SystemCompiler, systemCompiler } from './system-headers.js'

export { diagnosticLine, type LoadRequest } from './compile-options.js'

/** What few need is loaded when it is needed: start-up is what a user notices first. */
const require = createRequire(import.meta.url)

export interface Loaded extends Compiled {
  /** The compiler of the system whose headers were read. */
  readonly headersOf?: string
}

/** Optimising the parser's WASM costs more than parsing: a program is parsed once. A solver's is optimised as ever. */
const TIERING = ['wasm-tier-up', 'wasm-dynamic-tiering']

export interface LoadOptions {
  /** Executions end before what is not modelled, where otherwise nothing would be loaded (`Compiled.cut`). */
  readonly cut?: boolean
  /** A look at the procedures before they are inlined. */
  readonly look?: ((unit: Unit) => void) | undefined
  /** Whoever executes the program notices comparisons of pointers to freed blocks. */
  readonly watchesFreed?: boolean
  /** Executions end where a model's limit is reached; otherwise the engine looks for such places. */
  readonly endsAtLimits?: boolean
  /** How deep calls of a function by itself are followed: less than usual where only names are wanted. */
  readonly recursionLimit?: number
  /** Is told every file of the program that was read, and every one that it includes. */
  readonly onRead?: (file: string, text: string) => void
}

export const loadProgram = async (request: LoadRequest, options: LoadOptions = {}): Promise<Loaded> => {
  for (const flag of TIERING) setFlagsFromString(`--no-${flag}`)
  try {
    return await parseAndCompile(request, options)
  } finally {
    for (const flag of TIERING) setFlagsFromString(`--${flag}`)
  }
}

/** Our own headers first; where they do not suffice, those of the system, if there is a compiler that knows them. */
const parseAndCompile = async (request: LoadRequest, options: LoadOptions): Promise<Loaded> => {
  if (request.headers === 'system') {
    const compiler = systemCompiler(request.dataModel, request.std)
    if (!compiler) throw new InputError([{ severity: 'error', text: '--headers system: no C compiler was found' }])
    return await parseAndCompileWith(request, options, compiler)
  }
  try {
    return await parseAndCompileWith(request, options, undefined)
  } catch (error) {
    if (!(error instanceof InputError) || request.headers === 'built-in' || request.cpp !== undefined) throw error
    const compiler = systemCompiler(request.dataModel, request.std)
    if (!compiler) throw error
    return await parseAndCompileWith(request, options, compiler)
  }
}

const parseAndCompileWith = async (
  request: LoadRequest,
  { cut = false, look, watchesFreed = false, endsAtLimits = false, recursionLimit, onRead }: LoadOptions,
  compiler: SystemCompiler | undefined,
): Promise<Loaded> => {
  const parser = await loadParser({
    runtime: readAsset('web-tree-sitter.wasm'),
    grammar: readAsset('tree-sitter-c.wasm'),
  })
  const cxx = request.files.some(isCxx)
    ? await loadCxxParser({
        runtime: readAsset('web-tree-sitter.wasm'),
        grammar: readAsset('tree-sitter-cpp.wasm'),
      })
    : undefined
  const files = request.files.map((name) => ({
    name,
    text: request.texts?.[name] ?? (request.cpp ? preprocessed(name, request.cpp, request) : readText(name)),
    ...(request.cpp !== undefined && { preprocessed: true }),
    ...(request.fileOptions?.[name] && { options: request.fileOptions[name] }),
  }))
  for (const { name, text } of files) onRead?.(name, text)
  const readIncluded = (path: string): string | undefined => {
    const text = readFile(path)
    if (text !== undefined) onRead?.(path, text)
    return text
  }
  const compiled = compileCooperative(
    files,
    compileOptionsOf(request, {
      cut,
      look,
      watchesFreed,
      endsAtLimits,
      ...(recursionLimit !== undefined && { recursionLimit }),
      readFile: readIncluded,
      ...(compiler && { system: compiler.headers }),
    }),
    parser,
    cxx,
  )
  return { ...compiled, ...(compiler && { headersOf: compiler.command }) }
}

const readText = (file: string): string => {
  const wrong = (text: string): InputError =>
    new InputError([{ severity: 'error', position: { file, line: 1, column: 1 }, text }])
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw wrong((error as NodeJS.ErrnoException).code ?? 'cannot be read')
  }
  // No C source holds a null character; thousands of messages about stray characters would help nobody.
  if (bytes.subarray(0, 8192).includes(0)) throw wrong(whatBinary(bytes))
  return decodeSource(bytes)
}

const whatBinary = (bytes: Uint8Array): string => {
  const magic = String.fromCharCode(...bytes.subarray(0, 4))
  if (magic === '\u007fELF') return 'a compiled program or library, not C source: name the files it is built from'
  const isWide = magic.startsWith('\u00ff\u00fe') || magic.startsWith('\u00fe\u00ff')
  return isWide ? 'UTF-16 text: save it as UTF-8' : 'a binary file, not C source'
}

const readFile = (path: string): string | undefined => {
  try {
    return decodeSource(readFileSync(path))
  } catch {
    return undefined
  }
}

/** `--cpp "cc -E"`: line markers keep the positions. */
const preprocessed = (file: string, command: string, request: LoadRequest): string => {
  const { execFileSync } = require('node:child_process') as typeof import('node:child_process')
  const [program, ...args] = command.split(/\s+/).filter(Boolean)
  const given = [
    ...request.includeDirs.map((directory) => `-I${directory}`),
    ...request.defines.map((definition) => `-D${definition}`),
    ...(request.undefines ?? []).map((name) => `-U${name}`),
    ...(request.preincludes ?? []).flatMap((path) => ['-include', path]),
    ...(request.std === undefined ? [] : [`-std=${request.std}`]),
  ]
  try {
    return execFileSync(program!, [...args, ...given, file], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    const text = String((error as { stderr?: string }).stderr ?? (error as Error).message).split('\n')[0]!
    throw new InputError([{ severity: 'error', text: `${command} ${file}: ${text}` }])
  }
}
