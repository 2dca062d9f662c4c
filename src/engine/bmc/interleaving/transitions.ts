// The transitions of a thread: its edges with their meaning over state variables. A node is a location with the number
// of threads that were started on the way to it: where only main starts threads, their numbers are then known.
import { FALSE, substitute, type Term } from '../../../logic/index.js'
import { type Summary, type Surroundings, summaryOf } from '../../../reduction/index.js'
import { ControlFlow } from '../../../semantics/control.js'
import type { Edge, Location, Procedure, Program, Variable } from '../../../xcfa/index.js'
import { mapObligation, type Obligation, variableTerm } from '../../../xcfa/terms/index.js'
import { initialValueOf } from '../partial-order/initial.js'
import { onlyStops } from '../stops.js'
import { Cells } from './cells.js'
import { type Constants, constantsAt, type NodeSteps } from './constants.js'

export interface Node {
  readonly id: number
  readonly thread: number
  readonly template: Procedure
  readonly location: Location
  readonly starts: number
}

export interface Transition {
  readonly source: Node
  readonly target: Node
  readonly edge: Edge
  readonly summary: Summary
  /** Over state variables: memory cell by cell. */
  readonly guard: Term
  readonly effects: ReadonlyMap<Term, Term>
  readonly arguments: readonly (readonly Term[])[]
  readonly obligations: readonly Obligation[]
}

export class Transitions {
  readonly cells: Cells
  /** Only main starts threads. */
  readonly exactNumbers: boolean
  /** First values of state variables. */
  readonly initial = new Map<Term, Term>()
  private readonly flow: ControlFlow
  private readonly nodes = new Map<string, Node>()
  private readonly outgoing = new Map<Node, readonly Transition[]>()
  private readonly summaries = new Map<string, Summary>()
  private readonly constants: ReadonlyMap<Node, Constants>

  constructor(
    readonly program: Program,
    readonly surroundings: Surroundings,
  ) {
    this.flow = new ControlFlow(program)
    this.cells = new Cells(program, surroundings)
    const starting = [...program.templates.values()].filter((t) => t.edges.some(startsThread))
    this.exactNumbers = starting.every((t) => t === program.main)
    for (const v of program.globals) this.initial.set(this.term(v, 0), initialValueOf(surroundings.encoding, v))
    this.constants = this.exactNumbers ? this.propagate() : new Map()
  }

  nodeAt(thread: number, template: Procedure, location: Location, starts: number): Node {
    const key = `${thread} ${location.id} ${starts}`
    let node = this.nodes.get(key)
    if (!node) this.nodes.set(key, (node = { id: this.nodes.size, thread, template, location, starts }))
    return node
  }

  from(node: Node): readonly Transition[] {
    let found = this.outgoing.get(node)
    if (!found) {
      const all = this.edgesFrom(node).map((edge) => this.transition(node, edge))
      this.outgoing.set(node, (found = all.filter(({ guard }) => guard !== FALSE)))
    }
    return found
  }

  /** The state variable for a thread's copy of a variable. */
  term(v: Variable, thread: number): Term {
    return variableTerm(v, thread, this.surroundings.encoding)
  }

  /** A condition over memory as one over state variables, for a state in which threads are at these nodes. */
  resolve(condition: Term, ...nodes: readonly Node[]): Term {
    return this.cells.resolve([nodes.reduce((term, node) => this.at(node, term), condition)], 0)[0]!
  }

  /** With the locals that are constants at the node. */
  private at(node: Node, term: Term): Term {
    const known = this.constants.get(node)
    return known ? substitute(term, known) : term
  }

  private edgesFrom(node: Node): readonly Edge[] {
    return this.flow.edgesFrom(node.location).filter((edge) => !onlyStops(edge))
  }

  private propagate(): ReadonlyMap<Node, Constants> {
    const { main, templates } = this.program
    const stepsFrom: NodeSteps = (node) =>
      // With more threads than there is room for nothing is known: the search ends there.
      node.starts >= this.surroundings.threads
        ? []
        : this.edgesFrom(node).map((edge) => ({
            summary: this.summary(edge, node),
            target: this.targetOf(node, edge),
            started: edge.labels
              .filter((label) => label.kind === 'start')
              .map(({ procedure }, i) => {
                const template = templates.get(procedure)!
                return this.nodeAt(node.starts + i + 1, template, template.initial, 0)
              }),
          }))
    return constantsAt(this.nodeAt(0, main, main.initial, 0), stepsFrom, (v, thread) => this.term(v, thread))
  }

  /** Bit-vectors alone go to the solver's SAT core, which is several times as fast. */
  logic(): { readonly logic?: string } {
    const { program, surroundings, cells } = this
    const locals = [...program.templates.values()].flatMap((template) => template.locals)
    const types = [...program.globals, ...locals].map((v) => v.type)
    const elements = program.regions.map((region) => region.element)
    const floats = [...types, ...elements].some((type) => type !== 'bytes' && type.kind === 'float')
    return surroundings.encoding.arithmetic === 'bv' && !floats && !cells.usesArrays ? { logic: 'QF_BV' } : {}
  }

  private transition(source: Node, edge: Edge): Transition {
    const { thread } = source
    const summary = this.summary(edge, source)
    const regions = [...summary.memories]
    const targets = [...summary.effects.keys()]
    const args = summary.starts.flatMap((s) => s.args)
    const { obligations } = summary
    const all = [summary.guard, ...summary.effects.values(), ...regions.map(([, after]) => after), ...args]
    const known = [...all, ...obligations.map(({ holds }) => holds)].map((term) => this.at(source, term))
    const [guard, ...resolved] = this.cells.resolve(known, thread) as [Term, ...Term[]]
    const take = (count: number): readonly Term[] => resolved.splice(0, count)
    const effects = new Map(take(targets.length).map((value, i) => [targets[i]!, value]))
    take(regions.length).forEach((after, i) => {
      for (const [cell, value] of this.cells.effects(regions[i]![0], thread, after)) effects.set(cell, value)
    })
    const target = this.targetOf(source, edge)
    return {
      ...{ source, target, edge, summary, guard, effects, arguments: summary.starts.map((s) => take(s.args.length)) },
      obligations: obligations.map((each) => mapObligation(each, () => resolved.shift()!)),
    }
  }

  private targetOf({ thread, template, starts }: Node, edge: Edge): Node {
    const count = edge.labels.filter((label) => label.kind === 'start').length
    return this.nodeAt(thread, template, edge.target, this.exactNumbers ? starts + count : 0)
  }

  private summary(edge: Edge, { thread, template, starts }: Node): Summary {
    const started = startsThread(edge) && this.exactNumbers ? starts : undefined
    const key = `${thread} ${edge.id} ${started}`
    let summary = this.summaries.get(key)
    if (!summary) this.summaries.set(key, (summary = summaryOf(edge, template, thread, this.surroundings, started)))
    return summary
  }
}

const startsThread = (edge: Edge): boolean => edge.labels.some((label) => label.kind === 'start')
