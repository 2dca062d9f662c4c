// What heddle check prints: what was asked, what the answer rests on, and the answer.
import type { Answer } from '../../check/index.js'
import type { Request } from '../../run/call/request.js'
import { STATUS } from '../status.js'

export const STATUS_OF = { accepted: STATUS.true, rejected: STATUS.false, unknown: STATUS.unknown } as const

export const answerText = (answer: Answer, request: Request, notes: readonly string[]): string => {
  switch (answer.kind) {
    case 'accepted':
      return [...proved(answer, request, notes), '', `✓ ${answer.how}`, '', 'CHECK: ACCEPTED'].join('\n')
    case 'rejected':
      return `✗ ${answer.place}\n\nCHECK: REJECTED`
    case 'unknown':
      return `? ${answer.reason}\n\nCHECK: UNKNOWN`
  }
}

const proved = (
  { assumes, trusted }: Extract<Answer, { kind: 'accepted' }>,
  {
    property,
    files,
    entry,
    defines,
    dataModel,
    cpp,
    memoryModel,
    spuriousWakeups,
    mallocMayFail,
    errorFunctions,
  }: Request,
  notes: readonly string[],
): readonly string[] => [
  `property      ${property}`,
  `program       ${files.join(', ')} (${dataModel}), from ${entry}()`,
  `defines       ${defines.length > 0 ? defines.map((each) => `-D${each}`).join(' ') : 'none'}`,
  ...(errorFunctions ? [`errors        calls of ${errorFunctions.join(', ')}`] : []),
  ...(cpp === undefined ? [] : [`preprocessed  by ${cpp}`]),
  ...open([
    memoryModel === 'sc' ? 'sequential consistency' : `the memory model ${memoryModel}`,
    ...(spuriousWakeups ? [] : ['no spurious wake-ups']),
    ...(mallocMayFail ? [] : ['malloc succeeds']),
    ...notes,
    ...assumes,
  ]),
  ...['the front end and inlining (src/frontend)', ...trusted].map((each) => `trusts        ${each}`),
]

const open = (assumptions: readonly string[]): readonly string[] =>
  [...new Set(assumptions)].map((each) => `assumes       ${each}`)
