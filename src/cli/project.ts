// heddle verify of a project: each entry with each property, as heddle.json says. The last line is the worst verdict.
import { type Parsed, parseArguments, UsageError } from '../run/call/options.js'
import { entriesOf, type ProjectEntry, type ProjectFile } from '../run/call/project-file.js'
import { verifyTable } from '../run/call/request-from.js'
import { STATUS } from './status.js'
import { verifyProgram } from './verify.js'

export const verifyProject = async (project: ProjectFile, args: readonly string[], parsed: Parsed): Promise<number> => {
  const entries = entriesOf(project, parsed)
  if (entries.length === 1) return verifyEntry(project, entries[0]!, args)
  if (parsed.options.has('json')) throw new UsageError('--json is for one entry of a project: say --only NAME')
  const statuses: number[] = []
  for (const entry of entries) {
    console.log(`== ${entry.name}`)
    statuses.push(await verifyEntry(project, entry, args))
    if (statuses.at(-1) === STATUS.wrongInput) return STATUS.wrongInput
    console.log('')
  }
  const of = (status: number): string =>
    entries.flatMap(({ name }, i) => (statuses[i] === status ? [name] : [])).join(', ')
  const worst = [STATUS.false, STATUS.unknown].find((status) => statuses.includes(status)) ?? STATUS.true
  if (worst === STATUS.true) console.log('VERDICT: TRUE')
  else console.log(`VERDICT: ${worst === STATUS.false ? 'FALSE' : 'UNKNOWN'}(${of(worst)})`)
  return worst
}

/** What the call says counts more than what the file says. */
const verifyEntry = async (
  project: ProjectFile,
  { file, entry }: ProjectEntry,
  args: readonly string[],
): Promise<number> => {
  const table = verifyTable()
  const given = parseArguments(args, table).options
  const said = parseArguments(project.options, table).options
  const own = new Map([
    ['p', [project.build]],
    ['file', [file]],
    ['entry', [entry]],
    ['timeout', [project.timeout]],
    ['property', project.properties],
  ])
  const options = new Map<string, readonly string[]>([...own, ...said, ...given])
  options.delete('project')
  options.delete('only')
  return verifyProgram({ files: [], options }, project.stubs)
}
