// Tickets: a thread reads a cell and leaves something larger in it before anybody else can look, by one atomic step or
// with a lock held, and does so once. Then no two instances read the same. All sections that touch the cell are run
// through symbolically: what the cell and local variables are, relative to what the cell held at first.
import {
  type Edge,
  type Label,
  type Linear,
  type Location,
  linearOf,
  type Procedure,
  symbolOf,
  type Variable,
} from '../../xcfa/index.js'
import { outgoing, written } from '../../xcfa/passes/index.js'
import type { Lock } from '../movers.js'

/** What is known inside a section: `delta` is what was added to the cell, and locals have what was read plus something. */
interface Section {
  readonly delta: number
  readonly values: ReadonlyMap<Variable, number>
}

export interface SectionContext {
  /** All that touch the cell while instances run. */
  readonly edges: readonly { readonly edge: Edge; readonly template: Procedure }[]
  held(location: Location): ReadonlySet<Lock>
}

const ENTERED: Section = { delta: 0, values: new Map() }

/** Whether no two instances of the template read the same into `variable`, by its only label that writes it. */
export const isTicket = (
  variable: Variable,
  cell: Variable,
  definition: Edge,
  template: Procedure,
  { edges, held }: SectionContext,
): boolean => {
  if (cell.type.kind !== 'int' || cell.type.width < 32) return false
  if (edges.some(({ edge, template: owner }) => isRepeated(owner, edge) && writes(edge, cell))) return false
  if (isRepeated(template, definition)) return false
  const [lock] = [...held(definition.source)].filter((each) => edges.every(({ edge }) => held(edge.source).has(each)))
  const owners = [...new Set([template, ...edges.map((each) => each.template)])]
  const sections =
    lock === undefined
      ? edges.map(({ edge }) => ended([edge], stepThrough(edge, ENTERED, cell)))
      : owners.flatMap((owner) => sectionsOf(owner, cell, (location) => held(location).has(lock)))
  const reading = sections.filter((each) => each?.passed.includes(definition))
  const read = new Set(reading.map((each) => each?.values.get(variable)))
  // What is read is the same distance from what the cell held at first, whatever way a section takes.
  return (
    sections.every((each) => each && each.delta >= 0) && reading.every((each) => each!.delta > 0) && isOneNumber(read)
  )
}

const isOneNumber = (values: ReadonlySet<number | undefined>): boolean => values.size === 1 && !values.has(undefined)

const writes = ({ labels }: Edge, cell: Variable): boolean => labels.some((label) => written(label).includes(cell))

const isRepeated = ({ edges }: Procedure, edge: Edge): boolean => {
  const from = outgoing(edges)
  const reached = new Set([edge.target])
  for (const location of reached) for (const { target } of from.get(location) ?? []) reached.add(target)
  return reached.has(edge.source)
}

interface Ended extends Section {
  readonly passed: readonly Edge[]
}

const ended = (passed: readonly Edge[], section: Section | undefined): Ended | undefined =>
  section && { ...section, passed }

/** More paths through sections than this are not looked at. */
const MAX_PATHS = 200

/** How each path ends through a section in which the lock is held; undefined: that is not known. */
const sectionsOf = (
  { edges, initial }: Procedure,
  cell: Variable,
  isHeld: (location: Location) => boolean,
): readonly (Ended | undefined)[] => {
  const from = outgoing(edges)
  const found: (Ended | undefined)[] = []
  const work: { readonly location: Location; readonly section: Section; readonly passed: readonly Edge[] }[] = edges
    .filter(({ source, target }) => !isHeld(source) && isHeld(target))
    .map((edge) => ({ location: edge.target, section: ENTERED, passed: [edge] }))
  if (isHeld(initial)) return [undefined]
  for (let each = work.pop(), paths = 0; each; each = work.pop(), paths++) {
    if (paths > MAX_PATHS) return [undefined]
    for (const edge of from.get(each.location) ?? []) {
      const section = stepThrough(edge, each.section, cell)
      if (!section || each.passed.includes(edge)) return [undefined]
      const passed = [...each.passed, edge]
      // A thread that ends or halts with the lock held lets nobody in any more.
      if (isHeld(edge.target)) work.push({ location: edge.target, section, passed })
      else found.push(ended(passed, section))
    }
  }
  return found
}

/** Undefined: something else is written to the cell. */
const stepThrough = (edge: Edge, before: Section, cell: Variable): Section | undefined => {
  let { delta } = before
  const values = new Map(before.values)
  for (const label of edge.labels) {
    const sum = label.kind === 'assign' ? addedTo(label, cell, delta, values) : undefined
    for (const target of written(label)) {
      values.delete(target)
      if (target !== cell) {
        if (sum !== undefined) values.set(target, sum)
        continue
      }
      if (sum === undefined) return undefined
      delta = sum
    }
  }
  return { delta, values }
}

/** The value of an assignment, less what the cell held at first. */
const addedTo = (
  { value }: Extract<Label, { kind: 'assign' }>,
  cell: Variable,
  delta: number,
  values: ReadonlyMap<Variable, number>,
): number | undefined => {
  if (cell.type.kind !== 'int') return undefined
  const { width } = cell.type
  const shifted = (by: number): Linear => {
    const symbol = symbolOf('cell', cell.type, width)!
    return symbol.kind === 'sum' ? { ...symbol, constant: by } : symbol
  }
  const meaning = (v: Variable): Linear | undefined => {
    const by = v === cell ? delta : values.get(v)
    return by === undefined ? undefined : shifted(by)
  }
  const found = linearOf(value, meaning, width)
  const only = found?.kind === 'sum' && found.parts.size === 1 ? found.parts.get('cell') : undefined
  return found?.kind === 'sum' && only?.coefficient === 1 && Math.abs(found.constant) <= MAX_ADDED
    ? found.constant
    : undefined
}

/** Larger ones would come back to where they began before 2^30 instances have added them. */
const MAX_ADDED = 4
