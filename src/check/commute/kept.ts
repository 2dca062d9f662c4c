// Obligations that a thread keeps by itself: they follow from its own last steps, and from what nobody else writes
// meanwhile, whatever the other threads do. Worked out from the checker's formulas, backwards from the edge that owes.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Control } from '../../semantics/control.js'
import type { Edge, Location, MemoryObject, Procedure, Program } from '../../xcfa/index.js'
import { type ObligationKind, threadRoom } from '../../xcfa/terms/index.js'
import type { Proof } from '../proof.js'
import type { StepFormula, Steps } from '../steps.js'
import type { Threads } from '../threads.js'

/** How many steps back, and how large a formula may become. */
const MAX_BACK = 6
const MAX_SIZE = 600

export interface Owed {
  readonly kind: ObligationKind
  readonly object?: MemoryObject
}

export class Kept {
  private readonly templates = new Map<Edge, Procedure>()
  private readonly incoming = new Map<Location, Edge[]>()
  private readonly afterStart = new Set<Location>()
  private readonly writers = new Map<Term, { readonly template: Procedure; readonly edge: Edge }[]>()
  private readonly known = new Map<Edge, boolean>()

  constructor(
    private readonly program: Program,
    private readonly steps: Steps,
    private readonly proof: Proof,
    private readonly threads: Threads,
    private readonly isOwed: (owed: Owed) => boolean,
  ) {
    for (const template of program.templates.values())
      for (const edge of template.edges) {
        this.templates.set(edge, template)
        this.incoming.set(edge.target, [...(this.incoming.get(edge.target) ?? []), edge])
        for (const v of this.stepOf(edge).next.keys())
          this.writers.set(v, [...(this.writers.get(v) ?? []), { template, edge }])
      }
    this.noteStarts()
  }

  /** Whether nothing that a step over the edge takes for granted can fail. */
  isKept(edge: Edge): boolean {
    let kept = this.known.get(edge)
    if (kept === undefined) {
      const template = this.templates.get(edge)!
      kept = this.stepOf(edge).obligations.every((each) => {
        if (!this.isOwed(each)) return true
        // How many threads there are is told by the vector, not by the thread.
        if (each.kind === 'thread-instances') return this.hasRoomForAll()
        return this.holds(template, edge.source, each.claim, MAX_BACK)
      })
      kept &&= !this.stepStarts(edge) || this.hasRoomForAll()
      this.known.set(edge, kept)
    }
    return kept
  }

  /** Where there is one thread of each template at most. */
  private hasRoomForAll(): boolean {
    const { templates, main } = this.program
    const isOneEach = [...templates.values()].every((each) => each === main || this.threads.isSingle(each))
    return isOneEach && threadRoom(this.program, templates.size - 1).holds === logic.TRUE
  }

  private stepStarts({ labels }: Edge): boolean {
    return labels.some(({ kind }) => kind === 'start')
  }

  /** Whether the formula holds whenever the thread of the template is at the location. */
  private holds(template: Procedure, location: Location, formula: Term, back: number): boolean {
    if (this.isValid(formula)) return true
    if (back === 0 || location === template.initial || !this.threads.isSingle(template)) return false
    // Of what others may write meanwhile, and of what is chosen, nothing is known, and nothing that is seen again is equal.
    const anyway = logic.renameVariables(formula, (v) =>
      this.isOwn(template, v) ? v : logic.variable(`whatever:${back}:${v.name}`, v.sort),
    )
    if (logic.size(anyway) > MAX_SIZE) return false
    return (this.incoming.get(location) ?? []).every((edge) => {
      const { guard, facts, next } = this.stepOf(edge)
      const before = logic.implies(logic.and(guard, facts), logic.substitute(anyway, next))
      return this.holds(template, edge.source, before, back - 1)
    })
  }

  /** What is not decided in time is left to the labels of nodes. */
  private isValid(formula: Term): boolean {
    return this.proof.isKnown(this.steps.factsAbout(formula), formula)
  }

  /** Whether nobody else writes it while a thread of the template runs. */
  private isOwn(template: Procedure, v: Term): boolean {
    if (this.steps.isChosen(v)) return false
    if (this.steps.ownerOf(v) !== undefined) return true
    return (this.writers.get(v) ?? []).every(
      ({ template: writer, edge }) =>
        writer === template || (writer === this.program.main && !this.afterStart.has(edge.source)),
    )
  }

  /** Locations of main to which a start leads. */
  private noteStarts(): void {
    const { edges } = this.program.main
    const work = edges.filter((edge) => this.stepStarts(edge)).map(({ target }) => target)
    for (let at = work.pop(); at; at = work.pop())
      if (!this.afterStart.has(at)) {
        this.afterStart.add(at)
        for (const { source, target } of edges) if (source === at) work.push(target)
      }
  }

  /** The step of a thread beside main. */
  private stepOf(edge: Edge): StepFormula {
    const { main } = this.program
    const template = this.templates.get(edge)!
    const thread = template === main ? 0 : 1
    const first = { number: 0, template: main, location: main.initial }
    const at = { number: thread, template, location: edge.source }
    const control: Control = { threads: thread === 0 ? [at] : [first, at], key: '' }
    return this.steps.of(control, { thread, edge })
  }
}
