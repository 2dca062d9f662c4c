// The options of heddle ci and heddle watch.
import { type CommandOption, VERIFY_OPTIONS } from '../../run/call/options.js'

const OF_VERIFY = [
  'engine',
  'memory',
  'solver',
  'data-model',
  'D',
  'I',
  'headers',
  'error-function',
  'malloc-may-fail',
  'proofs',
]

export const DEFAULT_PROPERTIES = ['assert', 'no-data-race', 'no-deadlock']

const PROPERTY: CommandOption = {
  name: 'property',
  value: 'NAME',
  repeat: true,
  help: `what to decide; give it several times, or say all (default: ${DEFAULT_PROPERTIES.join(', ')})`,
}
const TIMEOUT: CommandOption = {
  name: 'timeout',
  value: 'TIME',
  default: '20s',
  help: 'time limit for each program and property',
}
const FROM_VERIFY = VERIFY_OPTIONS.filter(({ name }) => OF_VERIFY.includes(name))

export const WATCH_OPTIONS: readonly CommandOption[] = [
  {
    name: 'port',
    value: 'NUMBER',
    default: '0',
    help: 'the port of the live page on this machine; 0 means any free port',
  },
  PROPERTY,
  TIMEOUT,
  ...FROM_VERIFY,
]

export const CI_OPTIONS: readonly CommandOption[] = [
  {
    name: 'base',
    value: 'REVISION',
    help: 'verify only programs whose files, or the files they include, changed since this git revision',
  },
  { name: 'budget', value: 'TIME', default: '5m', help: 'time limit for all programs and properties together' },
  PROPERTY,
  TIMEOUT,
  { name: 'baseline', value: 'FILE', help: 'findings that are listed there do not fail the build' },
  { name: 'update-baseline', help: 'write the findings of this run to the baseline' },
  { name: 'sarif', value: 'FILE', help: 'write all results as one SARIF log' },
  { name: 'json', help: 'print one JSON object' },
  ...FROM_VERIFY,
]
