// Programs with a build of their own: the command runs with our compilers in its environment, in a process group that
// ends with us; or the files and flags come from a compilation database.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import {
  type Built,
  CompileError,
  type CompileOptions,
  cCompiler,
  cxxCompiler,
  cxxFlags,
  runtimeObject,
} from './compile.js'
import { writeWrapper } from './wrapper.js'

export const buildByCommand = async (
  command: string | undefined,
  program: string,
  options: CompileOptions,
  cleanups: (() => void)[],
): Promise<Built> => {
  try {
    if (command !== undefined) await runBuild(command, options, cleanups)
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    return { kind: 'problem', text: error.message, ...(error.noCompiler && { noCompiler: true }) }
  }
  if (!existsSync(program)) return { kind: 'problem', text: `${program}: no such program after the build` }
  if (!readFileSync(program).includes('__tsan_init'))
    return {
      kind: 'problem',
      text: `${program} was not built with $HEDDLE_CC: write for example --build 'make clean all CC=$HEDDLE_CC'`,
    }
  return { kind: 'built', program, command: command ?? program }
}

const runBuild = async (command: string, options: CompileOptions, cleanups: (() => void)[]): Promise<void> => {
  const runtime = await runtimeObject(options.folder)
  const cc = writeWrapper(options.folder, 'heddle-cc', cCompiler(), options.optimise, runtime)
  const cxx = writeWrapper(options.folder, 'heddle-c++', cxxCompiler(), options.optimise, runtime, cxxFlags())
  await new Promise<void>((done, failed) => {
    // A shell beside it waits for our end, however it comes, and ends the whole group then.
    const guarded = `exec 9<&0 </dev/null; (read -r x <&9; kill -KILL 0) & exec 9<&-; ${command}`
    const child = spawn('sh', ['-c', guarded], {
      stdio: ['pipe', 'ignore', 'pipe'],
      detached: true,
      env: { ...process.env, HEDDLE_CC: cc, HEDDLE_CXX: cxx },
    })
    let errors = ''
    const end = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
    cleanups.push(end)
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      errors = (errors + chunk).slice(-4000)
    })
    child.on('error', (error) => failed(new CompileError(error.message)))
    child.on('exit', (code) => {
      end()
      if (code === 0) done()
      else failed(new CompileError(`the build failed (${command}):\n${errors.trim()}`))
    })
  })
}

interface Entry {
  readonly directory?: string
  readonly file?: string
  readonly command?: string
  readonly arguments?: readonly string[]
}

interface Database {
  readonly files: readonly string[]
  readonly flagsOf: (file: string) => readonly string[]
}

/** The given files, or all of the database, each with the macros, include folders and language of its entry. */
export const readCompileCommands = (file: string, wanted: readonly string[]): Database | { readonly wrong: string } => {
  let entries: readonly Entry[]
  try {
    entries = JSON.parse(readFileSync(file, 'utf8')) as readonly Entry[]
  } catch (error) {
    return { wrong: (error as Error).message }
  }
  if (!Array.isArray(entries)) return { wrong: 'not a compilation database' }
  const flags = new Map<string, readonly string[]>()
  for (const { directory = '.', file: name, command, arguments: list } of entries) {
    if (name === undefined) continue
    flags.set(resolve(directory, name), flagsIn(list ?? splitCommand(command ?? ''), directory))
  }
  const chosen = wanted.length > 0 ? wanted.map((f) => resolve(f)) : [...flags.keys()]
  const missing = chosen.find((f) => !flags.has(f))
  if (missing !== undefined) return { wrong: `${missing} has no entry` }
  return { files: chosen, flagsOf: (f) => flags.get(resolve(f)) ?? [] }
}

const splitCommand = (text: string): readonly string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'\\]|\\.)+)/g)].map(
    ([, double, single, plain]) => single ?? (double ?? plain ?? '').replace(/\\(.)/g, '$1'),
  )

const flagsIn = (words: readonly string[], directory: string): readonly string[] => {
  const absolute = (path: string): string => (isAbsolute(path) ? path : join(directory, path))
  const kept: string[] = []
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!
    if (/^-(I|isystem|iquote|include|D|U)$/.test(word)) {
      const value = words[++i] ?? ''
      kept.push(word, /^-(D|U)$/.test(word) ? value : absolute(value))
    } else if (word.startsWith('-I')) kept.push(`-I${absolute(word.slice(2))}`)
    else if (/^-(D|U|std=|f(?!sanitize|pie|PIE)|m)/.test(word)) kept.push(word)
  }
  return kept
}
