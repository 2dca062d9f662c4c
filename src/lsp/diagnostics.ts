// From a result to what an editor shows: a violation is a diagnostic at the failing statement, and the interleaving is
// its related information, one entry per step in the order of the execution.
import {
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  type Range,
} from 'vscode-languageserver'
import type { InputErrorReport, VerifyReport, VerifyResult } from '../api/index.js'

/** Paths as the report names them, to the addresses that the client knows. */
export type ToUri = (path: string) => string

export interface Published {
  readonly uri: string
  readonly diagnostic: Diagnostic
}

export const diagnosticsOf = (result: VerifyResult, file: string, toUri: ToUri): readonly Published[] => {
  switch (result.verdict) {
    case 'error':
      return inputErrors(result, file, toUri)
    case 'false':
      return violation(result, toUri)
    case 'true':
    case 'unknown':
      return []
  }
}

const SOURCE = 'heddle'

/** `FILE:LINE:COLUMN: error: TEXT`; what has no position belongs to the first line. */
const inputErrors = ({ diagnostics }: InputErrorReport, file: string, toUri: ToUri): readonly Published[] =>
  diagnostics.map((text) => {
    const match = /^(.*?):(\d+):(\d+): (error|warning): (.*)$/s.exec(text)
    const severity = match?.[4] === 'warning' ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error
    const range = match ? rangeOf(Number(match[2]), Number(match[3]), '') : rangeOf(1, 1, '')
    return {
      uri: toUri(match?.[1] ?? file),
      diagnostic: { severity, range, source: SOURCE, code: 'input', message: match?.[5] ?? text },
    }
  })

const violation = ({ property, trace }: VerifyReport, toUri: ToUri): readonly Published[] => {
  if (!trace) return []
  const names = new Map(trace.threads.map(({ number, name }) => [number, name]))
  const related: DiagnosticRelatedInformation[] = trace.steps
    .filter(({ file }) => file === trace.file || file.includes('/'))
    .map((step, i) => {
      const changed = step.changed.map(({ name, value }) => `${name} = ${value}`).join(', ')
      const message = `${i + 1}. ${names.get(step.thread) ?? `T${step.thread}`}: ${step.text}${changed && `   [${changed}]`}`
      return { location: { uri: toUri(step.file), range: rangeOf(step.line, step.column, step.text) }, message }
    })
  const message = [trace.headline, trace.story, ...(trace.details ?? [])].filter(Boolean).join('\n')
  const targets = trace.targets?.length ? trace.targets : [{ ...trace, column: 1, text: '' }]
  return targets.map((target) => ({
    uri: toUri(target.file),
    diagnostic: {
      severity: DiagnosticSeverity.Error,
      range: rangeOf(target.line, target.column, target.text),
      source: SOURCE,
      code: property,
      message,
      relatedInformation: related,
    },
  }))
}

/** Positions count from 1 in reports, from 0 in the protocol. A statement of several lines is marked on its first. */
const rangeOf = (line: number, column: number, text: string): Range => {
  const start = { line: Math.max(0, line - 1), character: Math.max(0, column - 1) }
  const length = Math.max(1, text.split('\n')[0]!.length)
  return { start, end: { line: start.line, character: start.character + length } }
}
