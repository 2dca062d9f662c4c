// Local variables whose address may be kept where it outlives their function: in what it returns, in a global variable, on
// the heap, in a caller's variable, or with a thread that it starts. Their memory stays readable here, while C leaves
// undefined what such a pointer leads to (C11 6.2.4p2): a verdict has to mention it. Inner blocks count as their function.
import { variablesOf } from '../../build.js'
import type { Expr } from '../../expr.js'
import { isLibrary, type Label, type MemoryObject, type Procedure, type Unit, type Variable } from '../../model.js'
import { THREAD_MAIN } from '../inline/inline.js'
import { type PointsTo, pointsToInUnit } from './points-to.js'

/** The first such variable. */
export const outlivingLocal = (unit: Unit): MemoryObject | undefined => {
  const owners = new Map<MemoryObject, Procedure>()
  for (const procedure of unit.procedures.values())
    for (const object of procedure.objects) if (mayBeGone(object)) owners.set(object, procedure)
  if (![...unit.procedures.values()].some((procedure) => handsOut(procedure, owners, unit.frames))) return undefined
  const lives = new Lives(unit, owners)
  for (const procedure of unit.procedures.values())
    for (const { labels } of procedure.edges)
      for (const label of labels) {
        const found = lives.outliving(label, procedure)
        if (found) return found
      }
  return undefined
}

/** A named variable of the program. */
const mayBeGone = ({ permanent, position }: MemoryObject): boolean =>
  permanent !== true && position !== undefined && !isLibrary(position)

/** Whether the address of one of these is a value somewhere: most are only accessed. */
const handsOut = (
  { edges }: Procedure,
  owners: ReadonlyMap<MemoryObject, Procedure>,
  frames: Unit['frames'],
): boolean => {
  const isAddress = (variable: Variable): boolean => {
    const object = frames?.get(variable)
    return object !== undefined && owners.has(object)
  }
  return edges.some(({ labels }) =>
    labels.some((label) => valuesOf(label).some((value) => [...variablesOf(value)].some(isAddress))),
  )
}

/** What a label hands on. */
const valuesOf = (label: Label): readonly Expr[] => {
  if (label.kind === 'assign' || label.kind === 'store') return [label.value]
  return label.kind === 'call' || label.kind === 'primitive' ? label.args : []
}

class Lives {
  private readonly pointers: PointsTo
  private readonly reached = new Map<string, ReadonlySet<string>>()

  constructor(
    private readonly unit: Unit,
    private readonly owners: ReadonlyMap<MemoryObject, Procedure>,
  ) {
    this.pointers = pointsToInUnit(unit, THREAD_MAIN)
  }

  /** A local variable that what the label does may outlive. */
  outliving(label: Label, procedure: Procedure): MemoryObject | undefined {
    switch (label.kind) {
      case 'assign':
        if (label.target.scope === 'global') return this.locals(label.value, procedure)[0]
        if (label.target !== procedure.result) return undefined
        return this.locals(label.value, procedure).find((local) => this.owners.get(local) === procedure)
      case 'store':
        return this.stored(label, procedure)
      case 'primitive':
        return label.name === 'start' && label.args[1] ? this.locals(label.args[1], procedure)[0] : undefined
      default:
        return undefined
    }
  }

  private stored({ value, address, type }: Label & { readonly kind: 'store' }, procedure: Procedure) {
    if (type.kind !== 'pointer') return undefined
    const locals = this.locals(value, procedure)
    if (locals.length === 0) return undefined
    const holders = this.pointers.targets(address, procedure).map(({ object }) => object)
    return locals.find((local) => holders.some((holder) => this.mayOutlive(holder, this.owners.get(local)!)))
  }

  private locals(value: Expr, procedure: Procedure): readonly MemoryObject[] {
    if (value.type.kind !== 'pointer') return []
    return this.pointers.targets(value, procedure).flatMap(({ object }) => (this.owners.has(object) ? [object] : []))
  }

  /** What belongs to the function itself, or to one that it calls, is gone before. */
  private mayOutlive(holder: MemoryObject, owner: Procedure): boolean {
    if (holder.role === 'library') return false
    const other = [...this.unit.procedures.values()].find(({ objects }) => objects.includes(holder))
    if (!other) return true
    const [below, above] = [this.calledBy(owner.name), this.calledBy(other.name)]
    return other === owner ? below.has(owner.name) : !below.has(other.name) || above.has(owner.name)
  }

  /** Names of procedures that a call of this one may lead to. */
  private calledBy(name: string): ReadonlySet<string> {
    const known = this.reached.get(name)
    if (known) return known
    const found = new Set<string>()
    const work = [name]
    for (let at = work.pop(); at !== undefined; at = work.pop())
      for (const { labels } of this.unit.procedures.get(at)?.edges ?? [])
        for (const label of labels)
          if (label.kind === 'call')
            for (const callee of typeof label.callee === 'string' ? [label.callee] : label.candidates)
              if (!found.has(callee)) {
                found.add(callee)
                work.push(callee)
              }
    this.reached.set(name, found)
    return found
  }
}
