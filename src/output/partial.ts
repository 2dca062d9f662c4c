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
      return `${soughtOf(fact)} in executions with ${switchesText(fact.switches)}.`
    case 'unrolled':
      return `${soughtOf(fact)} in executions where each thread repeats its loops at most ${times(fact.times)}.`
    case 'steps':
      return `${soughtOf(fact)} within the first ${count(fact.steps, 'step')}.`
    case 'assertions': {
      const { proved, open } = fact
      const all = proved.length + open.length
      return `${proved.length} of ${count(all, 'assertion')} ${proved.length === 1 ? 'holds' : 'hold'} in every execution; not decided: ${listed(open.map(claimText))}.`
    }
    case 'races': {
      const { proved, open } = fact
      const all = proved.length + open.length
      return `${proved.length} of ${count(all, 'shared variable')} proved race-free; not decided: ${listed(open.map(raceText))}.`
    }
  }
}

const soughtOf = ({ only }: { readonly only?: 'accesses and frees' }): string =>
  only === undefined ? 'There is no violation' : 'There is no invalid access or free'

const switchesText = (switches: number): string =>
  switches === 0
    ? 'no context switch except where a thread waits or ends'
    : `at most ${count(switches, 'context switch')} away from a thread that could have continued`

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
      return `${obstacle.phase === 'front end' ? 'Reading the program' : 'Preparing the program for the search'} took all the time.`
    case 'states': {
      const open = obstacle.open === undefined ? '' : `, ${roundNumber(obstacle.open)} of them still to be explored`
      return `What made it hard: there are many interleavings (${roundNumber(obstacle.states)} states visited${open}).`
    }
    case 'unrolling':
      return `What made it hard: with loops unrolled ${times(obstacle.bound)}, the formula is large (${roundNumber(obstacle.events)} events).`
  }
}
