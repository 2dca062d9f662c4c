// The validating reader of certificates: from text to `CertificateFile`, or `Rejected` with the place that is wrong. What
// it returns has the shape of its type and numbers that are safe; whether it proves anything is for src/check.
import {
  field,
  flag,
  integer,
  list,
  listOf,
  natural,
  oneOf,
  optional,
  parseJson,
  Rejected,
  record,
  text,
  WRITTEN_BY,
} from './json.js'
import type {
  Certificate,
  CertificateKind,
  CertificateNode,
  ForestCertificate,
  ForestCertificateNode,
  GraphCertificate,
  HornCertificate,
  TerminationStep,
} from './model.js'
import { reducedCertificate } from './reduced.js'

/** What a certificate's file says: a claim about a task, and the proof of it. */
export interface CertificateFile {
  readonly property: string
  readonly engine: string
  readonly assumptions: readonly ClaimedAssumption[]
  readonly task: ClaimedTask
  readonly certificate: Certificate
}

interface ClaimedAssumption {
  readonly kind: string
  /** Of the kind `memory-model`. */
  readonly model?: string
  readonly status: 'discharged' | 'open' | 'by option'
}

/** How the program was read, as the certificate has it: to be compared, never to be used. */
export interface ClaimedTask {
  readonly dataModel: 'ilp32' | 'lp64'
  readonly entry: string
  readonly defines: readonly string[]
  readonly cpp?: string
  readonly spuriousWakeups: boolean
  readonly mallocMayFail: boolean
  /** SHA-256 of each file. */
  readonly hashes: readonly string[]
}

const KINDS = [
  'labelled-graph',
  'horn',
  'bounded',
  'termination',
  'locks',
  'reduced-product',
  'abstract-reachability',
  'exploration',
  'forest',
  'executions',
] as const satisfies readonly CertificateKind[]

export const readCertificateFile = (json: string): CertificateFile => {
  const file = record(parseJson(json), 'certificate file')
  const verdict = oneOf(field(file, 'verdict'), ['true', 'false', 'unknown'] as const, 'verdict')
  if (verdict !== 'true') throw new Rejected('verdict', `it says ${verdict}, so there is no proof in it${WRITTEN_BY}`)
  return {
    property: text(field(file, 'property'), 'property'),
    engine: text(field(file, 'engine'), 'engine'),
    assumptions: listOf(field(file, 'assumptions'), 'assumptions', assumptionOf),
    task: taskOf(field(file, 'task')),
    certificate: readCertificate(field(file, 'certificate')),
  }
}

const assumptionOf = (given: unknown, place: string): ClaimedAssumption => {
  const entry = record(given, place)
  return {
    kind: text(field(entry, 'kind'), `${place}.kind`),
    ...optional(entry, 'model', place, text),
    status: oneOf(field(entry, 'status'), ['discharged', 'open', 'by option'] as const, `${place}.status`),
  }
}

const taskOf = (given: unknown): ClaimedTask => {
  const task = record(given, 'task')
  return {
    dataModel: oneOf(field(task, 'dataModel'), ['ilp32', 'lp64'] as const, 'task.dataModel'),
    entry: text(field(task, 'entry'), 'task.entry'),
    defines: listOf(field(task, 'defines'), 'task.defines', text),
    ...optional(task, 'cpp', 'task', text),
    spuriousWakeups: flag(field(task, 'spuriousWakeups'), 'task.spuriousWakeups'),
    mallocMayFail: flag(field(task, 'mallocMayFail'), 'task.mallocMayFail'),
    hashes: listOf(field(task, 'hashes'), 'task.hashes', text),
  }
}

export const readCertificate = (given: unknown): Certificate => {
  const certificate = record(given, 'certificate')
  const kind = oneOf(field(certificate, 'kind'), KINDS, 'certificate.kind')
  const data = record(field(certificate, 'data'), 'certificate.data')
  const at = (name: string): string => `certificate.data.${name}`
  switch (kind) {
    case 'labelled-graph':
      return { kind, data: field(data, 'tooLarge') === true ? { tooLarge: true } : graphCertificate(data) }
    case 'horn':
      return { kind, data: hornCertificate(data) }
    case 'bounded': {
      const encoding = oneOf(field(data, 'encoding'), ['partial-order', 'interleaving'] as const, at('encoding'))
      return { kind, data: { bound: natural(field(data, 'bound'), at('bound')), encoding } }
    }
    case 'termination': {
      const reduction = flag(field(data, 'reduction'), at('reduction'))
      return { kind, data: { reduction, steps: listOf(field(data, 'steps'), at('steps'), terminationStep) } }
    }
    case 'locks':
      return { kind, data: {} }
    case 'reduced-product':
      return { kind, data: field(data, 'tooLarge') === true ? { tooLarge: true } : reducedCertificate(data) }
    case 'abstract-reachability':
      return { kind, data: { nodes: natural(field(data, 'nodes'), at('nodes')) } }
    case 'exploration': {
      const counted = (name: string): number => natural(field(data, name), at(name))
      const counts = { states: counted('states'), transitions: counted('transitions') }
      return { kind, data: { ...counts, por: text(field(data, 'por'), at('por')) } }
    }
    case 'forest':
      return { kind, data: forestCertificate(data) }
    case 'executions': {
      const counted = (name: string): number => natural(field(data, name), at(name))
      const counts = { executions: counted('executions'), blocked: counted('blocked') }
      const words = {
        digest: text(field(data, 'digest'), at('digest')),
        memoryModel: text(field(data, 'memoryModel'), at('memoryModel')),
      }
      return { kind, data: { ...counts, ...words } }
    }
  }
}

const PLACE = 'certificate.data'

/** Also of a part alone, for tests. */
export const graphCertificate = (given: unknown): GraphCertificate => {
  const data = record(given, PLACE)
  const formulas = listOf(field(data, 'formulas'), `${PLACE}.formulas`, text)
  const nodes = listOf(field(data, 'nodes'), `${PLACE}.nodes`, (each, place) => nodeOf(each, place, formulas.length))
  requireDistinct(nodes)
  return {
    arithmetic: oneOf(field(data, 'arithmetic'), ['int', 'bv'] as const, `${PLACE}.arithmetic`),
    reduction: oneOf(field(data, 'reduction'), ['persistent', 'monotonic'] as const, `${PLACE}.reduction`),
    strayAccess: oneOf(field(data, 'strayAccess') ?? 'stops', ['stops', 'goes-on'] as const, `${PLACE}.strayAccess`),
    largeBlocks: flag(field(data, 'largeBlocks') ?? true, `${PLACE}.largeBlocks`),
    formulas,
    nodes,
  }
}

const requireDistinct = (nodes: readonly { readonly id: number }[]): void => {
  const seen = new Set<number>()
  for (const [i, { id }] of nodes.entries()) {
    if (seen.has(id)) throw new Rejected(`${PLACE}.nodes[${i}]`, `there are two nodes ${id}`)
    seen.add(id)
  }
}

const nodeOf = (given: unknown, place: string, formulas: number): CertificateNode => {
  const node = record(given, place)
  const label = listOf(field(node, 'label'), `${place}.label`, natural)
  if (label.some((l) => l >= formulas)) throw new Rejected(`${place}.label`, 'there is no such formula')
  return {
    id: natural(field(node, 'id'), `${place}.id`),
    ...optional(node, 'parent', place, natural),
    ...optional(node, 'thread', place, natural),
    ...optional(node, 'edge', place, natural),
    ...optional(node, 'coveredBy', place, natural),
    ...optional(node, 'threads', place, naturals),
    label,
  }
}

const naturals = (given: unknown, place: string): readonly number[] => listOf(given, place, natural)
const texts = (given: unknown, place: string): readonly string[] => listOf(given, place, text)

const hornCertificate = (data: Readonly<Record<string, unknown>>): HornCertificate => {
  const configuration = record(field(data, 'configuration'), `${PLACE}.configuration`)
  const entries = Object.entries(configuration).map(([name, value]): readonly [string, string | boolean] => {
    if (typeof value === 'string' || typeof value === 'boolean') return [name, value]
    throw new Rejected(`${PLACE}.configuration`, 'has a part that is neither a text nor true or false')
  })
  return {
    configuration: Object.fromEntries(entries),
    clauses: text(field(data, 'clauses'), `${PLACE}.clauses`),
    ...optional(data, 'solution', PLACE, texts),
    ...optional(data, 'predicates', PLACE, texts),
  }
}

const terminationStep = (given: unknown, place: string): TerminationStep => {
  const step = record(given, place)
  const kind = oneOf(field(step, 'kind'), ['ranking', 'solution'] as const, `${place}.kind`)
  if (kind === 'ranking') return { kind, ranks: texts(field(step, 'ranks'), `${place}.ranks`) }
  const unwritten = field(step, 'unwritten') === true
  return { kind, ...optional(step, 'definitions', place, texts), ...(unwritten && { unwritten }) }
}

const forestCertificate = (data: Readonly<Record<string, unknown>>): ForestCertificate => {
  const nodes = listOf(field(data, 'nodes'), `${PLACE}.nodes`, forestNode)
  requireDistinct(nodes)
  return {
    scheduler: text(field(data, 'scheduler'), `${PLACE}.scheduler`),
    order: oneOf(field(data, 'order'), ['anew', 'fixed'] as const, `${PLACE}.order`),
    arithmetic: oneOf(field(data, 'arithmetic'), ['int', 'bv'] as const, `${PLACE}.arithmetic`),
    persistent: flag(field(data, 'persistent'), `${PLACE}.persistent`),
    guarded: flag(field(data, 'guarded'), `${PLACE}.guarded`),
    spuriousCycles: natural(field(data, 'spuriousCycles'), `${PLACE}.spuriousCycles`),
    nodes,
  }
}

const forestNode = (given: unknown, place: string): ForestCertificateNode => {
  const node = record(given, place)
  return {
    id: natural(field(node, 'id'), `${place}.id`),
    ...optional(node, 'parent', place, natural),
    ...optional(node, 'edge', place, natural),
    ...optional(node, 'choice', place, integer),
    ...optional(node, 'coveredBy', place, natural),
    ...optional(node, 'args', place, (each, at) => listOf(each, at, integer)),
    ...optional(node, 'sleep', place, naturals),
    label: list(field(node, 'label'), `${place}.label`).map((each, i) => text(each, `${place}.label[${i}]`)),
  }
}
