// Compiles the program under test with the machine's compiler: every file with -fsanitize=thread, which puts our hooks
// into it, and linked with the runtime instead of the sanitizer's library. Nothing but a C compiler is needed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Beside the sources, in the package, where the build has put the same files, or in a folder above. */
const runtimeFolder = (): string => {
  const places = ['../runtime/', '../../src/native/runtime/', '../../../src/native/runtime/']
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((p) => existsSync(`${p}heddle-runtime.c`))
  if (found === undefined) throw new CompileError("the runtime's files are missing from this installation")
  return found
}

/** Calls of the program that the linker leads to runtime/libc.c and runtime/buffers.c. */
const WRAPPED = [
  'memcpy',
  'memmove',
  'memset',
  'memcmp',
  'strlen',
  'strcmp',
  'strncmp',
  'strcpy',
  'strncpy',
  'strcat',
  'strchr',
  'mmap',
  'munmap',
  'mprotect',
  'mremap',
  'vsnprintf',
  'vsprintf',
  'snprintf',
  'sprintf',
  'fgets',
  'fputs',
  'puts',
  'fread',
  'fwrite',
  'strncat',
  'stpcpy',
  'strrchr',
  'strstr',
  'strdup',
  'strndup',
  'qsort',
  'strtok',
  'localtime',
  'gmtime',
  'asctime',
  'ctime',
  'setenv',
  'unsetenv',
  'putenv',
  'getenv',
]

/** Functions of libstdc++ that runtime/cxx.c comes before. */
const COUNTED = [
  '__cxa_end_catch',
  '_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv',
  '_ZNSt13__future_base12_Result_baseD1Ev',
  '_ZNSt13__future_base12_Result_baseD2Ev',
  '_ZNSt16nested_exceptionD1Ev',
  '_ZNSt16nested_exceptionD2Ev',
  '_ZNSt13runtime_errorD1Ev',
  '_ZNSt13runtime_errorD2Ev',
  '_ZNSt11logic_errorD1Ev',
  '_ZNSt11logic_errorD2Ev',
]

export interface CompileOptions {
  readonly files: readonly string[]
  readonly folder: string
  readonly dataModel: 'ilp32' | 'lp64'
  readonly defines: readonly string[]
  readonly includeDirs: readonly string[]
  readonly optimise: string
  readonly cflags: readonly string[]
  readonly ldflags: readonly string[]
  /** Inputs are chosen by what the program compares them with. */
  readonly tracesComparisons?: boolean
  /** Flags of one file, from a compilation database. */
  readonly flagsOf?: (file: string) => readonly string[]
}

export type Built =
  | { readonly kind: 'built'; readonly program: string; readonly command: string }
  | { readonly kind: 'problem'; readonly text: string; readonly noCompiler?: boolean }

const isCxx = (file: string): boolean => /\.(cc|cpp|cxx|c\+\+|C|hpp)$/.test(file)

export const cCompiler = (): string => process.env['CC'] || 'cc'
export const cxxCompiler = (): string => process.env['CXX'] || 'c++'

/** What C++ is compiled with besides, if it can be: a program may have set macros that must come first. */
export const cxxFlags = (): readonly string[] => ['-include', join(runtimeFolder(), 'strings.h')]

/** What every file of the program is compiled with. */
export const instrumentFlags = (optimise: string): readonly string[] => [
  '-g',
  `-${optimise}`,
  '-fsanitize=thread',
  '-fno-pie',
  '-fno-omit-frame-pointer',
  ...WRAPPED.map((name) => `-fno-builtin-${name}`),
]
export const linkFlags = (runtime: string): readonly string[] => [
  runtime,
  '-no-pie',
  '-rdynamic',
  ...[...WRAPPED, ...COUNTED].map((name) => `-Wl,--wrap=${name}`),
  '-pthread',
  '-ldl',
  '-lm',
]

export const compileProgram = async (options: CompileOptions): Promise<Built> => {
  const built = await compileAndLink(options)
  if (options.tracesComparisons && built.kind === 'problem' && built.text.includes('fsanitize-coverage'))
    return compileProgram({ ...options, tracesComparisons: false })
  const lacksFunctions = built.kind === 'problem' && /undefined reference/.test(built.text)
  if (!lacksFunctions || options.files.some(isCxx)) return built
  // An inline function without `extern` has no definition to link where calls are not inlined (C11 6.7.4p7).
  const again = await compileAndLink({ ...options, cflags: [...options.cflags, '-fgnu89-inline'] })
  return again.kind === 'built' ? again : built
}

const TRACES_COMPARISONS = '-fsanitize-coverage=trace-cmp'

const compileAndLink = async (options: CompileOptions): Promise<Built> => {
  const width = options.dataModel === 'ilp32' ? ['-m32'] : []
  try {
    const runtime = await runtimeObject(options.folder, width)
    const own = [
      ...options.includeDirs.map((d) => `-I${d}`),
      ...options.defines.map((d) => `-D${d}`),
      ...options.cflags,
    ]
    const objects = await Promise.all(
      options.files.map(async (file, i) => {
        const object = join(options.folder, `${i}-${basename(file)}.o`)
        const language = isCxx(file) ? [] : ['-x', 'c']
        const compiler = isCxx(file) ? cxxCompiler() : cCompiler()
        // After an option -x the file is C whatever it is called: a task's .i file still may hold directives.
        const flags = options.flagsOf?.(file) ?? []
        const args = [
          ...width,
          ...instrumentFlags(options.optimise),
          ...(options.tracesComparisons ? [TRACES_COMPARISONS] : []),
          '-w',
          ...own,
          ...flags,
          '-c',
          ...language,
          file,
          '-o',
          object,
        ]
        if (isCxx(file)) await run(compiler, [...cxxFlags(), ...args]).catch(() => run(compiler, args))
        else await run(compiler, args)
        return object
      }),
    )
    const program = join(options.folder, 'program')
    const linker = options.files.some(isCxx) ? cxxCompiler() : cCompiler()
    await run(linker, [...width, ...objects, ...linkFlags(runtime), ...options.ldflags, '-o', program])
    return { kind: 'built', program, command: [linker, ...width, `-${options.optimise}`].join(' ') }
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    return { kind: 'problem', text: error.message, ...(error.noCompiler && { noCompiler: true }) }
  }
}

export class CompileError extends Error {
  constructor(
    text: string,
    readonly noCompiler = false,
  ) {
    super(text)
  }
}

/** The runtime as an object file; kept for the next time, under a name that tells its text and the compiler. */
export const runtimeObject = async (folder: string, width: readonly string[] = []): Promise<string> => {
  const compiler = cCompiler()
  const folderOfRuntime = runtimeFolder()
  const hash = createHash('sha256')
  for (const name of readdirSync(folderOfRuntime).sort())
    hash.update(name).update(readFileSync(join(folderOfRuntime, name)))
  hash.update(await run(compiler, ['--version'])).update([compiler, ...width].join(' '))
  const name = `runtime-${hash.digest('hex').slice(0, 24)}.o`
  const cache = cacheFolder()
  const place = join(cache ?? folder, name)
  try {
    readFileSync(place)
    return place
  } catch {
    // Not compiled yet.
  }
  const fresh = join(folder, name)
  await run(compiler, [
    ...width,
    '-std=gnu11',
    '-O2',
    '-g',
    // An exception may pass through the routine of a once.
    '-fexceptions',
    '-fno-pie',
    '-w',
    '-c',
    join(folderOfRuntime, 'heddle-runtime.c'),
    '-o',
    fresh,
  ])
  if (cache === undefined) return fresh
  try {
    const copy = `${place}.${process.pid}`
    writeFileSync(copy, readFileSync(fresh))
    renameSync(copy, place)
  } catch {
    // A cache that cannot be written is none.
  }
  return fresh
}

const cacheFolder = (): string | undefined => {
  const folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'heddle')
  try {
    mkdirSync(folder, { recursive: true })
    return folder
  } catch {
    return undefined
  }
}

/** Runs a command to its end; its standard output, or what was wrong. */
const run = (command: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let [output, errors] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (errors.length < 20_000) errors += chunk
    })
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(new CompileError(`${command}: ${error.code ?? error.message}`, error.code === 'ENOENT')),
    )
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new CompileError(mostTelling(errors) || `${command} failed`)),
    )
  })

const mostTelling = (errors: string): string =>
  errors
    .split('\n')
    .filter((line) => /error:|undefined reference|cannot find|multiple definition/.test(line))
    .slice(0, 5)
    .join('\n') || errors.slice(0, 500)
