// A litmus test's execution for people: locations by their names, values as numbers or names of addresses.
import type { LitmusTest } from '../../frontend/litmus/test.js'
import { type ExecutionView, type Violation, viewExecution } from '../../memory-model/index.js'
import type { Candidate } from './candidates.js'
import { knownValue } from './symbolic.js'

export const viewCandidate = (test: LitmusTest, candidate: Candidate, violation?: Violation): ExecutionView => {
  const nameOf = (address: bigint): string | undefined => {
    const object = test.objects.find((o) => address >= o.address && address < o.address + 0x100000n)
    if (!object) return undefined
    const offset = address - object.address
    return offset === 0n ? object.name : `${object.name}+${offset}`
  }
  const valueText = (value: bigint | undefined): string =>
    value === undefined
      ? '?'
      : (nameOf(value) ?? (value > 0xffffn ? `0x${value.toString(16)}` : String(BigInt.asIntN(64, value))))
  const { skeleton, rf, co } = candidate
  return viewExecution(
    skeleton.events,
    { ...skeleton, rf, co },
    ({ id, kind }) => {
      const event = candidate.events[id]!
      const value =
        kind === 'R'
          ? candidate.values.get(event)
          : kind === 'W'
            ? knownValue(event.value!, candidate.values)
            : undefined
      const place = event.cell === undefined ? undefined : nameOf(event.cell)
      return {
        ...(place !== undefined && { access: kind === 'F' ? place : `${place}=${valueText(value)}` }),
        ...(event.text !== '' && { text: event.text, line: event.line }),
      }
    },
    violation,
  )
}

/** The registers and locations that the test's condition speaks of, with their final values. */
export const finalState = (test: LitmusTest, candidate: Candidate): readonly string[] => {
  const result = new Set<string>()
  const show = (value: bigint | undefined): string => {
    const object = value === undefined ? undefined : test.objects.find((o) => o.address === value)
    return object?.name ?? (value === undefined ? '?' : value > 0xffffn ? `0x${value.toString(16)}` : String(value))
  }
  const visit = (condition: LitmusTest['condition']): void => {
    switch (condition.kind) {
      case 'and':
      case 'or':
        condition.operands.forEach(visit)
        return
      case 'not':
        visit(condition.operand)
        return
      case 'constant':
        return
      case 'compare':
        for (const term of [condition.left, condition.right]) {
          if (term.kind === 'register')
            result.add(`${term.thread}:${term.name}=${show(candidate.known.register(term.thread, term.name))}`)
          if (term.kind === 'memory')
            result.add(
              `${term.object}${term.index > 0 ? `[${term.index}]` : ''}=${show(candidate.known.memory(term.object, term.index))}`,
            )
        }
    }
  }
  visit(test.condition)
  return [...result]
}
