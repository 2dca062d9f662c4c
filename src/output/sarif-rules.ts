// The rules of our SARIF logs, one per property: what code scanning shows beside a finding, for a reader who knows C
// and has never seen a model checker.
export interface SarifRule {
  readonly name: string
  readonly short: string
  readonly full: string
  /** How to read a finding, and what usually mends it. */
  readonly help: string
  readonly tags: readonly string[]
}

const READING =
  'The code flow lists the steps of one execution in the order in which they happen, one thread flow per thread. ' +
  'Heddle executed these steps before it reported them, and `heddle replay` executes them again.'

export const ruleOf = (property: string): SarifRule => {
  switch (property) {
    case 'no-data-race':
      return {
        name: 'DataRace',
        short: 'Two threads access the same memory without synchronisation, and one of them writes.',
        full: 'Two threads can access overlapping bytes at the same time, at least one access is a write, and not both are atomic. In C this is undefined behaviour: compilers may tear, repeat or reorder the accesses.',
        help: `${READING} Both accesses are listed as related locations. Protect them with the same lock, make them atomic, or order them by starting or joining a thread.`,
        tags: ['concurrency', 'correctness', 'external/cwe/cwe-362'],
      }
    case 'no-deadlock':
      return {
        name: 'Deadlock',
        short: 'Threads wait for each other for ever.',
        full: 'An execution reaches a state in which threads are still alive, and each of them waits for something that only another waiting thread could give.',
        help: `${READING} The message says what every thread waits for. Take locks in one order everywhere, signal after the change that the waiter looks at, and wait in a loop that checks the condition.`,
        tags: ['concurrency', 'reliability', 'external/cwe/cwe-833'],
      }
    case 'termination':
      return {
        name: 'NonTermination',
        short: 'Some execution does not end.',
        full: 'An execution runs for ever, or blocks for ever. Threads are not scheduled fairly here: a thread that waits for another one actively may wait for ever.',
        help: READING,
        tags: ['reliability', 'external/cwe/cwe-835'],
      }
    case 'no-overflow':
      return {
        name: 'SignedOverflow',
        short: 'A signed operation overflows.',
        full: 'The result of an arithmetic operation on signed integers does not fit its type. In C this is undefined behaviour.',
        help: `${READING} Check the operands before the operation, or use a wider or an unsigned type.`,
        tags: ['correctness', 'external/cwe/cwe-190'],
      }
    case 'valid-memsafety':
      return {
        name: 'MemorySafety',
        short: 'Memory is accessed, freed or kept in an invalid way.',
        full: 'An execution dereferences an invalid pointer, frees what it must not free, or loses the last pointer to memory that it never frees.',
        help: `${READING} The message says which of the three it is, and about which object.`,
        tags: ['memory', 'correctness', 'external/cwe/cwe-119'],
      }
    default:
      return {
        name: 'AssertionFailure',
        short: 'An assertion fails in some interleaving.',
        full: 'There are an interleaving of the threads and values of the inputs for which the assertion is false, or the error function is called.',
        help: `${READING} Look for the step at which another thread changes what the failing thread has read before.`,
        tags: ['concurrency', 'correctness'],
      }
  }
}
