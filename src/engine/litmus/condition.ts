// Final conditions on what is known of an execution so far: true, false, or not known yet.
import type { Condition, LitmusTest, Term } from '../../frontend/litmus/test.js'

export interface Known {
  register(thread: number, name: string): bigint | undefined
  memory(object: string, index: number): bigint | undefined
}

export const evaluateCondition = (condition: Condition, known: Known): boolean | undefined => {
  switch (condition.kind) {
    case 'constant':
      return condition.value
    case 'not': {
      const value = evaluateCondition(condition.operand, known)
      return value === undefined ? undefined : !value
    }
    case 'and':
    case 'or': {
      const decisive = condition.kind === 'or'
      let open = false
      for (const operand of condition.operands) {
        const value = evaluateCondition(operand, known)
        if (value === decisive) return decisive
        open ||= value === undefined
      }
      return open ? undefined : !decisive
    }
    case 'compare': {
      const [left, right] = [termValue(condition.left, known), termValue(condition.right, known)]
      if (left === undefined || right === undefined) return undefined
      const [a, b] = aligned(left, right)
      switch (condition.comparison) {
        case '=':
          return a === b
        case '!=':
          return a !== b
        case '<':
          return a < b
        case '<=':
          return a <= b
        case '>':
          return a > b
        case '>=':
          return a >= b
      }
    }
  }
}

const termValue = (term: Term, known: Known): bigint | undefined => {
  switch (term.kind) {
    case 'value':
      return term.value
    case 'register':
      return known.register(term.thread, term.name)
    case 'memory':
      return known.memory(term.object, term.index)
  }
}

/** As signed numbers; a negative constant is compared with a value of 32 bits by its low half. */
const aligned = (left: bigint, right: bigint): readonly [bigint, bigint] => {
  const narrow = (value: bigint): boolean => value >= 0n && value < 1n << 32n
  const width = (left < 0n && narrow(right)) || (right < 0n && narrow(left)) ? 32 : 64
  return [BigInt.asIntN(width, left), BigInt.asIntN(width, right)]
}

export const termsOf = (condition: Condition): readonly Term[] => {
  switch (condition.kind) {
    case 'constant':
      return []
    case 'not':
      return termsOf(condition.operand)
    case 'and':
    case 'or':
      return condition.operands.flatMap(termsOf)
    case 'compare':
      return [condition.left, condition.right]
  }
}

/** Whether a test's condition speaks of threads that it does not have: then it can never be what was meant. */
export const unknownThread = ({ condition, filter, threads }: LitmusTest): number | undefined =>
  [condition, ...(filter ? [filter] : [])]
    .flatMap(termsOf)
    .flatMap((term) => (term.kind === 'register' && term.thread >= threads.length ? [term.thread] : []))[0]
