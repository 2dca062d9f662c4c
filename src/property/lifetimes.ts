// Lives of local variables are not followed: their memory stays readable after their block. A proof of
// valid-memsafety needs to know that no address of one is kept anywhere, where it could outlive the variable.
import { children, type Expr, type Label, type MemoryObject, type Program } from '../xcfa/index.js'
import { type Addresses, addressesOf } from '../xcfa/passes/memory/flows.js'

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
  for (const { edges } of raw.templates.values())
    for (const { labels } of edges)
      for (const label of labels)
        for (const value of valuesOf(label)) {
          const object = localIn(value, addresses)
          if (object && !object.permanent && !isLibrary(object)) return object
        }
  return undefined
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

const localIn = (e: Expr, addresses: Addresses): MemoryObject | undefined => {
  if (e.kind === 'const' && e.type.kind === 'pointer') {
    const object = addresses.objectAt(e.value)?.object
    return object?.storage === 'thread' ? object : undefined
  }
  for (const child of children(e)) {
    const object = localIn(child, addresses)
    if (object) return object
  }
  return undefined
}

/** Locals of the library's models do what they should. */
const isLibrary = ({ position }: MemoryObject): boolean => position === undefined || position.file.startsWith('<')
