// --fix: for a program that fails under the orders that it uses but not under sequential consistency, the weakest
// strengthening of one or two memory orders that makes the property hold; if there is none, a set of fences of which none
// can be left out. Each proposal is verified as any other program: what is shown as a fix was proved.
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
    if (Date.now() >= request.deadline)
      return { kind: 'none', reason: `none of ${trials} strengthenings was proved in time` }
    if (trials++ >= MAX_TRIALS) break
    const changed = applied(text, changes)
    if ((await trial(changed, modelOf(request))) !== 'true') continue
    return {
      kind: 'fix',
      fix: { diff: diffOf(file, text, changed), changes: changes.map((change) => describe(text, change)) },
    }
  }
  return (
    (await fixByFences(file, text, (changed) => trial(changed, modelOf(request)), request.deadline)) ?? NOTHING_HELPS
  )
}

const NOTHING_HELPS: FixAnswer = {
  kind: 'none',
  reason: 'no strengthening of at most two memory orders makes it hold, nor do fences between its statements',
}

const modelOf = ({ memoryModel }: Request): string => (memoryModel === 'sc' ? 'rc11' : memoryModel)

/** Fences after all statements that may need one; then each is left out that is not needed. */
const fixByFences = async (
  file: string,
  text: string,
  trial: (changed: string) => Promise<string>,
  deadline: number,
): Promise<FixAnswer | undefined> => {
  let kept = placesForFences(text)
  if (kept.length === 0 || (await trial(fenced(text, kept))) !== 'true') return undefined
  let leftOut = 0
  for (const place of kept) {
    if (leftOut++ >= MAX_TRIALS || Date.now() >= deadline)
      return {
        kind: 'none',
        reason: `${kept.length} fences make it hold, but which of them are needed was not found in time`,
      }
    const fewer = kept.filter((other) => other !== place)
    if ((await trial(fenced(text, fewer))) === 'true') kept = fewer
  }
  const changes = kept.map((line) => `line ${line + 1}: a sequentially consistent fence after it`)
  return { kind: 'fix', fix: { diff: diffOf(file, text, fenced(text, kept)), changes } }
}

/**
 * Lines, counted from 0, after which a fence may stand: a statement on a line of its own, in a function that uses atomic
 * operations or beside one, that does not leave the function or loop.
 */
export const placesForFences = (text: string): readonly number[] => {
  const lines = codeOf(text).split('\n')
  let depth = 0
  return lines.flatMap((line, i) => {
    const inside = depth > 0
    depth += [...line].filter((c) => c === '{').length - [...line].filter((c) => c === '}').length
    const next = lines.slice(i + 1).find((other) => other.trim() !== '')
    const isStatement =
      inside && depth > 0 && /;\s*$/.test(line) && !/^\s*(?:return|break|continue|goto|case|#|\w+\s*:)/.test(line)
    const matters = /atomic|memory_order|=/.test(line) && !/^\s*(?:else)?\s*$/.test(line)
    return isStatement && matters && !/^\s*else\b/.test(next ?? '') ? [i] : []
  })
}

const fenced = (text: string, places: readonly number[]): string => {
  const fence = /#\s*include\s*<stdatomic\.h>/.test(text)
    ? 'atomic_thread_fence(memory_order_seq_cst);'
    : '__atomic_thread_fence(__ATOMIC_SEQ_CST);'
  return text
    .split('\n')
    .map((line, i) => (places.includes(i) ? `${line.trimEnd()} ${fence}` : line))
    .join('\n')
}

/** Comments and strings as spaces: offsets and lines stay. */
const codeOf = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/g, (piece) => piece.replace(/[^\n]/g, ' '))

/** The orders that are written in the program, comments left out. */
export const occurrencesIn = (text: string): readonly Occurrence[] => {
  const code = codeOf(text)
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
