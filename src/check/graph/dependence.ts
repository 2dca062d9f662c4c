// Which steps of different threads may disturb each other, worked out again from the edges: a step is the edges of one
// atomic block, or a single edge. Everything here may claim too much dependence, never too little.

import type { ControlFlow } from '../../semantics/control.js'
import {
  type Access,
  accessesOf,
  constantValue,
  type Edge,
  type Location,
  type Procedure,
  type Program,
  type Region,
  type Variable,
} from '../../xcfa/index.js'

/** What some edges together touch. */
export interface Touched {
  readonly accesses: readonly Access[]
  readonly starts: boolean
  readonly joins: boolean
  /** A thread may end. */
  readonly ends: boolean
}

/** Whether it matters what a global or region holds: an abstraction may know nothing of it. */
export type Matters = (object: Variable | Region) => boolean

export class Dependence {
  private readonly procedureOf = new Map<Location, Procedure>()
  private readonly nexts = new Map<Location, Touched>()
  private readonly futures = new Map<Location, Touched>()
  private readonly incoming = new Map<Location, Edge[]>()

  constructor(
    private readonly program: Program,
    private readonly flow: ControlFlow,
  ) {
    for (const procedure of program.templates.values()) {
      for (const location of procedure.locations) this.procedureOf.set(location, procedure)
      for (const edge of procedure.edges) {
        const known = this.incoming.get(edge.target)
        if (known) known.push(edge)
        else this.incoming.set(edge.target, [edge])
      }
    }
  }

  /** The thread's next step, whichever it is, to the end of its atomic block. */
  next(location: Location): Touched {
    return memo(this.nexts, location, () => this.touched(this.stepFrom(location)))
  }

  /** Edges that the next step may consist of. */
  stepFrom(location: Location): readonly Edge[] {
    const edges = new Set(this.flow.edgesFrom(location))
    for (const { target } of edges) if (target.atomic) for (const more of this.flow.edgesFrom(target)) edges.add(more)
    return [...edges]
  }

  /** A step that ended with this edge: the whole block, by whichever way through it. */
  last(edge: Edge): Touched {
    const edges = new Set([edge])
    for (const { source } of edges)
      if (source.atomic) for (const more of this.incoming.get(source) ?? []) edges.add(more)
    return this.touched([...edges])
  }

  /** All that the thread, and the threads that it starts, may ever do. */
  future(location: Location): Touched {
    return memo(this.futures, location, () => {
      const edges = new Set<Edge>()
      const places = new Set([location])
      for (const place of places)
        for (const edge of this.flow.edgesFrom(place)) {
          edges.add(edge)
          places.add(edge.target)
          for (const label of edge.labels)
            if (label.kind === 'start') places.add(this.program.templates.get(label.procedure)!.initial)
        }
      return this.touched([...edges])
    })
  }

  touched(edges: readonly Edge[]): Touched {
    const has = (kind: string): boolean => edges.some(({ labels }) => labels.some((label) => label.kind === kind))
    return {
      accesses: edges.flatMap(accessesOf),
      starts: has('start'),
      joins: has('join'),
      ends: edges.some(({ target }) => this.procedureOf.get(target)?.final === target),
    }
  }
}

const memo = <K, V>(known: Map<K, V>, key: K, compute: () => V): V => {
  let value = known.get(key)
  if (value === undefined) known.set(key, (value = compute()))
  return value
}

/**
 * Whether a step of `later` depends on the step `now` of another thread. The end of a thread can be awaited only after
 * it: `now` itself ending enables joins, which are then not steps that could have come before.
 */
export const mayDisturb = (now: Touched, later: Touched, matters: Matters): boolean =>
  (now.starts && later.starts) || (now.joins && later.ends) || conflict(now, later, matters)

/** Whether two steps that are next to each other may not be exchanged. */
export const areDependent = (a: Touched, b: Touched): boolean =>
  (a.starts && b.starts) || (a.joins && b.ends) || (a.ends && b.joins) || conflict(a, b, () => true)

/** Whether they access the same, one of them for writing. */
export const conflict = (a: Touched, b: Touched, matters: Matters): boolean =>
  a.accesses.some((x) => b.accesses.some((y) => (x.write || y.write) && overlap(x, y, matters)))

const overlap = (x: Access, y: Access, matters: Matters): boolean => {
  switch (x.kind) {
    case 'variable':
      return y.kind === 'variable' && x.variable === y.variable && matters(x.variable)
    case 'memory': {
      if (y.kind !== 'memory' || x.region !== y.region || x.region.scope === 'local' || !matters(x.region)) return false
      const [a, b] = [constantValue(x.address), constantValue(y.address)]
      if (a === undefined || b === undefined) return true
      return Number(a) < Number(b) + y.size && Number(b) < Number(a) + x.size
    }
    case 'allocation':
      // Which instance an allocation yields depends on those before it. Lives do not end here (steps.ts).
      return y.kind === 'allocation' && x.object !== undefined && x.object === y.object
  }
}
