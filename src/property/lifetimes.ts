// Lives of local variables are not followed: their memory stays readable after their block. A proof of
// valid-memsafety needs to know that no address of one is kept anywhere, where it could outlive the variable.
import {
  children,
  type Expr,
  isLibrary,
  type Label,
  type MemoryObject,
  type Program,
  type Variable,
} from '../xcfa/index.js'
import { reachable } from '../xcfa/passes/edit.js'
import { type Addresses, addressesOf } from '../xcfa/passes/memory/flows.js'
import { pointsTo } from '../xcfa/passes/memory/points-to.js'

/** Why a completed search proves no memory safety, if it does not. */
export const unprovedMemory = (raw: Program): string | undefined => {
  const blocks = [...raw.globals, ...raw.objects].some(({ role }) => role === 'reallocated-blocks')
  if (blocks) return 'what is lost is not looked for in a program that calls realloc'
  const local = keptLocal(raw)
  if (!local) return undefined
  const where = local.position ? ` (${local.position.file}:${local.position.line})` : ''
  return `the address of the local variable ${local.name}${where} is kept: whether it is used after the variable is gone is not followed`
}

/** A local variable whose address is a value somewhere (stored, passed, returned), if there is one. */
const keptLocal = (raw: Program): MemoryObject | undefined => {
  const addresses = addressesOf(raw.objects)
  const labels = [...raw.templates.values()].flatMap(({ edges }) => edges.flatMap((edge) => edge.labels))
  const automatic = new Map(
    labels.flatMap((label) =>
      label.kind === 'allocate' && label.object.automatic ? [[label.target, label.object] as const] : [],
    ),
  )
  const outlives = lostWithMain(raw)
  for (const label of labels)
    for (const value of valuesOf(label)) {
      const object = localIn(value, addresses, automatic)
      if (object && (!object.permanent || outlives(object)) && !isOfLibrary(object)) return object
    }
  return undefined
}

/** Where main may call pthread_exit: its variables that other threads may still use then. */
const lostWithMain = (raw: Program): ((object: MemoryObject) => boolean) => {
  if (!reachable(raw.main.initial, raw.main.edges).has(raw.main.final)) return () => false
  const pointers = pointsTo(raw)
  const used = new Set<MemoryObject>()
  for (const procedure of raw.templates.values())
    if (procedure !== raw.main)
      for (const { labels } of procedure.edges)
        for (const label of labels)
          if (label.kind === 'load' || label.kind === 'store')
            for (const { object } of pointers.targets(label.address, procedure)) used.add(object)
  return (object) => used.has(object)
}

/** What a label makes the value of something. */
const valuesOf = (label: Label): readonly Expr[] => {
  switch (label.kind) {
    case 'assign':
    case 'store':
      return [label.value]
    case 'start':
      return label.args
    default:
      return []
  }
}

/** `automatic`: objects by the variables that hold their addresses from the beginning. */
const localIn = (
  e: Expr,
  addresses: Addresses,
  automatic: ReadonlyMap<Variable, MemoryObject>,
): MemoryObject | undefined => {
  if (e.kind === 'var') return automatic.get(e.variable)
  if (e.kind === 'const' && e.type.kind === 'pointer') {
    const object = addresses.objectAt(e.value)?.object
    return object?.storage === 'thread' ? object : undefined
  }
  for (const child of children(e)) {
    const object = localIn(child, addresses, automatic)
    if (object) return object
  }
  return undefined
}

/** Locals of the library's models do what they should. */
const isOfLibrary = ({ position }: MemoryObject): boolean => position === undefined || isLibrary(position)
