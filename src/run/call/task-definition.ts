// SV-COMP task definitions, formats 1.0 and 2.0: input files, properties with expected verdicts, data model.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join } from 'node:path'
import { UsageError } from './options.js'

export interface TaskDefinition {
  readonly name: string
  readonly files: readonly string[]
  readonly dataModel: 'ilp32' | 'lp64' | undefined
  readonly properties: readonly { readonly property: string; readonly expected: boolean | undefined }[]
}

interface Yaml {
  input_files?: string | string[]
  properties?: { property_file: string; expected_verdict?: boolean }[]
  options?: { data_model?: string }
}

/** Loaded when a task file is read: most calls name C files. */
const require = createRequire(import.meta.url)

export const readTask = (file: string): TaskDefinition => {
  if (/\.(c|i|cc|cpp|h)$/.test(file))
    throw new UsageError(
      `${file}: a program, not a task definition. bench compares verdicts with the expected ones of .yml task files; heddle verify ${file} decides one program`,
    )
  let yaml: Yaml
  try {
    const { parse } = require('yaml') as typeof import('yaml')
    yaml = parse(readFileSync(file, 'utf8')) as Yaml
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message.split('\n')[0]}`)
  }
  const inputs = yaml?.input_files
  if (!inputs) throw new UsageError(`${file}: no input_files: not a task definition`)
  const folder = dirname(file)
  const dataModel = yaml.options?.data_model?.toLowerCase()
  return {
    name: file,
    files: (Array.isArray(inputs) ? inputs : [inputs]).map((f) => (isAbsolute(f) ? f : join(folder, f))),
    dataModel: dataModel === 'ilp32' || dataModel === 'lp64' ? dataModel : undefined,
    properties: (yaml.properties ?? []).map((p) => ({
      property: join(folder, p.property_file),
      expected: p.expected_verdict,
    })),
  }
}

/** Task files of folders (recursively), of `.set` files (one glob per line), and task files themselves. */
export const findTasks = (paths: readonly string[]): readonly string[] => {
  const found = paths.flatMap((path) => {
    let isFolder: boolean
    try {
      isFolder = statSync(path).isDirectory()
    } catch {
      throw new UsageError(`${path}: no such file or folder`)
    }
    if (isFolder)
      return readdirSync(path, { recursive: true })
        .map(String)
        .filter((f) => /\.ya?ml$/.test(f))
        .map((f) => join(path, f))
    return path.endsWith('.set') ? tasksOfSet(path) : [path]
  })
  if (found.length === 0)
    throw new UsageError(`no task definitions (.yml) in ${paths.join(', ')}: heddle verify decides programs one by one`)
  return [...new Set(found)].sort()
}

const tasksOfSet = (path: string): string[] => {
  const patterns = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean)
  const folder = dirname(path)
  const all = readdirSync(folder, { recursive: true }).map(String)
  return patterns.flatMap((pattern) => {
    const regex = new RegExp(
      `^${pattern
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '[^/]*')
        .replaceAll('?', '[^/]')}$`,
    )
    return all.filter((f) => regex.test(f)).map((f) => join(folder, f))
  })
}
