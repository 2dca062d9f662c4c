// The questions of a proof of termination, in the order in which they are asked: a ranking function for loops, a solution
// of clauses. The search finds answers and writes them down. A check can take them from there, believe none of them, and
// ask the same questions, for they come from the program and the answers before.
import type { TerminationStep } from '../../../certificate/index.js'
import { print, type Term } from '../../../logic/index.js'
import type { HornResult, Rule, Smt } from '../../../smt/index.js'
import { definitionsOf } from '../certificate.js'
import { completeSolution } from '../solution.js'
import { type Loop, type Ranking, synthesiseRanking } from './ranking.js'

export type ProofStep = TerminationStep

export interface Prover {
  /** Nothing is searched for: answers are those of a certificate. */
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
