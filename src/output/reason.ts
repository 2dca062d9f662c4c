// A reason of UNKNOWN as the sentence that people read: in the verdict line, in the JSON, in every other output.
import type { Attempt, Reason } from '../verdict/index.js'
import { openObligation } from '../xcfa/terms/index.js'

export const reasonText = (reason: Reason): string => {
  switch (reason.kind) {
    case 'timeout':
      return reason.phase === undefined ? 'timeout' : `timeout in the ${reason.phase}`
    case 'memory':
      return 'memory'
    case 'cancelled':
      return reason.by
    case 'superseded':
      return reason.isSettled ? 'stopped: another engine decided it' : 'stopped: no engine can decide this'
    case 'no-engine':
      return 'no engine decides this property'
    case 'failure':
      return `${reason.what}: ${reason.text}`
    case 'unsupported':
      return `unsupported: ${reason.what}${at(reason.at)}`
    case 'not-applicable':
      return reason.problem
    case 'not-expressible':
      return `not expressible: ${reason.what}`
    case 'obligation':
      return `${openObligation(reason.obligation)}${at(reason.at)}`
    case 'sampled':
      return `unbounded nondeterminism${reason.variable === undefined ? at(reason.at) : `: ${reason.variable}`}`
    case 'freed-address':
      return `a pointer to a freed block is compared${at(reason.at)}`
    case 'no-replay':
      return `a counterexample does not replay${because(reason.why)}`
    case 'wrong-proof':
      return `the proof that was found does not hold: ${reason.problem}`
    case 'unchecked-proof':
      return `the proof of ${reason.engine} is not checked: ${reason.problem}`
    case 'undefined-behaviour':
      return `undefined behaviour is reached: ${reason.text}${at(reason.at)}`
    case 'weaker-orders':
      return 'it holds under sequential consistency, but the program uses weaker memory orders (for rc11 use --engine bmc)'
    case 'store-buffers':
      return `store buffers of length ${reason.length}: ${reasonText(reason.because)}`
    case 'partial':
      return `${reasonText(reason.because)}: ${reason.covered}`
    case 'inconclusive':
      return reason.why
  }
}

const at = (place: { readonly file: string; readonly line: number } | undefined): string =>
  place ? ` at ${place.file}:${place.line}` : ''

const because = (why: string | undefined): string => (why === undefined ? '' : `: ${why}`)

/** As a user would call it. */
export const attemptName = ({ engine, options = {} }: Attempt): string =>
  [engine, ...Object.entries(options).map(([name, value]) => `--${name} ${value}`)].join(' ')

export const outcomeText = (outcome: Attempt['outcome']): string =>
  typeof outcome === 'string' ? outcome : reasonText(outcome)
