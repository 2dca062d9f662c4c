// Preference orders: which thread should go first, after a prefix. An order is positional: it looks at the location
// vector and at a small state of its own that follows from the prefix, so that two words are compared where they first
// differ, and every set of words of one length has a least one.
import type { Lane, PreferenceOrder } from '../../certificate/index.js'
import type { Control } from '../../semantics/control.js'
import type { Letter } from './letters.js'
import { LANES } from './spec.js'

export type { Lane }

export interface Order {
  readonly name: string
  /** As a certificate has it. */
  readonly written: PreferenceOrder
  readonly initial: string
  /** Its state after a letter. */
  next(state: string, letter: Letter): string
  /** Whether a round of the order begins where the thread has come to the head of a loop. */
  begins(state: string, thread: number): boolean
  /** Smaller goes first. */
  rank(state: string, control: Control, thread: number): number
}

/** The first thread as far as possible, then the next one. */
export const sequential: Order = {
  name: 'sequential',
  written: { kind: 'sequential' },
  initial: '',
  next: () => '',
  begins: () => true,
  rank: (_state, _control, thread) => thread,
}

/** Main last: what it does between starts waits for the threads that it started. */
const MAIN = 0

interface Place {
  readonly block: number
  readonly lane: number
  readonly rank: number
}

/**
 * Blocks of threads go one after the other. In a block, lanes take turns: the turn passes on when the threads of a lane
 * have closed so many iterations of loops. The threads of one lane run one after the other. Threads of no lane go first.
 */
export const lanes = (blocks: readonly (readonly Lane[])[], name = textOf(blocks)): Order => {
  const places = new Map<number, Place>()
  let size = 1
  for (const [block, own] of blocks.entries())
    for (const [lane, { threads }] of own.entries())
      for (const thread of threads) places.set(thread, { block, lane, rank: size++ })
  const initial = blocks.map(() => '0.0').join(';')
  const turn = (state: string, block: number): readonly [lane: number, rounds: number] => {
    const [lane, rounds] = state.split(';')[block]!.split('.')
    return [Number(lane), Number(rounds)]
  }
  return {
    name,
    written: { kind: 'lanes', blocks },
    initial,
    next: (state, letter) => {
      const place = places.get(letter.thread)
      if (!place || !letter.back) return state
      const own = blocks[place.block]!
      const [lane, before] = turn(state, place.block)
      const rounds = (lane === place.lane ? before : 0) + 1
      const isOver = rounds >= own[place.lane]!.rounds
      const now = isOver ? `${(place.lane + 1) % own.length}.0` : `${place.lane}.${rounds}`
      return state
        .split(';')
        .map((each, i) => (i === place.block ? now : each))
        .join(';')
    },
    begins: (state, thread) => {
      const place = places.get(thread)
      return !place || state.split(';')[place.block] === '0.0'
    },
    rank: (state, _control, thread) => {
      const place = places.get(thread)
      if (!place) return thread === MAIN ? -1 : 0
      const [lane] = turn(state, place.block)
      return place.block * 2 * size + (place.lane < lane ? size : 0) + place.rank
    },
  }
}

const textOf = (blocks: readonly (readonly Lane[])[]): string =>
  blocks
    .map((block) =>
      block.map(({ threads, rounds }) => `${threads.join(',')}${rounds > 1 ? `*${rounds}` : ''}`).join('|'),
    )
    .join(';')

/** Each thread a lane of its own. */
const alone = (threads: readonly number[]): readonly Lane[] => threads.map((each) => ({ threads: [each], rounds: 1 }))

/** All of so many threads (main excepted) take turns. */
export const lockstep = (threads: number): Order =>
  lanes([alone(Array.from({ length: threads }, (_, i) => i + 1))], 'lockstep')

/** Another order of the threads at every vector, by a seed. */
const random = (seed: number): Order => ({
  name: `random:${seed}`,
  written: { kind: 'random', seed },
  initial: '',
  next: () => '',
  begins: () => true,
  rank: (_state, { key }, thread) => scramble(`${seed} ${key} ${thread}`),
})

/** FNV-1a. */
const scramble = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash
}

/** What `--order` means: a name, random:SEED, or lanes such as 1|2*3,4;5|6 (order.ts); undefined: nothing. */
export const orderOf = (text: string, threads: number): Order | undefined => {
  if (text === 'sequential') return sequential
  if (text === 'lockstep') return lockstep(threads)
  const seed = /^random:(\d+)$/.exec(text)
  if (seed) return random(Number(seed[1]))
  if (!LANES.test(text)) return undefined
  const laneOf = (lane: string): Lane => {
    const [members = '', rounds = '1'] = lane.split('*')
    return { threads: members.split(',').map(Number), rounds: Number(rounds) }
  }
  return lanes(text.split(';').map((block) => block.split('|').map(laneOf)))
}
