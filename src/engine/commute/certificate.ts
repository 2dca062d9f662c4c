// The certificate of a proof: the reduced product that was explored, with the assertions of each node and the letters that
// sleep there; see src/certificate/model.ts. For people it also says which letters commute, and why.
import type { CertificateLetter, CommutingFact, ReducedCertificate, ReducedNode } from '../../certificate/index.js'
import { print } from '../../logic/index.js'
import { type Certificate, edgeTexts } from '../../verdict/index.js'
import type { Relaxed } from '../../xcfa/passes/index.js'
import type { Encoding } from '../../xcfa/terms/index.js'
import type { Attempt } from './attempt.js'
import type { Letter } from './letters.js'
import type { ProofState } from './proof.js'
import type { SearchNode, VisitedNode } from './search.js'

/** Larger proofs are not written down. */
const MAX_NODES = 100_000

export const certificateOf = (
  attempt: Attempt,
  visited: readonly VisitedNode[],
  relaxed: readonly Relaxed[],
): Certificate => {
  if (visited.length > MAX_NODES) return { kind: 'reduced-product', data: { tooLarge: true } }
  const { proof, order, transitions } = attempt
  const formulas = new Numbers<number>()
  const states = new Numbers<ProofState>()
  const letters = new Numbers<string>()
  const known = new Map<string, Letter>()
  const number = (letter: Letter): number => {
    known.set(letter.key, letter)
    return letters.of(letter.key)
  }
  const places = new Map<SearchNode, number>(visited.map(({ node }, i) => [node, i]))
  const facts = new Map<string, CommutingFact>()
  const nodes = visited.map(({ node, coveredBy, deadEnd }): ReducedNode => {
    const { parent, letter, state, sleep } = node
    const sleeping = parent ? attempt.alphabet.at(parent.control).filter(({ key }) => sleep.has(key)) : []
    if (parent && letter)
      for (const other of sleeping) {
        const fact = attempt.commutativity.fact(other, letter, parent.state)
        const pair = [number(other), number(letter)] as const
        if (fact && !facts.has(pair.join())) facts.set(pair.join(), { letters: pair, why: fact.kind })
      }
    return {
      ...(parent && letter ? { parent: places.get(parent)!, letter: number(letter) } : {}),
      state: states.of(state),
      sleep: sleeping.map(number),
      ...(coveredBy && { coveredBy: places.get(coveredBy)! }),
      ...(deadEnd && { deadEnd }),
    }
  })
  const members = states.all.map((state) => state.members.map((i) => formulas.of(i)))
  return {
    kind: 'reduced-product',
    data: {
      ...{ arithmetic: arithmeticOf(transitions.encoding), relaxed, order: order.written },
      formulas: formulas.all.map((i) => print(proof.assertions[i]!)),
      states: members,
      letters: letters.all.map((key) => written(known.get(key)!)),
      nodes,
      edges: edgeTexts([...known.values()].flatMap(({ edges }) => edges)),
      facts: [...facts.values()],
    },
  }
}

const arithmeticOf = ({ arithmetic, wraps }: Encoding): ReducedCertificate['arithmetic'] =>
  arithmetic === 'int' && wraps ? 'wrapping' : arithmetic

const written = ({ thread, edges }: Letter): CertificateLetter => ({ thread, edges: edges.map(({ id }) => id) })

/** Numbers in the order in which values are first named. */
class Numbers<T> {
  readonly all: T[] = []
  private readonly numbers = new Map<T, number>()

  of(value: T): number {
    let number = this.numbers.get(value)
    if (number === undefined) this.numbers.set(value, (number = this.all.push(value) - 1))
    return number
  }
}
