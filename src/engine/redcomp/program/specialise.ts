// Thread-scope inference (redcomp.txt section VI): a template of its own for every start that is executed at most once,
// with its number and its constant arguments filled in. Loops that start or join threads a known number of times are
// unrolled first. What is started in other loops stays one template for any number of instances, beyond the paper.
import { constant, type Edge, type Label, type Location, type Procedure, type Program } from '../../../xcfa/index.js'
import { markBackEdges, outgoing, propagate } from '../../../xcfa/passes/index.js'
import { type Numbering, unrollStarts } from './unroll.js'

export interface Thread {
  readonly index: number
  readonly template: Procedure
  /** The number of the only instance; undefined: any number of instances, numbered from the count of the others on. */
  readonly number: number | undefined
}

export interface Threads {
  readonly program: Program
  readonly threads: readonly Thread[]
  /** Numbers count from 1 in order of creation; otherwise they only tell threads apart. */
  readonly exactNumbers: boolean
}

/** More instances than this are treated as any number of them. */
const MAX_INSTANCES = 64

export interface SpecialiseOptions {
  /** What loops start is any number of instances, also where constants decide how many. */
  readonly merged?: boolean
  /** Keep what could race, also where its value is known. */
  readonly keepAccesses?: boolean
}

export const specialise = (program: Program, options: SpecialiseOptions = {}): Threads =>
  new Specialiser(program, options).threads()

class Specialiser {
  private readonly numbering: Numbering = { locations: 0, edges: 0 }
  private readonly templates = new Map<string, Procedure>()
  private readonly numbers = new Map<string, number>()
  private exactNumbers = false
  private instances = 1

  constructor(
    private readonly program: Program,
    private readonly options: SpecialiseOptions,
  ) {}

  threads(): Threads {
    const { program, templates } = this
    this.single(program.main, program.main.name, 0)
    const cloned: Program = { ...program, templates, main: templates.get(program.main.name)! }
    const folded = markBackEdges(propagate(cloned, { keepAccesses: this.options.keepAccesses === true }))
    const threads = [...folded.templates.values()].map((template, index) => ({
      index,
      template,
      number: this.numbers.get(template.name),
    }))
    return { program: folded, threads, exactNumbers: this.exactNumbers }
  }

  /** The template of an instance that is started at most once. */
  private single(procedure: Procedure, name: string, number: number): void {
    this.numbers.set(name, number)
    this.templates.set(name, procedure)
    const body = this.unrolled(procedure, number)
    const repeated = repeatedEdges(body)
    const before = startsBefore(body)
    if (procedure === this.program.main)
      this.exactNumbers = this.onlyMainStarts() && repeated.size === 0 && isDecided(body, before)
    const edges = body.edges.map((edge): Edge => {
      let count = before.get(edge.source) ?? 0
      const labels = edge.labels.flatMap((label): readonly Label[] => {
        if (label.kind !== 'start') return [label]
        if (!repeated.has(edge) && this.instances < MAX_INSTANCES) return this.startOne(label, ++count)
        this.exactNumbers = false
        return [{ ...label, procedure: this.any(label.procedure) }]
      })
      return { ...edge, labels }
    })
    this.templates.set(name, { ...body, name, edges })
  }

  /** `count`: of the starts on the way to it, where that is its number. */
  private startOne(label: Extract<Label, { kind: 'start' }>, count: number): readonly Label[] {
    const number = this.exactNumbers ? count : this.instances
    const started = `${label.procedure} ${this.instances++}`
    this.single(this.program.templates.get(label.procedure)!, started, number)
    return [
      { ...label, procedure: started },
      { kind: 'assign', target: label.target, value: constant(label.target.type, number) },
    ]
  }

  /** The template of any number of instances. */
  private any(name: string): string {
    const general = `${name} *`
    if (this.templates.has(general)) return general
    const procedure = this.program.templates.get(name)!
    this.templates.set(general, procedure)
    const body = this.unrolled(procedure, undefined)
    const startAny = (label: Label): Label =>
      label.kind === 'start' ? { ...label, procedure: this.any(label.procedure) } : label
    const edges = body.edges.map((edge) => ({ ...edge, labels: edge.labels.map(startAny) }))
    this.templates.set(general, { ...body, name: general, edges })
    return general
  }

  private unrolled(procedure: Procedure, number: number | undefined): Procedure {
    return unrollStarts(procedure, number, this.numbering, this.options.merged !== true)
  }

  private onlyMainStarts(): boolean {
    const { templates, main } = this.program
    return [...templates.values()].every((template) => template === main || !startsThreads(template))
  }
}

const startsThreads = ({ edges }: Procedure): boolean => edges.some((e) => e.labels.some((l) => l.kind === 'start'))

const repeatedEdges = ({ edges }: Procedure): ReadonlySet<Edge> => {
  const from = outgoing(edges)
  const reaches = (start: Location, goal: Location): boolean => {
    const seen = new Set([start])
    for (const location of seen) {
      if (location === goal) return true
      for (const { target } of from.get(location) ?? []) seen.add(target)
    }
    return false
  }
  return new Set(edges.filter((e) => e.labels.some((l) => l.kind === 'start') && reaches(e.target, e.source)))
}

const isDecided = ({ edges }: Procedure, before: ReadonlyMap<Location, number | undefined>): boolean =>
  edges.every((e) => before.get(e.source) !== undefined || !e.labels.some((l) => l.kind === 'start'))

/** How many threads were started on the way to a location, where all ways agree. */
const startsBefore = ({ initial, edges }: Procedure): ReadonlyMap<Location, number | undefined> => {
  const counts = new Map<Location, number | undefined>([[initial, 0]])
  const from = outgoing(edges)
  const work = [initial]
  for (let location = work.pop(); location; location = work.pop())
    for (const { target, labels } of from.get(location) ?? []) {
      const count = counts.get(location)
      const after = count === undefined ? undefined : count + labels.filter((l) => l.kind === 'start').length
      if (!counts.has(target)) {
        counts.set(target, after)
        work.push(target)
      } else if (counts.get(target) !== after && counts.get(target) !== undefined) {
        counts.set(target, undefined)
        work.push(target)
      }
    }
  return counts
}
