// What can be told of the program without its data: whom a join waits for, who else writes a variable, and what a thread
// may still do from a location. The search uses it to leave nodes from which no error can be reached any more.
import { addFootprint, constantAddresses, type Footprint, Footprints } from '../../reduction/index.js'
import type { Edge, Expr, Label, Location, Procedure, Program, Variable } from '../../xcfa/index.js'

type Join = Extract<Label, { kind: 'join' }>

/** What a thread may do from a location on, with those that it starts. */
export interface Future {
  readonly footprint: Footprint
  /** It may come to an error, or to a step that may owe something. */
  readonly errs: boolean
  /** It may come to an error. */
  readonly fails: boolean
  /** It may wait for the end of a thread that is not known. */
  readonly joinsAny: boolean
}

export class Statics {
  readonly footprints: Footprints
  private readonly unique: ReadonlyMap<Variable, Procedure>
  private readonly outgoing = new Map<Location, Edge[]>()
  private readonly futures = new Map<string, Future>()

  constructor(
    private readonly program: Program,
    /** Whether it is known that a step over the edge takes nothing for granted that may fail. */
    private readonly owes: (template: Procedure, edge: Edge) => boolean,
  ) {
    const templates = program.templates.size
    // Ends and joins are told apart here, not by footprints.
    this.footprints = new Footprints(program, templates, { ...constantAddresses(templates), joined: () => [] })
    this.unique = uniqueStarts(program)
    for (const { edges } of program.templates.values())
      for (const edge of edges) {
        const known = this.outgoing.get(edge.source)
        if (known) known.push(edge)
        else this.outgoing.set(edge.source, [edge])
      }
  }

  /** The template of the one thread that a join waits for; undefined: it may be any. */
  joined({ thread }: Join): Procedure | undefined {
    const { variable, offset } = numberIn(thread)
    return variable && offset === 0 ? this.unique.get(variable) : undefined
  }

  /** Whether a join of these edges may wait for a thread of the template. */
  mayJoin(edges: readonly Edge[], template: Procedure): boolean {
    return edges.some(({ labels }) =>
      labels.some((label) => label.kind === 'join' && (this.joined(label) ?? template) === template),
    )
  }

  /** Whether steps leave the location: a thread at another one has ended, or never will. */
  goesOn(location: Location): boolean {
    return this.outgoing.has(location)
  }

  /** From a location on, where threads of these templates never end. */
  future(template: Procedure, location: Location, endless: ReadonlySet<Procedure>): Future {
    const key = `${template.name} ${location.id} ${[...endless].map(({ name }) => name).join()}`
    let future = this.futures.get(key)
    if (!future) this.futures.set(key, (future = this.compute(template, location, endless)))
    return future
  }

  private compute(template: Procedure, location: Location, endless: ReadonlySet<Procedure>): Future {
    const footprint = this.footprints.empty()
    let fails = location.kind === 'error'
    let owes = false
    let joinsAny = false
    const reached = new Map<Location, Procedure>([[location, template]])
    for (const [place, owner] of reached)
      for (const edge of this.outgoing.get(place) ?? []) {
        if (this.waitsFor(edge, endless)) continue
        addFootprint(footprint, this.footprints.of(edge))
        if (edge.target.kind === 'error') fails = true
        if (this.owes(owner, edge)) owes = true
        reached.set(edge.target, owner)
        for (const label of edge.labels) {
          if (label.kind === 'join' && !this.joined(label)) joinsAny = true
          if (label.kind === 'start') {
            const started = this.program.templates.get(label.procedure)!
            reached.set(started.initial, started)
          }
        }
      }
    return { footprint, errs: fails || owes, fails, joinsAny }
  }

  private waitsFor({ labels }: Edge, endless: ReadonlySet<Procedure>): boolean {
    return labels.some((label) => {
      const joined = label.kind === 'join' ? this.joined(label) : undefined
      return joined !== undefined && endless.has(joined)
    })
  }
}

/**
 * The variable whose number, plus an offset, an expression is. A handle is a thread's number and one, so that a join waits
 * for `(unsigned int)((unsigned long)(t + 1) - 1)`; in arithmetic that wraps at no fewer than 32 bits, that is `t`.
 */
const numberIn = (e: Expr): { readonly variable?: Variable; readonly offset: number } => {
  const { type } = e
  if (type.kind !== 'int' || type.width < 32) return { offset: 0 }
  if (e.kind === 'var') return { variable: e.variable, offset: 0 }
  if (e.kind === 'cast') return numberIn(e.arg)
  if (e.kind !== 'binary' || (e.op !== 'add' && e.op !== 'sub') || e.right.kind !== 'const') return { offset: 0 }
  const { variable, offset } = numberIn(e.left)
  const by = Number(e.right.value)
  return variable ? { variable, offset: e.op === 'add' ? offset + by : offset - by } : { offset: 0 }
}

/** Variables that hold the number of one thread, the only one of its template, or nothing yet. */
const uniqueStarts = (program: Program): ReadonlyMap<Variable, Procedure> => {
  const found = new Map<Variable, Procedure>()
  const single = new Set<Procedure>([program.main])
  for (let before = -1; before !== single.size; ) {
    before = single.size
    for (const template of program.templates.values()) {
      if (single.has(template)) continue
      const starts = [...program.templates.values()].flatMap((by) =>
        by.edges.flatMap((edge) =>
          edge.labels.flatMap((label) =>
            label.kind === 'start' && label.procedure === template.name ? [{ by, edge, target: label.target }] : [],
          ),
        ),
      )
      const [first] = starts
      if (!first || !single.has(first.by)) continue
      const isOnce = starts.every(
        ({ by, edge }, i) =>
          by === first.by &&
          starts.every((other, j) => !reaches(by, edge.target, other.edge) && (i === j || other.edge !== edge)),
      )
      if (!isOnce) continue
      single.add(template)
      const isOnlyWrite = (v: Variable): boolean =>
        starts.every(({ target }) => target === v) && v.scope === 'local' && writesOf(program, v) === starts.length
      if (isOnlyWrite(first.target)) found.set(first.target, template)
    }
  }
  return found
}

const writesOf = ({ templates }: Program, v: Variable): number =>
  [...templates.values()]
    .flatMap(({ edges }) => edges.flatMap(({ labels }) => labels))
    .filter((label) => 'target' in label && label.target === v).length

/** Whether a way leads from a location to the beginning of an edge. */
export const reaches = ({ edges }: Procedure, from: Location, to: Edge): boolean => {
  const reached = new Set([from])
  for (let before = -1; before !== reached.size; ) {
    before = reached.size
    for (const { source, target } of edges) if (reached.has(source)) reached.add(target)
  }
  return reached.has(to.source)
}

/** The templates of which there is one thread at most. */
export const singleTemplates = (program: Program): ReadonlySet<Procedure> =>
  new Set([program.main, ...uniqueStarts(program).values()])
