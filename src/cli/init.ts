// heddle init: writes heddle.json for a project, from its build. A build that says nothing of its commands is asked for
// them: CMake and Meson are configured, a Makefile is run under bear.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { InputError, stubsText } from '../frontend/c/index.js'
import { parseArguments, UsageError } from '../run/call/options.js'
import { filesWith, withProject } from '../run/call/project.js'
import { PROJECT_FILE, type ProjectEntry, writeProject } from '../run/call/project-file.js'
import { requestFrom } from '../run/call/request-from.js'
import { diagnosticLine, loadProgram } from '../run/program/load.js'
import { Unsupported } from '../xcfa/index.js'
import { INIT_OPTIONS } from './init-options.js'

const DATABASE = 'compile_commands.json'
const OWN_BUILD = 'build-heddle'
const STUBS = 'heddle-stubs.c'

export const init = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, INIT_OPTIONS)
  if (parsed.files.length > 1) throw new UsageError('heddle init takes one folder')
  const folder = parsed.files[0] ?? '.'
  if (!existsSync(folder)) throw new UsageError(`${folder}: no such folder`)
  const file = join(folder, PROJECT_FILE)
  if (existsSync(file) && !parsed.options.has('force'))
    throw new UsageError(`${file} is there already: --force replaces it`)
  const build = parsed.options.get('p')?.[0] ?? databaseIn(folder) ?? makeDatabase(folder)
  const within = (path: string): string => relative(resolve(folder), resolve(path)) || '.'
  const starts = filesWith(build, 'main')
  if (starts.length === 0)
    throw new UsageError(`${build}: no file of the build defines main; for a library, heddle harness writes a client`)
  const missing = await missingDefinitions(build, starts)
  if (missing !== '') writeFileSync(join(folder, STUBS), missing)
  writeProject(file, {
    build: within(build),
    properties: ['assert', 'no-data-race', 'no-deadlock'],
    timeout: '60s',
    entries: named(starts.map((path) => ({ file: within(path), entry: 'main' }))),
    stubs: missing === '' ? [] : [STUBS],
    options: [],
  })
  console.log(`${file}: ${starts.length} ${starts.length === 1 ? 'entry' : 'entries'}`)
  if (missing !== '') console.log(`${join(folder, STUBS)}: functions that the build does not define; edit what they do`)
  console.log(`heddle verify${folder === '.' ? '' : ` --project ${file}`}`)
  return 0
}

/** The name of the file without its ending, or its path where several have that. */
const named = (entries: readonly Omit<ProjectEntry, 'name'>[]): readonly ProjectEntry[] => {
  const short = (file: string): string => basename(file).replace(/\.\w+$/, '')
  return entries.map((entry) => {
    const isUnique = entries.filter(({ file }) => short(file) === short(entry.file)).length === 1
    return { name: isUnique ? short(entry.file) : entry.file, ...entry }
  })
}

/** In the folder itself, or in one of those in it. */
const databaseIn = (folder: string): string | undefined =>
  [
    folder,
    ...readdirSync(folder, { withFileTypes: true }).flatMap((one) =>
      one.isDirectory() ? [join(folder, one.name)] : [],
    ),
  ].find((place) => existsSync(join(place, DATABASE)))

const makeDatabase = (folder: string): string => {
  const build = join(folder, OWN_BUILD)
  const has = (name: string): boolean => existsSync(join(folder, name))
  if (has('CMakeLists.txt')) run('cmake', ['-S', folder, '-B', build, '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON'])
  else if (has('meson.build')) run('meson', ['setup', build, folder])
  else if (has('Makefile') || has('makefile') || has('GNUmakefile')) {
    mkdirSync(build, { recursive: true })
    run('bear', ['--output', join(build, DATABASE), '--', 'make', '-B', '-C', folder])
  } else
    throw new UsageError(
      `${folder}: no ${DATABASE}, CMakeLists.txt, meson.build or Makefile; name the files: heddle verify FILE.c...`,
    )
  if (!existsSync(join(build, DATABASE))) throw new UsageError(`${join(build, DATABASE)} was not written`)
  return build
}

const run = (command: string, args: readonly string[]): void => {
  console.error(`${command} ${args.join(' ')}`)
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  if (error)
    throw new UsageError(
      `${command}: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'not installed' : error.message}`,
    )
  if (status !== 0) throw new UsageError(`${command} failed: ${stderr.trim().split('\n').at(-1) ?? ''}`)
}

/** C text with a definition of every function that some entry needs and nobody has; what is wrong is told. */
const missingDefinitions = async (build: string, starts: readonly string[]): Promise<string> => {
  const missing = new Map<string, Parameters<typeof stubsText>[0][number]>()
  for (const start of starts)
    try {
      const request = requestFrom({ files: [], options: new Map([['p', [build]]]) }, Date.now())
      const { undefinedFunctions } = await loadProgram(await withProject(request, build, [start]), { cut: true })
      for (const fn of undefinedFunctions) missing.set(fn.name, fn)
    } catch (error) {
      if (error instanceof InputError)
        for (const diagnostic of error.diagnostics) console.error(diagnosticLine(diagnostic))
      else if (!(error instanceof Unsupported)) throw error
    }
  return missing.size === 0 ? '' : stubsText([...missing.values()])
}
