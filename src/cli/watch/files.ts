// Which C files and headers changed between two looks, by their times and sizes: watching folders by events differs from
// system to system, and reading a few hundred times costs nothing.
import { readdirSync, statSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { SKIPPED } from '../ci/programs.js'

export class Files {
  private known = new Map<string, string>()

  constructor(private readonly paths: readonly string[]) {}

  /** Paths of files that are new, other or gone since the last call; at first all of them. */
  changed(): readonly string[] {
    const now = new Map<string, string>()
    for (const path of this.paths) collect(normalize(path), now)
    const before = this.known
    this.known = now
    const names = new Set([...before.keys(), ...now.keys()])
    return [...names].filter((name) => before.get(name) !== now.get(name))
  }
}

const collect = (path: string, into: Map<string, string>): void => {
  try {
    const stat = statSync(path)
    if (!stat.isDirectory()) into.set(path, `${stat.mtimeMs} ${stat.size}`)
    else
      for (const entry of readdirSync(path, { withFileTypes: true }))
        if (entry.isDirectory() ? !SKIPPED.has(entry.name) : /\.[chi]$/.test(entry.name))
          collect(join(path, entry.name), into)
  } catch {
    // Removed while we looked: the next look does not find it either.
  }
}
