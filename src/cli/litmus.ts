// heddle verify TEST.litmus…: decides litmus tests in this process, one after the other.
import { readFileSync, writeFileSync } from 'node:fs'
import {
  decideLitmus,
  finalState,
  type LitmusAnswer,
  type LitmusUnknown,
  viewCandidate,
} from '../engine/litmus/index.js'
import { type Dialect, type LitmusTest, parseLitmus } from '../frontend/litmus/index.js'
import type { ExecutionView, ModelName } from '../memory-model/index.js'
import { executionLines } from '../output/execution/index.js'
import { litmusPage } from '../output/html/litmus-page.js'
import { milliseconds, type Parsed, UsageError } from '../run/call/options.js'
import { isModelName, type LoadedModel, loadModel } from '../run/program/memory-models.js'
import { checkOutputs } from './output-names.js'
import { STATUS } from './status.js'

/** The model by which a dialect's tests are decided if none is named. */
const DEFAULTS: Readonly<Record<Dialect, ModelName>> = {
  C: 'rc11',
  LKMM: 'lkmm',
  X86: 'tso',
  AArch64: 'arm8',
  PPC: 'power',
  RISCV: 'riscv',
}

/** Which dialects' fences and orders a model of ours speaks of. A model of the user's may speak of any. */
const READS: Readonly<Record<ModelName, readonly Dialect[]>> = {
  sc: ['C', 'LKMM', 'X86', 'AArch64', 'PPC', 'RISCV'],
  tso: ['X86', 'C'],
  pso: ['X86', 'C'],
  rmo: ['X86', 'C'],
  rc11: ['C'],
  imm: ['C'],
  arm8: ['AArch64'],
  power: ['PPC'],
  riscv: ['RISCV'],
  lkmm: ['LKMM'],
}

/** Executions are counted up to this number; beyond it the answer has no count. */
const MAX_COUNTED = 2000

interface Decided {
  readonly file: string
  readonly model?: string
  readonly test?: LitmusTest
  readonly answer: LitmusAnswer | LitmusUnknown
  readonly inputError?: string
  /** The test as it was read. */
  readonly text?: string
  readonly view?: ExecutionView
  readonly timeMs: number
}

export const verifyLitmus = (parsed: Parsed): number => {
  const option = (name: string): string | undefined => parsed.options.get(name)?.[0]
  for (const name of parsed.options.keys())
    if (!['memory-model', 'json', 'html', 'timeout', 'stats', 'quiet', 'color'].includes(name))
      throw new UsageError(
        `--${name} has no meaning for litmus tests, which take --memory-model, --timeout, --json, --html and --quiet`,
      )
  checkOutputs(new Map(option('html') === undefined ? [] : [['html', option('html')!]]))
  const timeout = milliseconds(option('timeout') ?? '60s')
  const named = option('memory-model')
  const models = new Map<string, LoadedModel>()
  const modelOf = (name: string): LoadedModel => {
    if (!models.has(name)) models.set(name, loadModel(name))
    return models.get(name)!
  }
  if (named !== undefined) {
    const model = modelOf(named)
    if (model.kind === 'wrong') {
      console.error(model.diagnostic)
      return STATUS.wrongInput
    }
  }
  const several = parsed.files.length > 1
  const isQuiet = parsed.options.has('quiet')
  const results: Decided[] = []
  for (const file of parsed.files) {
    const decided = decideFile(file, named, modelOf, timeout)
    results.push(decided)
    if (decided.inputError !== undefined) console.error(decided.inputError)
    if (!parsed.options.has('json') && (several || decided.inputError === undefined))
      process.stdout.write(
        several
          ? `${file}: ${summary(decided)}\n`
          : `${(isQuiet ? [verdictText(decided)] : report(decided)).join('\n')}\n`,
      )
  }
  if (parsed.options.has('json'))
    console.log(JSON.stringify(several ? results.map(jsonOf) : jsonOf(results[0]!), null, 2))
  const html = option('html')
  if (html !== undefined) writeFileSync(html, page(results))
  return statusOf(results)
}

const decideFile = (
  file: string,
  named: string | undefined,
  modelOf: (name: string) => LoadedModel,
  timeout: number,
): Decided => {
  const began = performance.now()
  const unknown = (reason: string, more: Partial<Decided> = {}): Decided => ({
    file,
    answer: { kind: 'unknown', reason },
    timeMs: performance.now() - began,
    ...more,
  })
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return unknown('input error', { inputError: `${file}:1:1: error: the file cannot be read` })
  }
  const parsed = parseLitmus(text)
  if (parsed.kind === 'wrong') {
    const { at, message } = parsed.error
    return unknown('input error', { inputError: `${file}:${at.line}:${at.column}: error: ${message}` })
  }
  const { test } = parsed
  const name = named ?? DEFAULTS[test.dialect]
  const loaded = modelOf(name)
  if (loaded.kind === 'wrong') return unknown('input error', { inputError: loaded.diagnostic })
  if (isModelName(name) && !READS[name].includes(test.dialect))
    return unknown(`unsupported: the model ${name} does not speak of ${test.dialect}'s fences and orders`, {
      test,
      model: name,
    })
  const answer = decideLitmus(test, loaded.model, {
    expired: () => performance.now() - began > timeout,
    maxCounted: MAX_COUNTED,
    explain: true,
  })
  const view =
    answer.kind === 'unknown'
      ? undefined
      : answer.witness
        ? viewCandidate(test, answer.witness)
        : answer.forbidden && viewCandidate(test, answer.forbidden.candidate, answer.forbidden.violation)
  return { file, test, text, model: name, answer, ...(view && { view }), timeMs: performance.now() - began }
}

const verdictText = ({ answer }: Decided): string =>
  answer.kind === 'unknown'
    ? `VERDICT: UNKNOWN(${answer.reason})`
    : answer.holds
      ? 'VERDICT: TRUE'
      : 'VERDICT: FALSE(litmus)'

const allowedText = ({ answer, test }: Decided): string => {
  if (answer.kind === 'unknown') return ''
  const counts = answer.counts ? ` (${answer.counts.satisfying} of ${answer.counts.executions} executions)` : ''
  if (test?.quantifier === 'forall') return `${answer.holds ? 'Required' : 'Allowed, not required'}${counts}`
  return `${answer.allowed ? 'Allowed' : 'Forbidden'}${counts}`
}

const summary = (decided: Decided): string =>
  [allowedText(decided), verdictText(decided)].filter((part) => part !== '').join(' ')

const report = (decided: Decided): readonly string[] => {
  const { file, model, test, answer, view } = decided
  const lines = [`${file} · ${test?.name ?? ''} · ${model ?? ''}`, '']
  if (answer.kind === 'answer') {
    if (answer.witness) lines.push(`  This execution ends with ${finalState(test!, answer.witness).join(', ')}:`)
    else if (view) lines.push('  This execution has the outcome, and the model forbids it:')
    else lines.push(`  ${NO_EXECUTION}`)
    if (view) lines.push(...executionLines(view))
    if (answer.flags.length > 0) lines.push(`  flags: ${answer.flags.join(', ')}`)
    lines.push('', allowedText(decided))
  }
  lines.push(verdictText(decided))
  return lines
}

const jsonOf = (decided: Decided): object => {
  const { file, model, test, answer, view, inputError, timeMs } = decided
  return {
    version: 1,
    verdict: answer.kind === 'unknown' ? 'unknown' : answer.holds ? 'true' : 'false',
    property: 'litmus',
    file,
    ...(model !== undefined && { memory_model: model }),
    ...(test && { name: test.name, dialect: test.dialect, quantifier: test.quantifier }),
    ...(answer.kind === 'unknown'
      ? { reason: answer.reason }
      : { allowed: answer.allowed, ...(answer.counts && { counts: answer.counts }), flags: answer.flags }),
    ...(view && { execution: view }),
    ...(inputError !== undefined && { error: inputError }),
    time_ms: Math.round(timeMs * 10) / 10,
  }
}

const page = (results: readonly Decided[]): string =>
  litmusPage(
    results.length === 1 ? nameOf(results[0]!) : `${results.length} litmus tests`,
    results.map((decided) => {
      const { file, model, answer, view, text } = decided
      return {
        verdict: answer.kind === 'unknown' ? 'unknown' : answer.holds ? 'true' : 'false',
        name: nameOf(decided),
        where: [file, ...(model === undefined ? [] : [model])].join(' · '),
        answer: answer.kind === 'unknown' ? `not decided: ${answer.reason}` : allowedText(decided),
        verdictLine: verdictText(decided),
        notes: explanation(decided),
        ...(view && { view }),
        ...(text !== undefined && { text }),
      }
    }),
  )

const nameOf = ({ test, file }: Decided): string => test?.name ?? file

/** What the execution that is shown is an execution of. */
const explanation = ({ answer, test, view }: Decided): readonly string[] => {
  if (answer.kind === 'unknown') return []
  if (answer.witness) return [`The execution below ends with ${finalState(test!, answer.witness).join(', ')}.`]
  return [view ? 'The execution below has this outcome, and the model forbids it.' : NO_EXECUTION]
}

const NO_EXECUTION = 'No choice of writes gives this outcome, whatever the model.'

/** Wrong input before not decided before violated, so that no script takes a part for the whole. */
const statusOf = (results: readonly Decided[]): number => {
  if (results.some((result) => result.inputError !== undefined)) return STATUS.wrongInput
  if (results.some(({ answer }) => answer.kind === 'unknown')) return STATUS.unknown
  return results.every(({ answer }) => answer.kind === 'answer' && answer.holds) ? STATUS.true : STATUS.false
}
