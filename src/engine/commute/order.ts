// Preference orders: which thread should go first, after a prefix. An order is positional: it looks at the location
// vector and at a small state of its own that follows from the prefix, so that two words are compared where they first
// differ, and every set of words of one length has a least one.
import type { PreferenceOrder } from '../../certificate/index.js'
import type { Control } from '../../semantics/control.js'
import type { Letter } from './letters.js'

export interface Order {
  readonly name: string
  /** As a certificate has it. */
  readonly written: PreferenceOrder
  readonly initial: string
  /** Its state after a letter. */
  next(state: string, letter: Letter): string
  /** Smaller goes first. */
  rank(state: string, control: Control, thread: number): number
}

/** The first thread as far as possible, then the next one. */
export const sequential: Order = {
  name: 'sequential',
  written: { kind: 'sequential' },
  initial: '',
  next: () => '',
  rank: (_state, _control, thread) => thread,
}

/** Main last: what it does between starts waits for the threads that it started. */
const MAIN = 0

/**
 * Lanes take turns: the turn passes on when a thread closes an iteration of a loop. The threads of one lane run one after
 * the other. Threads of no lane go first.
 */
export const lanes = (groups: readonly (readonly number[])[], name = laneName(groups)): Order => {
  const places = new Map(groups.flatMap((group, lane) => group.map((thread, i) => [thread, { lane, i }] as const)))
  const width = 1 + Math.max(0, ...groups.map((group) => group.length))
  return {
    name,
    written: { kind: 'lanes', lanes: groups },
    initial: '0',
    next: (state, letter) => {
      const place = places.get(letter.thread)
      return place && letter.back ? String((place.lane + 1) % groups.length) : state
    },
    rank: (state, _control, thread) => {
      const place = places.get(thread)
      if (!place) return thread === MAIN ? -1 : 0
      const turn = (place.lane - Number(state) + groups.length) % groups.length
      return 1 + turn * width + place.i
    },
  }
}

const laneName = (groups: readonly (readonly number[])[]): string => groups.map((group) => group.join(',')).join('|')

/** All of so many threads (main excepted) take turns. */
export const lockstep = (threads: number): Order =>
  lanes(
    Array.from({ length: threads }, (_, i) => [i + 1]),
    'lockstep',
  )

/** Another order of the threads at every vector, by a seed. */
const random = (seed: number): Order => ({
  name: `random:${seed}`,
  written: { kind: 'random', seed },
  initial: '',
  next: () => '',
  rank: (_state, { key }, thread) => scramble(`${seed} ${key} ${thread}`),
})

/** FNV-1a. */
const scramble = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash
}

/** What `--order` means: a name, random:SEED, or lanes such as 1|2,3; undefined: nothing. */
export const orderOf = (text: string, threads: number): Order | undefined => {
  if (text === 'sequential') return sequential
  if (text === 'lockstep') return lockstep(threads)
  const seed = /^random:(\d+)$/.exec(text)
  if (seed) return random(Number(seed[1]))
  if (!/^\d+(,\d+)*(\|\d+(,\d+)*)*$/.test(text)) return undefined
  return lanes(text.split('|').map((group) => group.split(',').map(Number)))
}
