// Preference orders, written once more. That an order looks at the prefix only, through a state and the location vector,
// is what makes one word of a class the least.
import type { PreferenceOrder } from '../../certificate/index.js'
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
      return byLanes(order.lanes)
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

/** Whose turn it is; the turn goes on with the end of an iteration. Main goes first of all, then whoever has no lane. */
const byLanes = (lanes: readonly (readonly number[])[]): Preference => {
  const longest = Math.max(0, ...lanes.map((lane) => lane.length))
  const laneOf = (thread: number): number => lanes.findIndex((lane) => lane.includes(thread))
  return ranked(
    (state, { thread, edges }) => {
      const lane = laneOf(thread)
      return lane >= 0 && edges.some(({ back }) => back) ? String((lane + 1) % lanes.length) : state
    },
    (state, _control, thread) => {
      const lane = laneOf(thread)
      if (lane < 0) return thread === 0 ? -1 : 0
      const distance = (lane - Number(state) + lanes.length) % lanes.length
      return 1 + distance * (longest + 1) + lanes[lane]!.indexOf(thread)
    },
    '0',
  )
}

/** The 32-bit FNV-1a hash. */
const mixed = (text: string): number =>
  [...text].reduce((hash, character) => Math.imul(hash ^ character.charCodeAt(0), 16777619) >>> 0, 2166136261)
