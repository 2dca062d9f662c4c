// --fix: for a program that fails under the orders that it uses but not under sequential consistency, the weakest
// strengthening of its memory orders that makes the property hold. Each proposal is verified as any other program: what is
// shown as a fix was proved.
import { readFileSync } from 'node:fs'
import type { Request } from './call/request.js'
import { decide } from './decide.js'

export interface Fix {
  /** As `diff -u` shows it. */
  readonly diff: string
  readonly changes: readonly string[]
}

export type FixAnswer = { readonly kind: 'fix'; readonly fix: Fix } | { readonly kind: 'none'; readonly reason: string }

/** Programs that are verified on the way, at the most. */
const MAX_TRIALS = 80

/** What an order costs: acquire and release one, both two, seq_cst three. */
const STRENGTH: Readonly<Record<string, number>> = {
  relaxed: 0,
  consume: 1,
  acquire: 1,
  release: 1,
  acq_rel: 2,
  seq_cst: 3,
}

interface Occurrence {
  readonly offset: number
  readonly order: string
  /** Orders that are stronger and that the operation may have. */
  readonly stronger: readonly string[]
}

interface Change {
  readonly occurrence: Occurrence
  readonly order: string
  readonly cost: number
}

export const fixOrders = async (request: Request): Promise<FixAnswer> => {
  const [file, another] = request.files
  if (!file || another) return { kind: 'none', reason: '--fix changes a program of one file' }
  const text = readFileSync(file, 'utf8')
  const trial = async (changed: string, memoryModel: string): Promise<string> => {
    const asked: Request = {
      ...request,
      memoryModel,
      engine: memoryModel === 'sc' ? 'auto' : 'bmc',
      engineOptions: {},
      texts: { [file]: changed },
    }
    const { byOrders: _, ...plain } = asked
    const decision = await decide(plain).decision
    return decision.kind === 'input-error' ? 'wrong' : decision.report.verdict
  }
  if ((await trial(text, 'sc')) === 'false')
    return { kind: 'none', reason: 'it fails under sequential consistency, too: no memory order mends it' }
  let trials = 0
  for (const changes of proposals(occurrencesIn(text))) {
    if (trials++ >= MAX_TRIALS || Date.now() >= request.deadline)
      return { kind: 'none', reason: `none of ${trials - 1} strengthenings was proved in time` }
    const changed = applied(text, changes)
    if ((await trial(changed, request.memoryModel === 'sc' ? 'rc11' : request.memoryModel)) !== 'true') continue
    return {
      kind: 'fix',
      fix: { diff: diffOf(file, text, changed), changes: changes.map((change) => describe(text, change)) },
    }
  }
  return { kind: 'none', reason: 'no strengthening of at most two memory orders makes it hold' }
}

/** The orders that are written in the program, comments left out. */
export const occurrencesIn = (text: string): readonly Occurrence[] => {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/g, (piece) => ' '.repeat(piece.length))
  return [...code.matchAll(/\bmemory_order_(relaxed|consume|acquire|release|acq_rel)\b/g)].map((match) => {
    const order = match[1]!
    const admitted = ordersOf(callBefore(code, match.index))
    return { offset: match.index, order, stronger: admitted.filter((other) => isStronger(other, order)) }
  })
}

const isStronger = (a: string, b: string): boolean =>
  STRENGTH[a]! > STRENGTH[b]! || (b === 'consume' && a === 'acquire')

/** The name of the call whose argument is at an offset; undefined in a macro's definition. */
const callBefore = (code: string, offset: number): string | undefined => {
  let depth = 0
  for (let at = offset - 1; at >= 0 && !';{}'.includes(code[at]!); at--) {
    if (code[at] === ')') depth++
    if (code[at] === '(' && depth-- === 0) return /(\w+)\s*$/.exec(code.slice(0, at))?.[1]
  }
  return undefined
}

const ordersOf = (call: string | undefined): readonly string[] => {
  if (call === undefined) return ['acquire', 'release', 'seq_cst']
  if (/load/.test(call)) return ['acquire', 'seq_cst']
  if (/store|clear/.test(call)) return ['release', 'seq_cst']
  return ['acquire', 'release', 'acq_rel', 'seq_cst']
}

/** One change, then two, the weakest first. */
const proposals = (occurrences: readonly Occurrence[]): readonly (readonly Change[])[] => {
  const single = occurrences
    .flatMap((occurrence) =>
      occurrence.stronger.map(
        (order): Change => ({ occurrence, order, cost: STRENGTH[order]! - STRENGTH[occurrence.order]! }),
      ),
    )
    .sort((a, b) => a.cost - b.cost)
  const pairs = single
    .flatMap((a, i) => single.slice(i + 1).flatMap((b) => (a.occurrence === b.occurrence ? [] : [[a, b] as const])))
    .sort((a, b) => a[0].cost + a[1].cost - b[0].cost - b[1].cost)
  const cost = (changes: readonly Change[]): number => changes.reduce((sum, change) => sum + change.cost, 0)
  return [...single.map((change) => [change]), ...pairs].sort((a, b) => cost(a) - cost(b) || a.length - b.length)
}

const applied = (text: string, changes: readonly Change[]): string =>
  [...changes]
    .sort((a, b) => b.occurrence.offset - a.occurrence.offset)
    .reduce((result, { occurrence: { offset, order: old }, order }) => {
      const end = offset + `memory_order_${old}`.length
      return `${result.slice(0, offset)}memory_order_${order}${result.slice(end)}`
    }, text)

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

const describe = (text: string, { occurrence, order }: Change): string =>
  `line ${lineOf(text, occurrence.offset)}: memory_order_${occurrence.order} becomes memory_order_${order}`

/** Lines are only replaced, so that a hunk of one line for each is a diff. */
const diffOf = (file: string, before: string, after: string): string => {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  const hunks = old.flatMap((line, i) =>
    line === fresh[i] ? [] : [`@@ -${i + 1} +${i + 1} @@`, `-${line}`, `+${fresh[i]}`],
  )
  return [`--- ${file}`, `+++ ${file}`, ...hunks].join('\n')
}
