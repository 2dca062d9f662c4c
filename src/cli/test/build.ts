// What heddle test runs: files compiled here, or a program that the user's own build made with our compiler command.
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type ElfSymbol, functionsFor, type Runner, symbolsOf } from '../../native/index.js'
import { buildByCommand, readCompileCommands } from '../../native/process/build.js'
import { type Built, compileProgram } from '../../native/process/compile.js'
import { type CodePlace, placesOf } from '../../native/process/lines.js'
import { Server } from '../../native/process/server.js'
import type { TestCall } from './test.js'

export interface Program {
  readonly kind: 'program'
  readonly path: string
  readonly command: string
  readonly symbols: readonly ElfSymbol[]
  readonly dictionary: readonly bigint[]
  readonly start: (index: number) => Runner
  readonly place: CodePlaces
  readonly source: (file: string, line: number) => string | undefined
}

type Problem = Extract<Built, { kind: 'problem' }>

export const buildProgram = async (
  call: TestCall,
  folder: string,
  cleanups: (() => void)[],
): Promise<Program | Problem> => {
  const built = await build(call, folder, cleanups)
  if (built.kind === 'problem')
    return built.noCompiler
      ? { ...built, text: `${built.text}: heddle test needs a C compiler (cc, or CC=...)` }
      : built
  const symbols = symbolsOf(readFileSync(built.program))
  const shared = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const dictionary = dictionaryOf(call.files)
  let started = 0
  const places = codePlaces(built.program, call.files)
  return {
    ...{ kind: 'program', path: built.program, command: built.command, symbols, dictionary },
    start: () =>
      new Server({
        ...{ program: resolve(built.program), args: call.args, functions: functionsFor(symbols), dictionary },
        controlFile: join(shared, `heddle-${process.pid}-${String(started++).padStart(4, '0')}`),
        ...(call.parsed.options.has('stdin') && { stdin: call.parsed.options.get('stdin')![0]! }),
      }),
    place: places,
    source: sources(),
  }
}

const words = (text: string | undefined): readonly string[] => (text ?? '').split(/\s+/).filter(Boolean)

const build = (call: TestCall, folder: string, cleanups: (() => void)[]): Promise<Built> => {
  const value = (name: string): string | undefined => call.parsed.options.get(name)?.[0]
  const options = {
    files: call.files,
    folder,
    dataModel: call.task.dataModel,
    defines: call.task.defines,
    includeDirs: call.task.includeDirs,
    optimise: value('optimise') ?? 'O0',
    cflags: words(value('cflags')),
    ldflags: words(value('ldflags')),
    tracesComparisons: call.files.some((file) => readFileSync(file, 'utf8').includes('__VERIFIER_nondet')),
  }
  if (value('run') !== undefined) return buildByCommand(value('build'), value('run')!, options, cleanups)
  const database = value('compile-commands')
  if (database === undefined) return compileProgram(options)
  const read = readCompileCommands(database, call.files)
  return 'wrong' in read
    ? Promise.resolve({ kind: 'problem', text: `${database}: ${read.wrong}` })
    : compileProgram({ ...options, files: read.files, flagsOf: read.flagsOf })
}

/** Numbers in the program's text, which inputs are compared with. */
const dictionaryOf = (files: readonly string[]): readonly bigint[] => {
  const found = new Set<bigint>([0n, 1n, -1n, 2n])
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    if (text.length > 400_000) continue
    for (const [, literal] of text.matchAll(/(?<![\w.])(0x[0-9a-f]{1,16}|\d{1,18})(?![\w.])/gi)) {
      if (found.size > 200) break
      found.add(BigInt(literal!))
    }
  }
  return [...found]
}

/** Places by code address, with the names of files as they were given; looked up once. */
export interface CodePlaces {
  (pc: number): CodePlace | undefined
  /** Looks up many at once. */
  readonly many: (pcs: readonly number[]) => void
}
export const codePlaces = (program: string, files: readonly string[]): CodePlaces => {
  const given = new Map(files.map((file) => [resolve(file), file]))
  const known = new Map<number, CodePlace | undefined>()
  const here = `${process.cwd()}/`
  const named = (file: string): string => {
    const full = resolve(file)
    return given.get(full) ?? (full.startsWith(here) ? full.slice(here.length) : file)
  }
  return Object.assign(
    (pc: number) => {
      if (!known.has(pc)) {
        const found = placesOf(program, [pc]).get(pc)
        known.set(pc, found && { ...found, file: named(found.file) })
      }
      return known.get(pc)
    },
    {
      many: (pcs: readonly number[]) => {
        const fresh = pcs.filter((pc) => !known.has(pc))
        const found = placesOf(program, fresh)
        for (const pc of fresh) {
          const place = found.get(pc)
          known.set(pc, place && { ...place, file: named(place.file) })
        }
      },
    },
  )
}

const sources = (): Program['source'] => {
  const texts = new Map<string, readonly string[]>()
  return (file, line) => {
    if (!texts.has(file)) {
      try {
        texts.set(file, readFileSync(file, 'utf8').split('\n'))
      } catch {
        texts.set(file, [])
      }
    }
    return texts.get(file)![line - 1]
  }
}
