// What to do when verify ends without an answer: run the program. The command is proposed only where `heddle test` could
// look for the same, and for programs of C.
import type { Report } from '../verdict/index.js'
import { gapOf, isOurLimit } from '../verdict/reason.js'
import type { Request } from './call/request.js'

const LOOKED_FOR: Readonly<Record<string, string>> = {
  assert: 'assert',
  'unreach-call': 'assert',
  'no-data-race': 'no-data-race',
  'no-deadlock': 'no-deadlock',
  'valid-memsafety': 'crash,leak',
}

export const proposeTest = (report: Report, request: Request): Report => {
  const command = testCommand(report, request)
  if (command === undefined) return report
  return { ...report, hint: `run the real program under many schedules: ${command}` }
}

const testCommand = (report: Report, request: Request): string | undefined => {
  const property = LOOKED_FOR[request.property]
  const { reason } = report
  if (report.verdict !== 'unknown' || !reason || !isOurLimit(reason) || property === undefined) return undefined
  // A program that lacks definitions cannot be linked, either.
  if (gapOf(reason)?.lacks !== undefined) return undefined
  if (request.entry !== 'main' || request.memoryModel !== 'sc' || !request.files.every((f) => /\.[ci]$/.test(f)))
    return undefined
  const words = [
    ...request.files.map(quoted),
    ...request.defines.map((d) => `-D ${quoted(d)}`),
    ...request.includeDirs.map((d) => `-I ${quoted(d)}`),
    ...(request.dataModel === 'ilp32' ? ['--data-model ilp32'] : []),
    `--property ${property}`,
  ]
  return `heddle test ${words.join(' ')}`
}

const quoted = (word: string): string => (/^[\w./=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
