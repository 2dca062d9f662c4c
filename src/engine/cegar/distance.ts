// How far a location is from an error, in edges, through threads that it may start: what the search order `err` goes by.
import type { Control, ControlFlow } from '../../semantics/control.js'
import type { Location } from '../../xcfa/index.js'

export const errorDistance = ({ program }: ControlFlow): ((control: Control) => number) => {
  const distances = new Map<Location, number>()
  const distance = (location: Location): number => distances.get(location) ?? Number.POSITIVE_INFINITY
  for (const { locations, edges } of program.templates.values())
    for (const location of [...locations, ...edges.map((edge) => edge.target)])
      if (location.kind === 'error') distances.set(location, 0)
  for (let changed = true; changed; ) {
    changed = false
    for (const { edges } of program.templates.values())
      for (const { source, target, labels } of edges) {
        let after = distance(target)
        for (const label of labels)
          if (label.kind === 'start') after = Math.min(after, distance(program.templates.get(label.procedure)!.initial))
        if (after + 1 < distance(source)) {
          distances.set(source, after + 1)
          changed = true
        }
      }
  }
  return (control) => Math.min(...control.threads.map(({ location }) => distance(location)))
}
