// What a program is called with is modelled up to a bound of ours: of a string the first characters, of the arguments the first
// few. An access of what lies beyond is a place that proofs must not come to; where the property looks for no places, the
// thread stops there as it does at undefined behaviour, which the ledger names and random walks look for.
import { add, and, cast, constant, constantValue, le, lt, not, or, rem, sub } from '../../build.js'
import type { Expr } from '../../expr.js'
import type { Edge, Label, Location, MemoryObject, Procedure, Program } from '../../model.js'
import { byteSize, intType } from '../../types.js'
import { withTemplates } from '../edit.js'
import { freshNumbers } from './free-writes.js'
import { type PointsTo, pointsTo } from './points-to.js'

/** Objects for arguments are larger than this, so that what is beyond belongs to the same object still. */
const MODELLED_CHARACTERS = 7
const MODELLED_ARGUMENTS = 4

const TEXT = 'arguments of the program that are more or longer than is modelled'

/** `isViolation`: the property is about places, and this is one. Edges of the program have no origins. */
export const limitArguments = (program: Program, isViolation: boolean): Program =>
  program.objects.some(isArgument) ? new Limits(program, isViolation).program() : program

const isArgument = ({ role }: MemoryObject): boolean => role === 'argument'

class Limits {
  private readonly pointers: PointsTo
  private readonly fresh: () => number

  constructor(
    private readonly raw: Program,
    private readonly isViolation: boolean,
  ) {
    this.pointers = pointsTo(raw)
    this.fresh = freshNumbers(raw)
  }

  program(): Program {
    return withTemplates(this.raw, (procedure) => {
      const locations: Location[] = []
      const edges = procedure.edges.flatMap((edge) => this.limited(edge, procedure, locations))
      return { ...procedure, edges, locations: [...procedure.locations, ...locations] }
    })
  }

  /** The edge, for accesses that are within the bound, and one for each access that may be beyond. */
  private limited(edge: Edge, procedure: Procedure, locations: Location[]): readonly Edge[] {
    const labels: Label[] = []
    const beyond: Edge[] = []
    for (const label of edge.labels) {
      const condition = this.isBeyond(label, procedure)
      if (condition && constantValue(condition) !== 0) {
        const target = this.limit(edge)
        locations.push(target)
        beyond.push({ ...edge, id: this.fresh(), labels: [...labels, { kind: 'assume', condition }], target })
        labels.push({ kind: 'assume', condition: not(condition) })
      }
      labels.push(label)
    }
    return beyond.length === 0 ? [edge] : [{ ...edge, labels }, ...beyond]
  }

  private limit({ position }: Edge): Location {
    const place = { id: this.fresh(), atomic: false, position }
    return this.isViolation
      ? { ...place, kind: 'error', violation: { kind: 'limit', text: TEXT } }
      : { ...place, kind: 'halt', reason: { kind: 'undefined', text: TEXT } }
  }

  private isBeyond(label: Label, procedure: Procedure): Expr | undefined {
    if (label.kind !== 'load' && label.kind !== 'store') return undefined
    const objects = new Set(this.pointers.targets(label.address, procedure).map(({ object }) => object))
    const reached = [...objects].filter(isArgument)
    if (reached.length === 0) return undefined
    return or(...reached.map((object) => this.isPastModelled(object, label.address, byteSize(label.type))))
  }

  /** The bytes are within an instance of the object, and some of them are not among those that are modelled. */
  private isPastModelled(object: MemoryObject, address: Expr, size: number): Expr {
    const type = intType(this.raw.dataModel === 'ilp32' ? 32 : 64, true)
    const from = sub(cast(type, address), constant(type, object.base))
    const isHeap = object.storage === 'heap'
    const end = isHeap ? object.stride * (object.instances ?? 1) : object.size
    const offset = isHeap ? rem(from, constant(type, object.stride)) : from
    const last = isHeap ? MODELLED_CHARACTERS : (MODELLED_ARGUMENTS * type.width) / 8
    return and(
      le(constant(type, 0), from),
      lt(from, constant(type, end)),
      lt(constant(type, last), add(offset, constant(type, size))),
      lt(offset, constant(type, object.size)),
    )
  }
}
