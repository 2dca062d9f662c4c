// What is certain although nothing was decided, and what stood in the way, one sentence each.
import type { Claim, Obstacle, OpenRace, PartialFact, Report } from '../verdict/index.js'
import { count, roundNumber, times } from './text.js'
import { baseName } from './trace-table.js'

/** More open places than this are counted, not listed. */
const MAX_LISTED = 5

export const partialSentences = ({ partial = [], obstacle }: Report): readonly string[] => [
  ...partial.map(factText),
  ...(obstacle ? [obstacleText(obstacle)] : []),
]

const factText = (fact: PartialFact): string => {
  switch (fact.kind) {
    case 'switches':
      return `${soughtOf(fact)} with ${switchesText(fact.switches)}.`
    case 'unrolled':
      return `${soughtOf(fact)} where each thread goes round its loops at most ${times(fact.times)}.`
    case 'steps':
      return `${soughtOf(fact)} within ${count(fact.steps, 'step')}.`
    case 'assertions': {
      const { proved, open } = fact
      const all = proved.length + open.length
      return `${proved.length} of ${count(all, 'assertion')} ${proved.length === 1 ? 'holds' : 'hold'} in every execution; open: ${listed(open.map(claimText))}.`
    }
    case 'races': {
      const { proved, open } = fact
      const all = proved.length + open.length
      return `${proved.length} of ${count(all, 'shared variable')} proved race-free; open: ${listed(open.map(raceText))}.`
    }
  }
}

const soughtOf = ({ only }: { readonly only?: 'accesses and frees' }): string =>
  only === undefined ? 'No violation' : 'No invalid access or free'

const switchesText = (switches: number): string =>
  switches === 0
    ? 'no context switch but where a thread waits or ends'
    : `at most ${count(switches, 'context switch')} away from a thread that could go on`

const claimText = ({ file, line, text }: Claim): string => `${text} (${baseName(file)}:${line})`

const raceText = ({ name, accesses: [a, b] }: OpenRace): string => {
  const places = [...new Set([a, b].map(({ file, line }) => `${baseName(file)}:${line}`))]
  return `${name} (${places.join(' and ')})`
}

const listed = (texts: readonly string[]): string =>
  texts.length > MAX_LISTED
    ? `${texts.slice(0, MAX_LISTED).join(', ')} and ${texts.length - MAX_LISTED} more`
    : texts.join(', ')

const obstacleText = (obstacle: Obstacle): string => {
  switch (obstacle.kind) {
    case 'reading':
      return `What took the time: ${obstacle.phase === 'front end' ? 'reading the program' : 'the analyses before the search'}.`
    case 'states': {
      const open = obstacle.open === undefined ? '' : `, ${roundNumber(obstacle.open)} of them still open`
      return `What made it hard: many interleavings (${roundNumber(obstacle.states)} states met${open}).`
    }
    case 'unrolling':
      return `What made it hard: the question about loops gone round ${times(obstacle.bound)} is large (${roundNumber(obstacle.events)} events).`
  }
}
