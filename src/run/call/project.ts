// -p BUILD: files and options from a build's compile_commands.json. From the files that are asked for, or the one that
// defines the entry, those are added that define what is missing.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { InputError } from '../../frontend/c/index.js'
import { type FileOptions, mayDefine, readCompileCommands } from '../../project/index.js'
import { Unsupported } from '../../xcfa/index.js'
import { loadProgram } from '../program/load.js'
import { UsageError } from './options.js'
import type { Request } from './request.js'

interface BuiltFile {
  readonly path: string
  readonly options: FileOptions
  readonly text: string
}

/** Rounds of looking for what is still missing. */
const MAX_ROUNDS = 20

/** `stubs`: files beside those of the build. */
export const withProject = async (
  request: Request,
  build: string,
  wanted: readonly string[],
  stubs: readonly string[] = [],
): Promise<Request> => {
  const built = builtFiles(build)
  const first = wanted.length > 0 ? wanted.map((name) => named(name, built)) : [entryFile(request.entry, built, build)]
  let chosen: readonly BuiltFile[] = first
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const missing = await missingIn(requestFor(request, chosen, stubs))
    const added = missing.flatMap((name) => {
      const candidates = built.filter((file) => !chosen.includes(file) && mayDefine(file.text, name))
      // Several executables of a build may define the same name: what has a main of its own is another program.
      return candidates.filter((file) => !mayDefine(file.text, 'main')).slice(0, 1)
    })
    if (added.length === 0) break
    chosen = [...chosen, ...new Set(added)]
  }
  return requestFor(request, chosen, stubs)
}

/** The files of a build that define this function. */
export const filesWith = (build: string, name: string): readonly string[] =>
  builtFiles(build).flatMap(({ path, text }) => (mayDefine(text, name) ? [path] : []))

const builtFiles = (build: string): readonly BuiltFile[] => {
  const file = existsSync(build) && statSync(build).isDirectory() ? join(build, 'compile_commands.json') : build
  if (!existsSync(file))
    throw new UsageError(`${file}: no such file (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make, writes it)`)
  const commands = readCompileCommands(readFileSync(file, 'utf8'))
  if ('wrong' in commands) throw new UsageError(`${file}: ${commands.wrong}`)
  const seen = new Set<string>()
  return commands.flatMap(({ file: name, directory, options }) => {
    const at = (path: string): string => shown(resolve(directory, path))
    const path = at(name)
    // A file of a static and of a shared library is compiled twice: the first command counts.
    if (seen.has(path) || !existsSync(path)) return []
    seen.add(path)
    const located: FileOptions = {
      ...options,
      includeDirs: options.includeDirs.map(at),
      preincludes: options.preincludes.map((one) => (existsSync(at(one)) ? at(one) : one)),
    }
    return [{ path, options: located, text: readFileSync(path, 'utf8') }]
  })
}

/** As short as it can be told from here. */
const shown = (path: string): string => {
  const near = relative(process.cwd(), path)
  return near.length < path.length ? near : path
}

const named = (name: string, built: readonly BuiltFile[]): BuiltFile => {
  const found = built.filter(({ path }) => resolve(path) === resolve(name) || `/${path}`.endsWith(`/${name}`))
  if (found.length === 0) throw new UsageError(`${name}: the build does not compile it`)
  return found[0]!
}

const entryFile = (entry: string, built: readonly BuiltFile[], build: string): BuiltFile => {
  const found = built.filter(({ text }) => mayDefine(text, entry))
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw new UsageError(`${build}: no file of the build defines ${entry}`)
  const list = found.map(({ path }) => path).join(', ')
  throw new UsageError(`${build}: several files define ${entry}: ${list}. Say --file FILE`)
}

const requestFor = (request: Request, chosen: readonly BuiltFile[], stubs: readonly string[]): Request => ({
  ...request,
  files: [...chosen.map(({ path }) => path), ...stubs],
  fileOptions: Object.fromEntries(chosen.map(({ path, options }) => [path, options])),
})

/** Functions and variables that are declared, reached and not defined. */
const missingIn = async (request: Request): Promise<readonly string[]> => {
  try {
    const { undefinedFunctions, undefinedVariables } = await loadProgram(request, { cut: true })
    return [...undefinedFunctions, ...undefinedVariables].map(({ name }) => name)
  } catch (error) {
    // What is wrong with a file is told by the run itself.
    if (error instanceof InputError || error instanceof Unsupported) return []
    throw error
  }
}
