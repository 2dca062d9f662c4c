// Nodes from which nobody comes to an error. Some threads have sleeping steps only, and what the others may still do,
// without waiting for one of those threads, touches nothing that these steps touch. Then a word from here that uses such
// a step has it first, by swaps, and it sleeps; and a word that uses none has no error, if the others have none to offer.
// Where threads have halted for which all who could come to an error would wait, nobody does, whatever the values are: what
// steps take for granted may fail there, since a run in which it does stays on ways that lead to no error.
import type { Control, ControlFlow } from '../../semantics/control.js'
import type { Edge, Location, Procedure, Program } from '../../xcfa/index.js'
import { conflict, Dependence, type Touched } from '../graph/dependence.js'
import type { Threads } from '../threads.js'
import type { Kept } from './kept.js'
import type { Letter } from './letters.js'

interface Future {
  readonly touched: Touched
  /** It joins a thread that is not known. */
  readonly joinsAny: boolean
  readonly errs: boolean
  /** It may come to an error. */
  readonly fails: boolean
}

export class DeadEnds {
  private readonly dependence: Dependence
  private readonly futures = new Map<string, Future>()

  constructor(
    private readonly program: Program,
    private readonly flow: ControlFlow,
    private readonly threads: Threads,
    private readonly kept: Kept,
  ) {
    this.dependence = new Dependence(program, flow)
  }

  /** The largest set of threads that sleep for good is looked for; the others must be harmless. */
  isDeadEnd(control: Control, letters: readonly Letter[], sleep: ReadonlySet<string>): boolean {
    const own = (number: number): readonly Letter[] => letters.filter(({ thread }) => thread === number)
    const isAsleep = ({ key, edges }: Letter): boolean => sleep.has(key) && !edges.some(joins)
    const sleeping = control.threads.filter(({ number }) => own(number).length > 0 && own(number).every(isAsleep))
    const halted = this.halted(control.threads)
    for (const asleep = new Set(sleeping); ; ) {
      const endless = [...asleep, ...halted].map(({ template }) => template)
      const futures = control.threads
        .filter((thread) => !asleep.has(thread))
        .map(({ location }) => this.future(location, endless))
      const disturbed = [...asleep].filter(({ number }) =>
        own(number).some(({ edges }) => futures.some((future) => this.disturbs(future, edges))),
      )
      if (disturbed.length === 0) return futures.every(({ errs }) => !errs)
      for (const thread of disturbed) asleep.delete(thread)
    }
  }

  /** Whether halted threads keep all others from an error. */
  isDoomed({ threads }: Control): boolean {
    const endless = this.halted(threads).map(({ template }) => template)
    return endless.length > 0 && threads.every(({ location }) => !this.future(location, endless).fails)
  }

  private halted(threads: Control['threads']): Control['threads'] {
    return threads.filter(
      ({ template, location }) => location !== template.final && this.flow.edgesFrom(location).length === 0,
    )
  }

  private disturbs({ touched, joinsAny }: Future, edges: readonly Edge[]): boolean {
    const step = this.dependence.touched(edges)
    return (step.starts && touched.starts) || (step.ends && joinsAny) || conflict(step, touched, () => true)
  }

  /** All that may come from a location on, with started threads, where the single threads of some templates never end. */
  private future(location: Location, endless: readonly Procedure[]): Future {
    const key = `${location.id} ${endless.map(({ name }) => name).join(' ')}`
    let future = this.futures.get(key)
    if (!future) this.futures.set(key, (future = this.compute(location, new Set(endless))))
    return future
  }

  private compute(location: Location, endless: ReadonlySet<Procedure>): Future {
    const edges = new Set<Edge>()
    const places = new Set([location])
    let joinsAny = false
    for (const place of places)
      for (const edge of this.flow.edgesFrom(place)) {
        const joined = joins(edge) ? this.threads.joined(edge)?.template : undefined
        if (joined && endless.has(joined)) continue
        if (joins(edge) && !joined) joinsAny = true
        edges.add(edge)
        places.add(edge.target)
        for (const label of edge.labels)
          if (label.kind === 'start') places.add(this.program.templates.get(label.procedure)!.initial)
      }
    const fails = location.kind === 'error' || [...edges].some((edge) => edge.target.kind === 'error')
    const errs = fails || [...edges].some((edge) => !this.kept.isKept(edge))
    return { touched: this.dependence.touched([...edges]), joinsAny, errs, fails }
  }
}

const joins = ({ labels }: Edge): boolean => labels.some(({ kind }) => kind === 'join')
