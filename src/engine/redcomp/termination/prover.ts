// The questions of a proof of termination, in the order in which they are asked: a ranking function for loops, a solution
// of clauses. The search finds answers and writes them down; the check takes them from there, believes none of them, and
// asks the same questions, for they come from the program and the answers before.
import type { TerminationStep } from '../../../certificate/index.js'
import { and, not, parseExpression, print, readExpressions, type Term } from '../../../logic/index.js'
import { checkHornSolution, type HornResult, isValid, type Rule, type Smt } from '../../../smt/index.js'
import { definitionsOf, readDefinitions } from '../certificate.js'
import { completeSolution } from '../solution.js'
import { type Loop, type Ranking, rankingBy, synthesiseRanking } from './ranking.js'

export type ProofStep = TerminationStep

export interface Prover {
  readonly isChecking: boolean
  /** The answers. */
  readonly steps: readonly ProofStep[]
  /** A function that decreases on all of these loops. */
  ranking(variables: readonly Term[], loops: readonly Loop[]): Ranking | undefined
  /** Ranking relations that together may contain all rounds: whether they do is for clauses to show. */
  rankings(variables: readonly Term[], found: readonly Ranking[]): readonly Ranking[]
  /** Clauses that have to have a solution. */
  solution(rules: readonly Rule[], solve: () => HornResult): HornResult
}

export class Search implements Prover {
  readonly isChecking = false
  readonly steps: ProofStep[] = []

  constructor(private readonly smt: Smt) {}

  ranking(variables: readonly Term[], loops: readonly Loop[]): Ranking | undefined {
    const found = synthesiseRanking(this.smt, variables, loops)
    this.rankings(variables, found ? [found] : [])
    return found
  }

  rankings(_: readonly Term[], found: readonly Ranking[]): readonly Ranking[] {
    this.steps.push({ kind: 'ranking', ranks: found.map(({ rank }) => print(rank)) })
    return found
  }

  solution(rules: readonly Rule[], solve: () => HornResult): HornResult {
    const found = solve()
    const facts = { original: rules, rules, invariants: new Map(), restore: <S>(s: S) => s }
    if (found.status !== 'sat') {
      this.steps.push({ kind: 'solution' })
      return found
    }
    const complete = completeSolution(this.smt, facts, found.solution, CERTIFICATE_MS)
    const definitions = complete && definitionsOf(rules, complete)
    this.steps.push(definitions ? { kind: 'solution', definitions } : { kind: 'solution', unwritten: true })
    return found
  }
}

const CERTIFICATE_MS = 3000
const CHECK_MS = 10_000

export class Check implements Prover {
  readonly isChecking = true
  private next = 0

  constructor(
    private readonly smt: Smt,
    readonly steps: readonly ProofStep[],
  ) {}

  ranking(variables: readonly Term[], loops: readonly Loop[]): Ranking | undefined {
    const [ranking] = this.rankings(variables)
    if (!ranking) return undefined
    for (const { constraint, after } of loops) {
      const isFine = isValid(this.smt, not(and(constraint, not(ranking.decreases(new Map(), after)))), {
        timeoutMs: CHECK_MS,
      })
      if (isFine !== true)
        throw new Error(`${print(ranking.rank)} ${isFine === false ? 'does not decrease' : UNDECIDED}`)
    }
    return ranking
  }

  rankings(variables: readonly Term[]): readonly Ranking[] {
    const step = this.step('ranking')
    const byName = new Map(variables.map((v) => [v.name!, v]))
    return step.ranks.map((text) => rankingBy(parseExpression(readExpressions(text)[0]!, (name) => byName.get(name))))
  }

  solution(rules: readonly Rule[]): HornResult {
    const { definitions } = this.step('solution')
    if (!definitions) return { status: 'unknown', reason: `clauses without a solution are ${UNDECIDED}` }
    const solution = readDefinitions(rules, definitions)
    const problem = checkHornSolution(this.smt, rules, solution, { timeoutMs: CHECK_MS })
    if (problem !== undefined) throw new Error(problem)
    return { status: 'sat', solution }
  }

  private step<K extends ProofStep['kind']>(kind: K): Extract<ProofStep, { kind: K }> {
    const step = this.steps[this.next++]
    if (step?.kind !== kind) throw new Error(`step ${this.next} of the proof is not a ${kind}`)
    return step as Extract<ProofStep, { kind: K }>
  }
}

const UNDECIDED = 'undecided'
