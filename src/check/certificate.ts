// The certificate of a proof by abstraction (cegar, impact): a graph of nodes labelled with formulas, as plain data. A
// node is reached from its parent by one step of a thread; its location vector follows from the way to it. Everything
// else (the program as it was prepared, what a step does, which steps may be left out) the checker works out by itself.

export interface GraphCertificate {
  readonly arithmetic: 'int' | 'bv'
  /** Whether local work belongs to the step before it: the program's edges are numbered accordingly. */
  readonly largeBlocks: boolean
  /** Why not every thread is explored everywhere: a persistent set is enough, or only monotonic paths are followed. */
  readonly reduction: 'persistent' | 'monotonic'
  /** What an access outside its region does: the thread stops, or goes on with any value, which lets more happen. */
  readonly strayAccess: 'stops' | 'goes-on'
  /** Formulas in SMT-LIB; nodes name them by their index. */
  readonly formulas: readonly string[]
  readonly nodes: readonly CertificateNode[]
}

export interface CertificateNode {
  readonly id: number
  readonly parent?: number
  /** The step from the parent: who, by which edge of the prepared program. */
  readonly thread?: number
  readonly edge?: number
  /** Conjuncts, as indices of `formulas`; none is True. */
  readonly label: readonly number[]
  /** The threads whose steps were followed from here; absent for a leaf. */
  readonly threads?: readonly number[]
  readonly coveredBy?: number
}

/** The certificate does not prove what it claims, or is none: where, and why. */
export class Rejected extends Error {
  constructor(
    readonly place: string,
    why: string,
  ) {
    super(`${place}: ${why}`)
  }
}

/** The solver gave up, or something is not checked: neither accepted nor rejected. */
export class Undecided extends Error {}

export const GRAPH_KIND = 'labelled-graph'

export const graphCertificate = (data: unknown): GraphCertificate => {
  const given = record(data, 'data')
  const arithmetic = oneOf(given['arithmetic'], ['int', 'bv'] as const, 'data.arithmetic')
  const reduction = oneOf(given['reduction'], ['persistent', 'monotonic'] as const, 'data.reduction')
  const strayAccess = oneOf(given['strayAccess'] ?? 'stops', ['stops', 'goes-on'] as const, 'data.strayAccess')
  const formulas = list(given['formulas'], 'data.formulas').map((f, i) => text(f, `data.formulas[${i}]`))
  const nodes = list(given['nodes'], 'data.nodes').map((n, i) => nodeOf(n, `data.nodes[${i}]`, formulas.length))
  const seen = new Set<number>()
  for (const [i, { id }] of nodes.entries()) {
    if (seen.has(id)) throw new Rejected(`data.nodes[${i}]`, `there are two nodes ${id}`)
    seen.add(id)
  }
  return { arithmetic, reduction, strayAccess, largeBlocks: given['largeBlocks'] !== false, formulas, nodes }
}

const nodeOf = (given: unknown, place: string, formulas: number): CertificateNode => {
  const node = record(given, place)
  const optional = (name: string) =>
    node[name] === undefined ? {} : { [name]: natural(node[name], `${place}.${name}`) }
  const label = list(node['label'], `${place}.label`).map((l) => natural(l, `${place}.label`))
  if (label.some((l) => l >= formulas)) throw new Rejected(`${place}.label`, 'there is no such formula')
  const threads = node['threads']
  return {
    id: natural(node['id'], `${place}.id`),
    ...optional('parent'),
    ...optional('thread'),
    ...optional('edge'),
    ...optional('coveredBy'),
    label,
    ...(threads !== undefined && { threads: list(threads, `${place}.threads`).map((t) => natural(t, place)) }),
  }
}

const record = (given: unknown, place: string): Readonly<Record<string, unknown>> => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new Rejected(place, 'is no object')
  return given as Readonly<Record<string, unknown>>
}

const list = (given: unknown, place: string): readonly unknown[] => {
  if (!Array.isArray(given)) throw new Rejected(place, 'is no list')
  return given
}

const text = (given: unknown, place: string): string => {
  if (typeof given !== 'string') throw new Rejected(place, 'is no text')
  return given
}

const natural = (given: unknown, place: string): number => {
  if (!Number.isInteger(given) || (given as number) < 0) throw new Rejected(place, 'is no number')
  return given as number
}

const oneOf = <T extends string>(given: unknown, values: readonly T[], place: string): T => {
  const found = values.find((value) => value === given)
  if (found === undefined) throw new Rejected(place, `is none of ${values.join(', ')}`)
  return found
}
