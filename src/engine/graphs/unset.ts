// Fields of the library's objects that no program sets: the kind of a mutex that is initialised without attributes. They
// are 0 in every execution, so that a call that looks at them, and at the owner, reads one location only.
import { type Edge, isConstant, type Program, type Region } from '../../xcfa/index.js'

/** Regions into which nothing but 0 is ever stored. */
export const unsetRegions = (program: Program): ReadonlySet<Region> => {
  const regions = new Set<Region>()
  const set = new Set<Region>()
  for (const { edges } of program.templates.values())
    for (const { labels } of edges)
      for (const label of labels) {
        if (label.kind === 'load') regions.add(label.region)
        if (label.kind === 'store' && !isConstant(label.value, 0)) set.add(label.region)
      }
  return new Set([...regions].filter((region) => !set.has(region)))
}

/** A call of the library, which accesses nothing but its own objects. */
export const isLibraryCall = ({ sync }: Edge): boolean =>
  sync !== undefined && sync.kind !== 'atomic' && sync.kind !== 'start' && sync.kind !== 'join'
