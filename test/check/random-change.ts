// A certificate's text changed at random, by seed: values replaced by hostile ones, parts removed, repeated or exchanged,
// numbers a little off, formulas with other operators, and now and then the text itself cut or overwritten.
import { type Choices, seededChoices } from '../generate/choices.js'

type Holder = Record<string, unknown> | unknown[]
interface Slot {
  readonly holder: Holder
  readonly key: string | number
}

export const randomChange = (json: string, seed: number): string => {
  const choices = seededChoices(seed)
  if (choices.rarely(12)) return overwritten(json, choices)
  const file: unknown = JSON.parse(json)
  for (let left = 1 + choices.below(3); left > 0; left--) changeOne(file, choices)
  return JSON.stringify(file)
}

const overwritten = (json: string, choices: Choices): string => {
  const at = choices.below(65_536) % json.length
  switch (choices.below(3)) {
    case 0:
      return json.slice(0, at)
    case 1:
      return json.slice(0, at) + choices.pick(['{', ']', '"', '\\', '1e999', '\u0000', ',']) + json.slice(at + 1)
    default:
      return json.slice(0, at) + json.slice(at + choices.below(200))
  }
}

/** Most of a certificate is its proof: half of the changes are elsewhere. */
const changeOne = (file: unknown, choices: Choices): void => {
  const slots = slotsOf(choices.rarely(2) ? withoutProof(file) : file)
  if (slots.length === 0) return
  const { holder, key } = slots[(choices.below(65_536) * 65_536 + choices.below(65_536)) % slots.length]!
  const put = (value: unknown): void => {
    ;(holder as Record<string | number, unknown>)[key] = value
  }
  // A copy: a part that contains itself would be no JSON.
  const value = structuredClone((holder as Record<string | number, unknown>)[key])
  switch (choices.below(7)) {
    case 0:
      put(choices.pick(HOSTILE)())
      break
    case 1:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      break
    case 2:
      if (Array.isArray(holder)) holder.push(value)
      else holder[choices.pick(['__proto__', 'constructor', 'toString', 'data', 'kind'])] = value
      break
    case 3: {
      const { holder: from, key: name } = choices.pick(slots)
      put(structuredClone((from as Record<string | number, unknown>)[name]))
      break
    }
    default:
      put(alike(value, choices))
  }
}

const withoutProof = (file: unknown): unknown =>
  typeof file === 'object' && file !== null ? { ...file, certificate: undefined } : file

/** The nearest thing to a value that is another one. */
const alike = (value: unknown, choices: Choices): unknown => {
  if (typeof value === 'number') return value + choices.pick([1, -1, 2, 0.5, 2 ** 31, 2 ** 53])
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return choices.pick([null, [], {}, value])
  const tokens = value.split(/([\s()]+)/)
  const at = choices.below(tokens.length)
  return [
    ...tokens.slice(0, at),
    choices.pick([...TOKENS, tokens[choices.below(tokens.length)]!]),
    ...tokens.slice(at + 1),
  ].join('')
}

const TOKENS = ['true', 'false', 'not', 'and', 'or', '=', '0', '1', '(', ')', 'let', '_', 'ite', '|', '"', '#b1', '']

const HOSTILE: readonly (() => unknown)[] = [
  () => null,
  () => -1,
  () => 1e308,
  () => 2 ** 53,
  () => '',
  () => '__proto__',
  () => 'x'.repeat(10_000),
  () => [],
  () => ({}),
  () => JSON.parse('{"__proto__":{"length":1}}'),
  () => Array.from({ length: 5000 }, () => 0),
  () => Array.from({ length: 25 }).reduce<unknown>((inner) => [inner], 0),
  () => `${'(not '.repeat(3000)}true${')'.repeat(3000)}`,
  () => '\u001b[2J\u202e',
  () => '(_ bv1 99999999)',
]

/** Every place of the file. */
const slotsOf = (root: unknown): readonly Slot[] => {
  const slots: Slot[] = []
  const work = [root]
  for (let value = work.pop(); value !== undefined; value = work.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const holder = value as Holder
    const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder)
    for (const key of keys) {
      slots.push({ holder, key })
      work.push((holder as Record<string | number, unknown>)[key])
    }
  }
  return slots
}
