// The ledger in words: what `Assumes ...` is followed by, and what the JSON calls `what`.
import type { Assumed, Met } from '../verdict/assumption.js'

export const assumptionText = (assumed: Assumed): string => {
  switch (assumed.kind) {
    case 'sequential-consistency':
      return 'sequential consistency'
    case 'memory-model':
      return `the memory model ${assumed.model}`
    case 'race-free':
      return 'that executions of rc11 are sequentially consistent: no data race, and no weaker atomic operation matters'
    case 'no-spurious-wakeups':
      return 'that there are no spurious wake-ups'
    case 'scheduler':
      return `the scheduler ${assumed.name}`
    case 'no-overflow':
      return 'that there is no signed overflow'
    case 'overflow-wraps':
      return `that signed overflow wraps${assumed.met ? `, which C leaves undefined${metText(assumed.met)}` : ''}`
    case 'defined-behaviour':
      return `that there is no undefined behaviour${assumed.met ? metText(assumed.met) : ''}`
    case 'valid-dereferences':
      return 'that every dereference is valid'
    case 'malloc-succeeds':
      return 'that malloc succeeds'
    case 'pointers-within-objects':
      return 'that pointer arithmetic stays within its object'
    case 'lost-only-at-the-end':
      return 'that memory is lost only in executions that end'
    case 'tracked-at-exit':
      return 'that what variables point to when exit or abort is called is not lost'
    case 'failed-trylock-orders':
      return 'that a trylock that fails synchronises with the owner of the lock (--memory-model rc11 does not assume it)'
    case 'note':
      return `that ${assumed.text}`
  }
}

const metText = ({ text, file, line, more = 0, isReached }: Met): string =>
  ` (${text} at ${file}:${line}${more > 0 ? `, and ${more} more` : ''}${isReached ? ', which is reached' : ''})`
