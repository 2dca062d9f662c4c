// Which statements of different threads commute, and why: what a proof up to commutativity rests on. Those that touch
// different things are counted; those that commute although they touch the same are shown.
import type { Lane, PreferenceOrder, Report } from '../verdict/index.js'

interface CommutingPair {
  /** `x = x + 1 (line 5)`. */
  readonly statements: readonly [string, string]
  readonly why: string
}

interface CommutingFacts {
  readonly order: string
  /** Pairs of statements that touch nothing in common. */
  readonly apart: number
  readonly pairs: readonly CommutingPair[]
}

const WHY = {
  'same effect': 'have the same effect in both orders',
  under: 'have the same effect in both orders in the states where they meet',
} as const

export const commutingFacts = ({ certificate }: Report): CommutingFacts | undefined => {
  if (certificate?.kind !== 'reduced-product' || 'tooLarge' in certificate.data) return undefined
  const { facts = [], edges = [], letters, order } = certificate.data
  const texts = new Map(edges.map((edge) => [edge.id, edge]))
  const statement = (letter: number): string => {
    const known = letters[letter]!.edges.flatMap((id) => texts.get(id) ?? [])
    const shown = known.find(({ text }) => text !== '') ?? known[0]
    return shown ? `${shown.text.replace(/;$/, '')} (line ${shown.line})` : 'a step'
  }
  const pairs = new Map<string, CommutingPair>()
  const apart = new Set<string>()
  for (const { letters: pair, why } of facts) {
    const statements = pair.map(statement).sort() as [string, string]
    if (why === 'disjoint') apart.add(statements.join())
    else pairs.set(statements.join(), { statements, why: WHY[why] })
  }
  return { order: orderText(order), apart: apart.size, pairs: [...pairs.values()] }
}

const orderText = (order: PreferenceOrder): string => {
  switch (order.kind) {
    case 'sequential':
      return 'threads one after the other'
    case 'lanes':
      return `threads by turns, from loop to loop: ${order.blocks.map(blockText).join('; ')}`
    case 'random':
      return `an order of threads chosen by the seed ${order.seed}`
  }
}

const blockText = (lanes: readonly Lane[]): string =>
  lanes.map(({ threads, rounds }) => `${threads.join(', ')}${rounds > 1 ? ` (${rounds} rounds)` : ''}`).join(' | ')
