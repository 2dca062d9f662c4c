// Proofs about cooperative programs: all configurations of program and scheduler, by brute force. The forest itself
// (labels, covers, choices left out) is not looked at: what justifies it is the engine's own code.
import type { ForestCertificate } from '../certificate/index.js'
import { Rejected } from '../certificate/index.js'
import { bruteForce } from '../semantics/cooperative/configurations.js'
import { SCHEDULERS } from '../semantics/cooperative/schedulers/index.js'
import { type Answer, count, type Task } from './answer.js'
import { oneLine } from './formula.js'

const MAX_CONFIGURATIONS = 500_000

export const forestExplored = ({ raw, property }: Task, { scheduler, order }: ForestCertificate): Answer => {
  const entry = Object.entries(SCHEDULERS).find(([name]) => name === scheduler)?.[1]
  if (!entry) throw new Rejected('certificate.data.scheduler', `there is no scheduler "${oneLine(scheduler)}"`)
  const found = bruteForce(raw, entry.create(order), property, MAX_CONFIGURATIONS)
  const explored = `${count(found.configurations)} configurations`
  switch (found.verdict) {
    case 'true':
      return {
        kind: 'accepted',
        how: `explored again under the scheduler ${scheduler} (order: ${order}): ${explored}`,
        assumes: [`the scheduler ${scheduler}, order ${order}`],
        trusted: ['the model of the scheduler (src/semantics/cooperative)'],
      }
    case 'false':
      return { kind: 'rejected', place: `${property} is violated under the scheduler ${scheduler}` }
    case 'unknown':
      return { kind: 'unknown', reason: `explored as far as it came, ${explored}: ${found.reason ?? ''}` }
  }
}
