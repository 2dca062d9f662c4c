// A program unrolled: each thread that may be started, as a graph without cycles in which back edges were followed a
// number of times. Places where more would be needed are `cuts`. Nothing is left out or joined: an edge of the prepared
// program is an event, and the edges of an atomic block share the moment at which the block was entered.
import { ControlFlow } from '../../semantics/control.js'
import type { Edge, Location, Procedure, Program } from '../../xcfa/index.js'
import { Undecided } from '../proof.js'

export interface Instance {
  readonly index: number
  /** Its number in executions where it exists; two that exclude each other may have the same one. */
  readonly number: number
  readonly template: Procedure
  readonly startedBy: Event | undefined
  /** Each after those that lead to it. */
  readonly places: Place[]
}

export interface Place {
  readonly id: number
  readonly instance: Instance
  readonly location: Location
  /** Back edges followed, and threads started, on the way. */
  readonly backs: number
  readonly starts: number
  /** Where its atomic block was entered, or itself: all that happens in between happens at one moment. */
  readonly entry: Place
  readonly isCut: boolean
  readonly incoming: Event[]
  readonly outgoing: Event[]
}

export interface Event {
  readonly id: number
  readonly edge: Edge
  readonly source: Place
  readonly target: Place
  /** By its start labels, in order. */
  readonly started: Instance[]
}

export interface Unrolled {
  readonly instances: readonly Instance[]
  readonly events: readonly Event[]
  readonly cuts: readonly Place[]
}

const MAX_INSTANCES = 48
const MAX_EVENTS = 3000

export const unrolled = (program: Program, bound: number): Unrolled => {
  for (const template of program.templates.values())
    if (template !== program.main && template.edges.some(startsThreads))
      throw new Undecided('threads that start threads are numbered in many ways')
  return new Unrolling(program, bound).result()
}

const startsThreads = ({ labels }: Edge): boolean => labels.some(({ kind }) => kind === 'start')

class Unrolling {
  private readonly flow: ControlFlow
  private readonly instances: Instance[] = []
  private readonly events: Event[] = []
  private readonly cuts: Place[] = []
  private places = 0

  constructor(
    private readonly program: Program,
    private readonly bound: number,
  ) {
    this.flow = new ControlFlow(program)
  }

  result(): Unrolled {
    this.instance(this.program.main, 0, undefined)
    for (let i = 0; i < this.instances.length; i++) this.unroll(this.instances[i]!)
    return { instances: this.instances, events: this.events, cuts: this.cuts }
  }

  private instance(template: Procedure, number: number, startedBy: Event | undefined): Instance {
    if (this.instances.length >= MAX_INSTANCES) throw new Undecided(`more than ${MAX_INSTANCES} threads`)
    const made = { index: this.instances.length, number, template, startedBy, places: [] }
    this.instances.push(made)
    return made
  }

  private unroll(instance: Instance): void {
    const known = new Map<string, Place>()
    const found: Place[] = []
    const placeAt = (location: Location, backs: number, starts: number, block: Place | undefined): Place => {
      const key = `${location.id} ${backs} ${starts} ${block?.id ?? ''}`
      let place = known.get(key)
      if (!place) {
        const isCut = backs > this.bound
        const made = { id: this.places++, instance, location, backs, starts, isCut, incoming: [], outgoing: [] }
        place = Object.assign(made, { entry: block as Place })
        if (!block) (place as { entry: Place }).entry = place
        known.set(key, place)
        found.push(place)
        if (isCut) this.cuts.push(place)
      }
      return place
    }
    placeAt(instance.template.initial, 0, 0, undefined)
    for (let i = 0; i < found.length; i++) {
      const source = found[i]!
      if (!source.isCut) for (const edge of this.flow.edgesFrom(source.location)) this.follow(source, edge, placeAt)
    }
    instance.places.push(...inOrder(found))
  }

  private follow(
    source: Place,
    edge: Edge,
    placeAt: (location: Location, backs: number, starts: number, block: Place | undefined) => Place,
  ): void {
    if (this.events.length >= MAX_EVENTS) throw new Undecided(`more than ${MAX_EVENTS} steps to look at`)
    const starts = edge.labels.filter(({ kind }) => kind === 'start').length
    const block = edge.target.atomic ? source.entry : undefined
    const target = placeAt(edge.target, source.backs + (edge.back ? 1 : 0), source.starts + starts, block)
    const event: Event = { id: this.events.length, edge, source, target, started: [] }
    this.events.push(event)
    source.outgoing.push(event)
    target.incoming.push(event)
    for (const label of edge.labels)
      if (label.kind === 'start') {
        const number = source.starts + event.started.length + 1
        event.started.push(this.instance(this.program.templates.get(label.procedure)!, number, event))
      }
  }
}

const inOrder = (places: readonly Place[]): readonly Place[] => {
  const missing = new Map(places.map((place) => [place, place.incoming.length]))
  const order = places.filter((place) => place.incoming.length === 0)
  for (let i = 0; i < order.length; i++)
    for (const { target } of order[i]!.outgoing) {
      const left = missing.get(target)! - 1
      missing.set(target, left)
      if (left === 0) order.push(target)
    }
  if (order.length < places.length) throw new Undecided('a cycle without a back edge')
  return order
}
