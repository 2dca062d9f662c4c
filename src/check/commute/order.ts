// Preference orders, written once more. That an order looks at the prefix only, through a state and the location vector,
// is what makes one word of a class the least.
import type { Lane, PreferenceOrder } from '../../certificate/index.js'
import type { Control } from '../../semantics/control.js'
import type { Letter } from './letters.js'

export interface Preference {
  readonly first: string
  next(state: string, letter: Letter): string
  /** Whether the first thread goes before the second. */
  prefers(state: string, control: Control, a: number, b: number): boolean
}

export const preferenceOf = (order: PreferenceOrder): Preference => {
  switch (order.kind) {
    case 'sequential':
      return ranked(
        () => '',
        (_state, _control, thread) => thread,
      )
    case 'random':
      return ranked(
        () => '',
        (_state, { key }, thread) => mixed(`${order.seed} ${key} ${thread}`),
      )
    case 'lanes':
      return byBlocks(order.blocks)
  }
}

const ranked = (
  next: Preference['next'],
  rank: (state: string, control: Control, thread: number) => number,
  first = '',
): Preference => ({
  first,
  next,
  prefers: (state, control, a, b) => {
    const difference = rank(state, control, a) - rank(state, control, b)
    return difference < 0 || (difference === 0 && a < b)
  },
})

/**
 * Whose turn it is in each block, and how many rounds it had; rounds end where iterations do. Main goes first of all, then
 * whoever has no block.
 */
const byBlocks = (blocks: readonly (readonly Lane[])[]): Preference => {
  const all = blocks.flatMap((block) => block.map((lane) => lane.threads.length + 1))
  const longest = Math.max(1, ...all)
  const widest = longest * (1 + Math.max(0, ...blocks.map((block) => block.length)))
  const placeOf = (thread: number) => {
    const block = blocks.findIndex((each) => each.some(({ threads }) => threads.includes(thread)))
    if (block < 0) return undefined
    const lane = blocks[block]!.findIndex(({ threads }) => threads.includes(thread))
    return { block, lane, i: blocks[block]![lane]!.threads.indexOf(thread) }
  }
  return ranked(
    (state, { thread, edges }) => {
      const place = placeOf(thread)
      if (!place || !edges.some(({ back }) => back)) return state
      const turns = turnsOf(state)
      const [lane, done] = turns[place.block]!
      const lanes = blocks[place.block]!
      const rounds = (lane === place.lane ? done : 0) + 1
      turns[place.block] =
        rounds < lanes[place.lane]!.rounds ? [place.lane, rounds] : [(place.lane + 1) % lanes.length, 0]
      return JSON.stringify(turns)
    },
    (state, _control, thread) => {
      const place = placeOf(thread)
      if (!place) return thread === 0 ? -1 : 0
      const lanes = blocks[place.block]!.length
      const [lane] = turnsOf(state)[place.block]!
      return 1 + place.block * widest + ((place.lane - lane + lanes) % lanes) * longest + place.i
    },
    JSON.stringify(blocks.map(() => [0, 0])),
  )
}

const turnsOf = (state: string): [number, number][] => JSON.parse(state) as [number, number][]

/** The 32-bit FNV-1a hash. */
const mixed = (text: string): number =>
  [...text].reduce((hash, character) => Math.imul(hash ^ character.charCodeAt(0), 16777619) >>> 0, 2166136261)
