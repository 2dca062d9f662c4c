// The handle of a new thread is stored by `pthread_create`, and nothing orders that store before what the thread does
// (POSIX, pthread_create: the handle is stored "upon successful completion"). As with glibc, the model stores it in the
// step that starts the thread. For races it is stored once more by a step behind that one, where another thread may
// access it: if somebody does without waiting for its creator, the two accesses are a race.
import { variablesOf } from '../../build.js'
import type { Edge, Label, Location, Procedure, Program, Slot } from '../../model.js'
import { byteSize } from '../../types.js'
import { withTemplates } from '../edit.js'
import { freshNumbers } from './free-writes.js'
import { type PointsTo, pointsTo } from './points-to.js'
import { overlaps } from './slot.js'

/** What a verdict has to mention where the handle's store is the step of the start. */
export const HANDLE_STORED = 'pthread_create stores the handle before the new thread runs, as with glibc'

/** Edges that start a thread whose handle may be accessed by other threads than its creator. */
export const sharedHandles = (program: Program): ReadonlySet<Edge> => {
  const creations = [...program.templates.values()].flatMap((procedure) =>
    procedure.edges.flatMap((edge) => {
      const stored = handleStore(edge)
      return stored === undefined ? [] : [{ edge, procedure, store: edge.labels[stored] as Store }]
    }),
  )
  if (creations.length === 0) return new Set()
  const pointers = pointsTo(program)
  const accesses = [...program.templates.values()].flatMap((procedure) => accessesOf(procedure, pointers))
  const isShared = ({ procedure, store }: (typeof creations)[number]): boolean => {
    const slots = pointers.targets(store.address, procedure)
    const size = byteSize(store.type)
    return accesses.some(
      ({ by, label, slot, size: length }) =>
        (by !== procedure || (by !== program.main && label !== store && slot.object.storage !== 'thread')) &&
        slots.some((handle) => overlaps(handle, size, slot, length)),
    )
  }
  return new Set(creations.filter(isShared).map(({ edge }) => edge))
}

/** Of a program whose edges have no origins: it is what counterexamples are replayed in. */
export const storeHandlesAgain = (program: Program, shared: ReadonlySet<Edge>): Program => {
  if (shared.size === 0) return program
  const fresh = freshNumbers(program)
  return withTemplates(program, (procedure) => {
    const locations: Location[] = []
    const edges = procedure.edges.flatMap((edge): readonly Edge[] => {
      if (!shared.has(edge)) return [edge]
      const at = handleStore(edge)!
      const { position, target } = edge
      const between: Location = { id: fresh(), kind: 'plain', atomic: target.atomic, position }
      locations.push(between)
      const { sync: _, ...plain } = edge
      return [
        { ...edge, target: between, labels: edge.labels.slice(0, at + 1) },
        { ...plain, id: fresh(), source: between, labels: edge.labels.slice(at) },
      ]
    })
    return { ...procedure, edges, locations: [...procedure.locations, ...locations] }
  })
}

type Store = Label & { readonly kind: 'store' }

/** Which label stores the number of the thread that the edge starts. */
const handleStore = ({ labels }: Edge): number | undefined => {
  const started = labels.find((label) => label.kind === 'start')
  if (started?.kind !== 'start') return undefined
  const at = labels.findIndex((label) => label.kind === 'store' && variablesOf(label.value).has(started.target))
  return at < 0 ? undefined : at
}

interface Access {
  readonly by: Procedure
  readonly label: Label
  readonly slot: Slot
  readonly size: number
}

const accessesOf = (by: Procedure, pointers: PointsTo): readonly Access[] =>
  by.edges.flatMap(({ labels }) =>
    labels.flatMap((label) =>
      label.kind === 'load' || label.kind === 'store'
        ? pointers.targets(label.address, by).map((slot) => ({ by, label, slot, size: byteSize(label.type) }))
        : [],
    ),
  )
