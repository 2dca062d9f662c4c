// The control part of a state, as every symbolic engine needs it: which threads exist and where each of them is
// (the location vector of aapor.txt and impact.txt), which actions that admits, and where an action leads.
// Data is the engine's: an action may still be blocked by its guards.
import type { Edge, Location, Procedure, Program } from '../xcfa/index.js'

export interface ThreadControl {
  /** Main is 0, others count from 1 in order of creation. */
  readonly number: number
  readonly template: Procedure
  readonly location: Location
}

export interface Control {
  readonly threads: readonly ThreadControl[]
  /** Equal for equal vectors. */
  readonly key: string
}

export interface Action {
  readonly thread: number
  readonly edge: Edge
}

/** Control over one program; precomputes the outgoing edges of each location. */
export class ControlFlow {
  private readonly outgoing = new Map<Location, Edge[]>()

  constructor(readonly program: Program) {
    for (const template of program.templates.values())
      for (const edge of template.edges) {
        const edges = this.outgoing.get(edge.source)
        if (edges) edges.push(edge)
        else this.outgoing.set(edge.source, [edge])
      }
  }

  initial(): Control {
    const { main } = this.program
    return control([{ number: 0, template: main, location: main.initial }])
  }

  edgesFrom(location: Location): readonly Edge[] {
    return this.outgoing.get(location) ?? []
  }

  /** All actions that the location vector admits: a thread inside an atomic block excludes all others. */
  actions(state: Control): readonly Action[] {
    const inside = state.threads.find((t) => t.location.atomic)
    const threads = inside ? [inside] : state.threads
    return threads.flatMap((t) => this.edgesFrom(t.location).map((edge) => ({ thread: t.number, edge })))
  }

  /** The vector after an action; `start` labels add threads, numbered on in order. */
  after(state: Control, { thread, edge }: Action): Control {
    const threads = state.threads.map((t) => (t.number === thread ? { ...t, location: edge.target } : t))
    for (const label of edge.labels)
      if (label.kind === 'start') {
        const template = this.program.templates.get(label.procedure)!
        threads.push({ number: threads.length, template, location: template.initial })
      }
    return control(threads)
  }
}

const control = (threads: readonly ThreadControl[]): Control => ({
  threads,
  key: threads.map((t) => `${t.template.name}:${t.location.id}`).join(' '),
})

/** The threads that a join succeeds on. */
export const finished = (state: Control): readonly number[] =>
  state.threads.filter((t) => t.location === t.template.final).map((t) => t.number)

/** A thread at an error location, if there is one. */
export const failing = (state: Control): ThreadControl | undefined =>
  state.threads.find((t) => t.location.kind === 'error')
