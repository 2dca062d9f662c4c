// Data races: in every visited state, all enabled next accesses of all threads, sleeping ones included (soundness.md
// 6). A table over pairs of locations says where a race is possible at all; only there the state is decoded and the
// definition of the concrete semantics asked.
import { mayRace, raceAt } from '../../property/index.js'
import { interpreterOf } from '../../semantics/index.js'
import { type Access, accessesOf, type Edge, type Location, type Program } from '../../xcfa/index.js'
import type { Compiled } from './compile/generator.js'
import { decodeState } from './decode.js'
import type { StateCheck } from './explore.js'

export const raceCheck = (program: Program): ((compiled: Compiled) => StateCheck) => {
  const interpreter = interpreterOf(program)
  const suspicious = suspicion(program)
  return ({ layout }) => {
    const { slots } = layout
    return (state, visited, counters) => {
      if (!suspectIn(counters, (slot, counter) => slots[slot]!.locations[counter], suspicious)) return false
      const decoded = decodeState(layout, interpreter, visited.words, state * visited.width)
      return raceAt(interpreter, decoded, interpreter.successors(decoded)) !== undefined
    }
  }
}

type Suspicious = (a: Location, b: Location) => boolean

const suspectIn = (
  counters: Int32Array,
  locationOf: (slot: number, counter: number) => Location | undefined,
  suspicious: Suspicious,
): boolean => {
  for (let i = 0; i < counters.length; i++) {
    const a = locationOf(i, counters[i]!)
    if (!a) continue
    for (let j = i + 1; j < counters.length; j++) {
      const b = locationOf(j, counters[j]!)
      if (b && suspicious(a, b)) return true
    }
  }
  return false
}

/** Whether threads at these locations could be about to race, whatever the state. */
const suspicion = (program: Program): Suspicious => {
  const accesses = nextAccesses(program)
  const known = new Map<Location, Map<Location, boolean>>()
  return (a, b) => {
    let row = known.get(a)
    if (!row) known.set(a, (row = new Map()))
    let answer = row.get(b)
    if (answer === undefined) {
      answer = accesses(a).some((x) => accesses(b).some((y) => mayRace(x, y)))
      row.set(b, answer)
    }
    return answer
  }
}

/** What the edges that leave a location access, to the end of their atomic blocks. */
const nextAccesses = (program: Program): ((location: Location) => readonly Access[]) => {
  const outgoing = new Map<Location, Edge[]>()
  for (const { edges } of program.templates.values())
    for (const edge of edges) outgoing.set(edge.source, [...(outgoing.get(edge.source) ?? []), edge])
  const known = new Map<Location, readonly Access[]>()
  return (location) => {
    let found = known.get(location)
    if (!found) {
      const block = new Set(outgoing.get(location) ?? [])
      for (const edge of block)
        if (edge.target.atomic) for (const following of outgoing.get(edge.target) ?? []) block.add(following)
      known.set(location, (found = [...block].flatMap(accessesOf)))
    }
    return found
  }
}
