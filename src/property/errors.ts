// Which error locations are errors depends on the property: with unreach-call a failed assertion just ends the
// program; with races and deadlocks every error does. One pass, so that engines see only errors that count.
import { isErrorFor } from '../semantics/violation.js'
import type { Location, Program } from '../xcfa/index.js'
import { originsOf, withTemplates } from '../xcfa/passes/edit.js'
import type { Property } from './names.js'

/** The program in which a location is an error exactly if reaching it violates the property. */
export const errorsOf = (program: Program, property: Property): Program => {
  const replaced = new Map<Location, Location>()
  const located = (location: Location): Location => replaced.get(location) ?? location
  for (const { locations, edges } of program.templates.values())
    for (const location of [...locations, ...edges.map((edge) => edge.target)])
      if (isHarmless(location, property)) replaced.set(location, asHalt(location))
  if (replaced.size === 0) return program
  return withTemplates(program, (procedure) => ({
    ...procedure,
    initial: located(procedure.initial),
    locations: procedure.locations.map(located),
    edges: procedure.edges
      .filter((edge) => !replaced.has(edge.source))
      .map((edge) =>
        replaced.has(edge.target) ? { ...edge, target: located(edge.target), origins: originsOf(edge) } : edge,
      ),
  }))
}

const isHarmless = ({ kind, violation }: Location, property: Property): boolean =>
  kind === 'error' && violation !== undefined && !isErrorFor(property, violation)

const asHalt = (location: Location): Location => {
  const { violation, ...rest } = location
  return { ...rest, kind: 'halt', reason: { kind: 'exit', text: violation?.text ?? 'error' } }
}
