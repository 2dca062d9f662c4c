// Fields of the library's objects into which nothing but 0 is ever stored, like the kind of a mutex without attributes. A
// call that looks at one reads 0 in every execution, so that such reads are no part of what an execution is.
import type { ConcreteAccess } from '../semantics/index.js'
import { type Edge, isConstant, type Label, type Program, type Region } from '../xcfa/index.js'

type Load = Extract<Label, { kind: 'load' }>

export class Unset {
  private readonly stored = new Set<Region>()

  constructor(program: Program) {
    for (const { edges } of program.templates.values())
      for (const { labels } of edges)
        for (const label of labels)
          if (label.kind === 'store' && !isConstant(label.value, 0)) this.stored.add(label.region)
  }

  /** The accesses of one step; its loads read in the order in which they stand. */
  withoutReads(accesses: readonly ConcreteAccess[]): readonly ConcreteAccess[] {
    const edge = accesses[0]?.edge
    if (!edge || !isLibraryCall(edge)) return accesses
    const loads = edge.labels.filter((label): label is Load => label.kind === 'load')
    const reads = accesses.filter(({ kind, write }) => kind === 'memory' && !write)
    if (loads.length !== reads.length) return accesses
    const left = new Set(reads.filter((_, i) => !this.stored.has(loads[i]!.region)))
    return accesses.filter((access) => !left.has(access))
  }
}

const isLibraryCall = ({ sync }: Edge): boolean =>
  sync !== undefined && sync.kind !== 'atomic' && sync.kind !== 'start' && sync.kind !== 'join'
