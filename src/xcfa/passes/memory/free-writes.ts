// `free` counts as a write of the whole block for races (C11 7.22.3: a free synchronises only with the allocation that
// gets the memory next). Beside each edge that frees, there is one for each part of the block that the program accesses,
// which writes that part first. The edge itself stays, so that no execution is lost where a block has no such part.
import { add, cast, constant, mul, ne, varExpr } from '../../build.js'
import type { Expr } from '../../expr.js'
import type { Edge, Label, MemoryObject, Procedure, Program, Slot, Variable } from '../../model.js'
import { byteSize, intType, type Type } from '../../types.js'
import { withTemplates } from '../edit.js'
import { hasLabel } from './observed-addresses.js'
import { type PointsTo, pointsTo } from './points-to.js'
import { lastOffset, slotKey } from './slot.js'

/** A part of an object that some access may mean. */
export interface Part {
  readonly slot: Slot
  readonly type: Type
}

interface Context {
  readonly program: Program
  readonly pointers: PointsTo
  readonly parts: ReadonlyMap<MemoryObject, readonly Part[]>
  readonly fresh: () => number
}

/** Of a program whose edges have no origins: it is what counterexamples are replayed in. */
export const freesWrite = (program: Program): Program => {
  if (program.templates.size < 2 || !hasLabel(program, 'free')) return program
  const pointers = pointsTo(program)
  const context: Context = { program, pointers, parts: partsOf(program, pointers), fresh: freshNumbers(program) }
  return withTemplates(program, (procedure) => {
    const locals: Variable[] = []
    const edges = procedure.edges.flatMap((edge) => [
      edge,
      ...writesBefore(edge, procedure, context).map((labels): Edge => {
        for (const label of labels) if (label.kind === 'havoc') locals.push(label.target)
        return { ...edge, id: context.fresh(), labels }
      }),
    ])
    return { ...procedure, edges, locals: [...procedure.locals, ...locals] }
  })
}

/** What the edges beside one that frees do. */
const writesBefore = (edge: Edge, procedure: Procedure, context: Context): readonly (readonly Label[])[] => {
  const at = edge.labels.findIndex(({ kind }) => kind === 'free')
  const freed = edge.labels[at]
  if (freed?.kind !== 'free') return []
  const objects = new Set(context.pointers.targets(freed.address, procedure).map(({ object }) => object))
  return uniqueParts([...objects].flatMap((object) => context.parts.get(object) ?? [])).map((part) => [
    ...edge.labels.slice(0, at),
    { kind: 'assume', condition: ne(freed.address, constant(freed.address.type, 0)) },
    ...writeOf(part, freed.address, context),
    ...edge.labels.slice(at),
  ])
}

/** Numbers that no edge, location or variable of the program has. */
export const freshNumbers = (program: Program): (() => number) => {
  let next = 1
  const count = ({ id }: { readonly id: number }): void => {
    next = Math.max(next, id + 1)
  }
  program.globals.forEach(count)
  for (const { edges, locations, locals, parameters, self } of program.templates.values())
    for (const item of [...edges, ...locations, ...locals, ...parameters, self]) count(item)
  return () => next++
}

export const partsOf = (program: Program, pointers: PointsTo): Map<MemoryObject, Part[]> => {
  const parts = new Map<MemoryObject, Part[]>()
  for (const procedure of program.templates.values())
    for (const { labels } of procedure.edges)
      for (const label of labels) {
        if (label.kind !== 'load' && label.kind !== 'store') continue
        for (const slot of pointers.targets(label.address, procedure))
          if (slot.object.storage === 'heap' && slot.offset >= 0)
            parts.set(slot.object, [...(parts.get(slot.object) ?? []), { slot, type: label.type }])
      }
  return parts
}

export const uniqueParts = (parts: readonly Part[]): readonly Part[] => {
  const known = new Map<string, Part>()
  for (const part of parts) {
    const { offset, step, count } = part.slot
    const key = slotKey({ ...part.slot, object: { ...part.slot.object, id: 0 }, offset, step, count })
    known.set(`${key}:${JSON.stringify(part.type)}`, part)
  }
  return [...known.values()]
}

/** A write of one of the part's scalars; one that is not in the block stops the thread, which says nothing. */
const writeOf = ({ slot, type }: Part, block: Expr, { fresh, program }: Context): readonly Label[] => {
  const [region] = program.regions
  const width = block.type.kind === 'pointer' ? block.type.width : 64
  const offset = constant(intType(width, true), slot.offset)
  const value = constant(type, 0)
  const store = (address: Expr): Label => ({ kind: 'store', region: region!, address, type, value })
  const last = Math.min(lastOffset(slot), slot.object.size - byteSize(type))
  if (slot.step === 0 || last <= slot.offset) return [store(add(block, offset))]
  const unsigned = intType(32, false)
  const index: Variable = { id: fresh(), name: 'freed', type: unsigned, scope: 'local', initial: 0 }
  const range = { low: constant(unsigned, 0), high: constant(unsigned, Math.floor((last - slot.offset) / slot.step)) }
  const moved = mul(cast(intType(width, true), varExpr(index)), constant(intType(width, true), slot.step))
  return [{ kind: 'havoc', target: index, range }, store(add(add(block, moved), offset))]
}
