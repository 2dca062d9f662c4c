// Obligations that a thread keeps by itself: they follow from its own last steps, from variables that nobody else writes
// meanwhile, and from the ranges of types, whatever other threads do. They need no proof, and a thread all of whose
// obligations are such can be left alone by the search.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Control } from '../../semantics/control.js'
import { Queries, type Smt } from '../../smt/index.js'
import { isInput, type Transition, type Transitions } from '../../symbolic/index.js'
import type { Edge, Location, MemoryObject, Procedure, Program } from '../../xcfa/index.js'
import { type Obligation, threadRoom } from '../../xcfa/terms/index.js'
import type { Letter } from './letters.js'
import { reaches, singleTemplates } from './statics.js'

const SOLVER_STEPS = 200_000
/** How many steps back the reason of an obligation is looked for. */
const MAX_BACK = 5
const MAX_SIZE = 300

export class LocalObligations {
  private readonly queries: Queries
  private readonly incoming = new Map<Location, Edge[]>()
  private readonly kept = new Map<Edge, boolean>()
  private readonly single: ReadonlySet<Procedure>
  private readonly owners = new Map<Term, ReadonlySet<Procedure>>()

  constructor(
    private readonly transitions: Transitions,
    smt: Smt,
    private readonly unsized: ReadonlySet<MemoryObject>,
    private readonly isOwed: (obligation: Obligation) => boolean,
  ) {
    this.queries = new Queries(smt, { rlimit: SOLVER_STEPS })
    const { program } = transitions
    this.single = singleTemplates(program)
    for (const { edges } of program.templates.values())
      for (const edge of edges) {
        const known = this.incoming.get(edge.target)
        if (known) known.push(edge)
        else this.incoming.set(edge.target, [edge])
      }
    this.noteWriters(program)
  }

  dispose(): void {
    this.queries.dispose()
  }

  keeps({ edges }: Letter): boolean {
    return edges.every((edge) => this.isKept(this.templateOf(edge), edge))
  }

  isKept(template: Procedure, edge: Edge): boolean {
    let kept = this.kept.get(edge)
    if (kept === undefined) {
      const { obligations } = this.stepOf(template, edge)
      const owed = obligations.filter(
        (each) => this.isOwed(each) && !(each.kind === 'allocation-size' && this.unsized.has(each.object)),
      )
      kept =
        owed.every(({ holds }) => this.holds(template, edge.source, holds, MAX_BACK)) &&
        (!starts(edge) || this.hasRoomForAll())
      this.kept.set(edge, kept)
    }
    return kept
  }

  /** How many threads there are is told by the vector: here it is known where each template has one thread at most. */
  private hasRoomForAll(): boolean {
    const { program } = this.transitions
    return (
      this.single.size === program.templates.size &&
      threadRoom(program, program.templates.size - 1).holds === logic.TRUE
    )
  }

  /** Whether the formula holds whenever a thread of the template is at the location. */
  private holds(template: Procedure, location: Location, formula: Term, back: number): boolean {
    if (this.isValid(formula)) return true
    if (back === 0 || location === template.initial || !this.single.has(template)) return false
    // Of what others may write meanwhile nothing is known, nor of inputs: a name for each time that they are read.
    const anyway = logic.renameVariables(formula, (v) =>
      this.isOwn(template, v) && !isInput(v) ? v : logic.variable(`any:${back}:${v.name}`, v.sort),
    )
    if (logic.size(anyway) > MAX_SIZE) return false
    return (this.incoming.get(location) ?? []).every((edge) => {
      const { guard, updates, dead } = this.stepOf(template, edge)
      if (logic.freeVariables(anyway).some((v) => dead.has(v))) return false
      return this.holds(template, edge.source, logic.implies(guard, logic.substitute(anyway, updates)), back - 1)
    })
  }

  private isValid(formula: Term): boolean {
    const open = logic.not(formula)
    return this.queries.satisfiable(logic.and(open, this.transitions.rangesOf(open))) === false
  }

  private templateOf(edge: Edge): Procedure {
    return [...this.transitions.program.templates.values()].find(({ edges }) => edges.includes(edge))!
  }

  /** The step of a thread of the template, alone beside main. */
  private stepOf(template: Procedure, edge: Edge): Transition {
    const { main } = this.transitions.program
    const thread = template === main ? 0 : 1
    const at = { number: thread, template, location: edge.source }
    const first = { number: 0, template: main, location: main.initial }
    const control: Control = { threads: thread === 0 ? [at] : [first, at], key: '' }
    return this.transitions.of(control, { thread, edge })
  }

  /** For each shared variable or region, the templates that others may disturb there. */
  private noteWriters(program: Program): void {
    const all = [...program.templates.values()]
    const writers = new Map<Term, { readonly template: Procedure; readonly edge: Edge }[]>()
    for (const template of all)
      for (const edge of template.edges)
        for (const v of this.stepOf(template, edge).updates.keys()) {
          const known = writers.get(v)
          if (known) known.push({ template, edge })
          else writers.set(v, [{ template, edge }])
        }
    for (const [v, sites] of writers) {
      const isDisturbed = (template: Procedure): boolean =>
        sites.some(({ template: writer, edge }) => writer !== template && !isBefore(program, writer, edge, template))
      this.owners.set(v, new Set(all.filter((template) => this.single.has(template) && !isDisturbed(template))))
    }
  }

  private isOwn(template: Procedure, v: Term): boolean {
    return this.owners.get(v)?.has(template) ?? true
  }
}

const starts = ({ labels }: Edge): boolean => labels.some(({ kind }) => kind === 'start')

/** Whether main executes the edge before it has started any thread, or as it starts the first. */
const isBefore = ({ main }: Program, writer: Procedure, edge: Edge, template: Procedure): boolean => {
  if (writer !== main || template === main) return false
  return main.edges.filter(starts).every((start) => !reaches(main, start.target, edge))
}
