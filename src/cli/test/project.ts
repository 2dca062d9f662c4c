// heddle test of a project: each entry of heddle.json, compiled from the files that it needs with their own options.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Parsed, UsageError } from '../../run/call/options.js'
import { withProject } from '../../run/call/project.js'
import { entriesOf, type ProjectEntry, type ProjectFile } from '../../run/call/project-file.js'
import { requestFrom } from '../../run/call/request-from.js'
import { STATUS } from '../status.js'

type Test = (args: readonly string[]) => Promise<number>

export const testProject = async (
  project: ProjectFile,
  args: readonly string[],
  parsed: Parsed,
  test: Test,
): Promise<number> => {
  const entries = entriesOf(project, parsed)
  if (entries.length > 1 && parsed.options.has('json'))
    throw new UsageError('--json is for one entry of a project: say --only NAME')
  const statuses: number[] = []
  for (const entry of entries) {
    if (entries.length > 1) console.log(`== ${entry.name}`)
    statuses.push(await testEntry(project, entry, args, parsed, test))
  }
  return [STATUS.wrongInput, STATUS.false, STATUS.unknown].find((status) => statuses.includes(status)) ?? STATUS.true
}

const testEntry = async (
  { build, stubs, timeout }: ProjectFile,
  { name, file, entry }: ProjectEntry,
  args: readonly string[],
  { options }: Parsed,
  test: Test,
): Promise<number> => {
  if (entry !== 'main') throw new UsageError(`${name} begins with ${entry}: a program that runs begins with main`)
  const request = requestFrom({ files: [], options: new Map([['p', [build]]]) }, Date.now())
  const { files, fileOptions = {} } = await withProject(request, build, [file], stubs)
  const folder = mkdtempSync(join(tmpdir(), 'heddle-project-'))
  try {
    const database = join(folder, 'compile_commands.json')
    const commands = files.map((path) => ({
      ...{ directory: process.cwd(), file: path },
      arguments: ['cc', ...flagsOf(fileOptions[path]), '-c', path],
    }))
    writeFileSync(database, JSON.stringify(commands))
    const time = options.has('timeout') ? [] : ['--timeout', timeout]
    return await test(['--compile-commands', database, ...time, ...withoutProject(args)])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Options = NonNullable<Awaited<ReturnType<typeof withProject>>['fileOptions']>[string]

const flagsOf = (options: Options | undefined): readonly string[] =>
  options
    ? [
        ...options.defines.map((one) => `-D${one}`),
        ...options.undefines.map((one) => `-U${one}`),
        ...options.includeDirs.map((one) => `-I${one}`),
        ...options.preincludes.flatMap((one) => ['-include', one]),
      ]
    : []

const withoutProject = (args: readonly string[]): readonly string[] => {
  const isOurs = (arg: string): boolean => arg === '--project' || arg === '--only'
  const end = args.includes('--') ? args.indexOf('--') : args.length
  return args.filter(
    (arg, i) => i >= end || !(isOurs(arg) || isOurs(args[i - 1] ?? '') || /^--(project|only)=/.test(arg)),
  )
}
