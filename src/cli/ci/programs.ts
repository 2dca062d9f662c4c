// Which programs a project has: C files that define main. Which of them a change touches: those whose own text changed,
// or that of a file that they include, directly or not.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { hasFunction } from '../../lsp/source.js'
import { UsageError } from '../../run/call/options.js'

export const SKIPPED = new Set(['node_modules', '.git', 'build', 'dist'])

export const programsBelow = (paths: readonly string[]): readonly string[] => {
  const files = paths.flatMap((path) => {
    if (!existsSync(path)) throw new UsageError(`${path}: no such file or folder`)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
  return [...new Set(files.map(normalize))].filter((file) => hasFunction(readFileSync(file, 'utf8'), 'main')).sort()
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(path)
    return entry.name.endsWith('.c') ? [path] : []
  })

export const changedPrograms = (programs: readonly string[], changed: readonly string[]): readonly string[] => {
  const touched = new Set(changed.map(normalize))
  return programs.filter((program) => [...includedBy(program)].some((file) => touched.has(file)))
}

/** The file and what it includes by quotes, as far as it is found beside the including file. */
const includedBy = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(file) || !existsSync(file)) return seen
  seen.add(file)
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^\s*#\s*include\s*"([^"]+)"/gm))
    includedBy(normalize(join(dirname(file), name!)), seen)
  return seen
}
