// Reads the line ` * Verdicts: assert TRUE, no-data-race FALSE` of each program in examples/.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Example {
  readonly name: string
  readonly path: string
  readonly text: string
  /** By property; true: it holds. */
  readonly verdicts: ReadonlyMap<string, boolean>
}

const FOLDER = join(import.meta.dirname, '../../examples')

export const verdictsOf = (text: string): ReadonlyMap<string, boolean> => {
  const line = /^ \* Verdicts: (.*)$/m.exec(text)?.[1] ?? ''
  return new Map(
    [...line.matchAll(/([\w-]+) (TRUE|FALSE)/g)].map(([, property, value]) => [property!, value === 'TRUE']),
  )
}

export const EXAMPLES: readonly Example[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.c'))
  .sort()
  .map((name) => {
    const path = join(FOLDER, name)
    const text = readFileSync(path, 'utf8')
    return { name, path, text, verdicts: verdictsOf(text) }
  })
