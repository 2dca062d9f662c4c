// What a step changed, short enough to be read: neighbouring cells of an array are told together, and what remains too
// long is counted.
import type { StepReport } from '../verdict/index.js'
import { thousands } from './text.js'

type Change = StepReport['changed'][number]

interface Cells {
  readonly before: string
  readonly after: string
  readonly first: number
  readonly values: string[]
}

/** Shorter runs of cells are told one by one. */
const MIN_RUN = 4
/** Of cells with different values, so many are shown at the beginning. */
const SHOWN_VALUES = 3
/** With one more, the last is told as `and 2 more`. */
const MAX_PARTS = 6

export const changesText = (changed: readonly Change[]): string => {
  const parts = runsOf(changed).flatMap(partsOf)
  const shown = parts.length > MAX_PARTS ? parts.slice(0, MAX_PARTS - 1) : parts
  const left = parts.length - shown.length
  return [...shown, ...(left > 0 ? [`and ${thousands(left)} more`] : [])].join(', ')
}

/** Neighbouring cells of one array are one run. */
const runsOf = (changed: readonly Change[]): readonly (Change | Cells)[] => {
  const runs: (Change | Cells)[] = []
  for (const change of changed) {
    const match = /^(.*)\[(\d+)\](\D*)$/s.exec(change.name)
    if (!match) {
      runs.push(change)
      continue
    }
    const [before, index, after] = [match[1]!, Number(match[2]), match[3]!]
    const last = runs.at(-1)
    const continues =
      last &&
      'values' in last &&
      last.before === before &&
      last.after === after &&
      last.first + last.values.length === index
    if (continues) last.values.push(change.value)
    else runs.push({ before, after, first: index, values: [change.value] })
  }
  return runs
}

const partsOf = (run: Change | Cells): readonly string[] => {
  if (!('values' in run)) return [`${run.name} = ${run.value}`]
  const { before, after, first, values } = run
  if (values.length < MIN_RUN) return values.map((value, i) => `${before}[${first + i}]${after} = ${value}`)
  const range = `${before}[${first}..${first + values.length - 1}]${after}`
  if (values.every((value) => value === values[0])) return [`${range} = ${values[0]}`]
  return [`${range} = ${values.slice(0, SHOWN_VALUES).join(', ')}, …, ${values.at(-1)}`]
}
