// Locals whose value nobody reads any more: runs that differ in them only go on alike.
import type { Location, Procedure, Program, Variable } from '../../xcfa/index.js'
import { read, written } from '../../xcfa/passes/index.js'

export class Liveness {
  private readonly live = new Map<Location, ReadonlySet<Variable>>()

  constructor({ templates }: Program) {
    for (const template of templates.values()) this.settle(template)
  }

  isDead(variable: Variable, location: Location): boolean {
    return variable.scope === 'local' && !this.live.get(location)?.has(variable)
  }

  /** Backwards along the edges, until nothing changes. */
  private settle({ edges }: Procedure): void {
    for (let changed = true; changed; ) {
      changed = false
      for (const { source, target, labels } of [...edges].reverse()) {
        const needed = new Set(this.live.get(target))
        for (const label of [...labels].reverse()) {
          for (const v of written(label)) needed.delete(v)
          for (const v of read(label)) needed.add(v)
        }
        const known = this.live.get(source) ?? new Set()
        if ([...needed].every((v) => known.has(v))) continue
        this.live.set(source, new Set([...known, ...needed]))
        changed = true
      }
    }
  }
}
