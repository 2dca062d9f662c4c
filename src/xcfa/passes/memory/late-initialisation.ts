// Locks that may be initialised while they are held, which POSIX leaves undefined: the models make such a lock free. Where
// main initialises everything before the first thread starts and the first lock is taken, none can be.
import type { Edge, Program, Sync } from '../../model.js'
import { reachable } from '../edit.js'

/** What a verdict has to mention then. */
export const INITIALISED_IDLE = 'no lock is initialised while it is held'

const TAKES: ReadonlySet<Sync['kind']> = new Set(['lock', 'trylock', 'read-lock', 'start'])

export const mayInitialiseHeld = ({ templates, main }: Program): boolean => {
  const isBegun = ({ sync }: Edge): boolean => sync?.life === 'begins'
  for (const template of templates.values()) if (template !== main && template.edges.some(isBegun)) return true
  const begun = main.edges.filter(isBegun)
  if (begun.length === 0) return false
  const later = new Set(
    main.edges
      .filter(({ sync }) => sync !== undefined && TAKES.has(sync.kind))
      .flatMap(({ target }) => [...reachable(target, main.edges)]),
  )
  return begun.some(({ source }) => later.has(source))
}
