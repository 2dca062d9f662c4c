// Which error locations are errors depends on the property: with unreach-call a failed assertion just ends the
// program; with races and deadlocks every error does. One pass, so that engines see only errors that count.
//
// Ends inside atomic blocks: a thread that ends there (a halt at an atomic location) lets nobody see what it did
// before in the block. In the raw program nobody moves any more; engines need the end to concern its own thread only
// (soundness.md 1). For reachability the step is left out: the thread might as well never have entered the block.
import { isErrorFor } from '../semantics/violation.js'
import type { Edge, Location, Program } from '../xcfa/index.js'
import { originsOf, withTemplates } from '../xcfa/passes/edit.js'
import { memoryChecks } from './memory.js'
import type { Property } from './names.js'

export interface ErrorOptions {
  /** valid-memsafety: the end of the program is an error where not everything was freed; default true. */
  readonly leaks?: boolean
  /** valid-memsafety: how many instances of one heap object are told apart. */
  readonly told?: number
}

/** The program in which a location is an error exactly if reaching it violates the property. */
export const errorsOf = (raw: Program, property: Property, { leaks = true, told }: ErrorOptions = {}): Program => {
  const program = property === 'valid-memsafety' ? memoryChecks(raw, leaks, told) : raw
  const replaced = new Map<Location, Location>()
  const located = (location: Location): Location => replaced.get(location) ?? location
  for (const { locations, edges } of program.templates.values())
    for (const location of new Set([...locations, ...edges.map((edge) => edge.target)])) {
      const changed = openEnd(asError(asHalt(location, property), property), property)
      if (changed !== location) replaced.set(location, changed)
    }
  if (replaced.size === 0) return program
  return withTemplates(program, (procedure) => ({
    ...procedure,
    initial: located(procedure.initial),
    locations: procedure.locations.map(located),
    edges: procedure.edges
      .filter((edge) => !endsBlock(edge, property) && !(edge.source.kind === 'error' && replaced.has(edge.source)))
      .map((edge) =>
        replaced.has(edge.target) ? { ...edge, target: located(edge.target), origins: originsOf(edge) } : edge,
      ),
  }))
}

/** An error that is none for the property ends the program. */
const asHalt = (location: Location, property: Property): Location => {
  const { violation, ...rest } = location
  if (location.kind !== 'error' || !violation || isErrorFor(property, violation)) return location
  return { ...rest, kind: 'halt', reason: { kind: 'exit', text: violation.text } }
}

/** Undefined behaviour that the property forbids (a call through a pointer to no function). */
const asError = (location: Location, property: Property): Location => {
  const { reason, ...rest } = location
  if (property !== 'valid-memsafety' || location.kind !== 'halt' || !reason?.violates) return location
  return { ...rest, kind: 'error', violation: { kind: reason.violates, text: reason.text } }
}

const isReachability = (property: Property): boolean =>
  property === 'assert' || property === 'unreach-call' || property === 'no-overflow'

/** The end of the program matters by itself for these: there, it depends on every action. */
const needsEnd = (property: Property): boolean => property === 'no-deadlock' || property === 'termination'

/** A halt that holds nobody up: what was done before in its block is then visible, which replay refutes. */
const openEnd = (location: Location, property: Property): Location =>
  location.kind === 'halt' && location.atomic && !needsEnd(property) ? { ...location, atomic: false } : location

/** A whole atomic block that ends the program, or fails an assumption, as one step. */
const endsBlock = ({ source, target }: Edge, property: Property): boolean => {
  if (!isReachability(property) || source.atomic || !target.atomic) return false
  const end = asHalt(target, property)
  return end.kind === 'halt' && end.reason?.kind !== 'undefined'
}
