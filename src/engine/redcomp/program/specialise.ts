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

export const specialise = (
  program: Program,
  { merged = false, keepAccesses = false }: SpecialiseOptions = {},
): Threads => {
  const numbering: Numbering = { locations: 0, edges: 0 }
  const templates = new Map<string, Procedure>()
  const numbers = new Map<string, number>()
  const onlyMainStarts = [...program.templates.values()].every((p) => p === program.main || !startsThreads(p))
  let exactNumbers = false
  let instances = 1

  const single = (procedure: Procedure, name: string, number: number): void => {
    numbers.set(name, number)
    templates.set(name, procedure)
    const body = unrollStarts(procedure, number, numbering, !merged)
    const repeated = repeatedEdges(body)
    const before = startsBefore(body)
    if (procedure === program.main) exactNumbers = onlyMainStarts && repeated.size === 0 && isDecided(body, before)
    const edges = body.edges.map((edge): Edge => {
      let count = before.get(edge.source) ?? 0
      const labels = edge.labels.flatMap((label): readonly Label[] => {
        if (label.kind !== 'start') return [label]
        if (repeated.has(edge) || instances >= MAX_INSTANCES) {
          exactNumbers = false
          return [{ ...label, procedure: any(label.procedure) }]
        }
        const next = exactNumbers ? ++count : instances
        instances++
        const started = `${label.procedure} ${instances - 1}`
        single(program.templates.get(label.procedure)!, started, next)
        return [
          { ...label, procedure: started },
          { kind: 'assign', target: label.target, value: constant(label.target.type, next) },
        ]
      })
      return { ...edge, labels }
    })
    templates.set(name, { ...body, name, edges })
  }

  const any = (name: string): string => {
    const general = `${name} *`
    if (templates.has(general)) return general
    const procedure = program.templates.get(name)!
    templates.set(general, procedure)
    const body = unrollStarts(procedure, undefined, numbering, !merged)
    const edges = body.edges.map((edge) => ({ ...edge, labels: edge.labels.map(startAny) }))
    templates.set(general, { ...body, name: general, edges })
    return general
  }
  const startAny = (label: Label): Label =>
    label.kind === 'start' ? { ...label, procedure: any(label.procedure) } : label

  single(program.main, program.main.name, 0)
  const cloned: Program = { ...program, templates, main: templates.get(program.main.name)! }
  const folded = markBackEdges(propagate(cloned, { keepAccesses }))
  const threads = [...folded.templates.values()].map((template, index) => ({
    index,
    template,
    number: numbers.get(template.name),
  }))
  return { program: folded, threads, exactNumbers }
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
