// heddle.json on the disk: found and read by verify and test, written by init.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { type ProjectEntry, type ProjectFile, projectFileText, readProjectFile } from '../../project/index.js'
import { type Parsed, UsageError } from './options.js'

export type { ProjectEntry, ProjectFile } from '../../project/index.js'

export const PROJECT_FILE = 'heddle.json'

/** What a call without files means: the project that is named, or the one of this folder. */
export const projectOf = ({ files, options }: Parsed): ProjectFile | undefined => {
  const named = options.get('project')?.[0]
  if (named !== undefined) {
    if (files.length > 0 || options.has('p'))
      throw new UsageError('--project says which files there are: name no others')
    return readProject(named)
  }
  const isOpen = files.length === 0 && !options.has('p')
  return isOpen && existsSync(PROJECT_FILE) ? readProject(PROJECT_FILE) : undefined
}

/** Paths in it are relative to where it lies. */
const readProject = (file: string): ProjectFile => {
  if (!existsSync(file)) throw new UsageError(`${file}: no such file (heddle init writes one)`)
  const read = readProjectFile(readFileSync(file, 'utf8'))
  if ('wrong' in read) throw new UsageError(`${file}: ${read.wrong}`)
  const at = (path: string): string => (isAbsolute(path) ? path : join(dirname(file), path))
  return {
    ...read,
    build: at(read.build),
    stubs: read.stubs.map(at),
    entries: read.entries.map((entry) => ({ ...entry, file: at(entry.file) })),
  }
}

/** Those that --only names, or all. */
export const entriesOf = ({ entries }: ProjectFile, { options }: Parsed): readonly ProjectEntry[] => {
  const only = options.get('only')
  if (only === undefined) return entries
  const missing = only.find((name) => entries.every((entry) => entry.name !== name))
  if (missing !== undefined)
    throw new UsageError(`--only ${missing}: the project has ${entries.map(({ name }) => name).join(', ')}`)
  return entries.filter(({ name }) => only.includes(name))
}

export const writeProject = (file: string, project: ProjectFile): void => writeFileSync(file, projectFileText(project))
