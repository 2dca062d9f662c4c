// Whether the answers to the questions of a proof of termination are right: the engine asks them again, of the program
// and of the answers before, and none of the answers is believed.
import type { TerminationCertificate, TerminationStep } from '../../../src/certificate/index.js'
import { type Env, parseOptions, type Task } from '../../../src/engine/engine.js'
import { REDCOMP_OPTIONS } from '../../../src/engine/redcomp/spec.js'
import type { Prover } from '../../../src/engine/redcomp/termination/prover.js'
import { type Loop, type Ranking, rankingBy } from '../../../src/engine/redcomp/termination/ranking.js'
import { Termination } from '../../../src/engine/redcomp/termination/termination.js'
import { and, not, parseExpression, print, readExpressions, type Term } from '../../../src/logic/index.js'
import { checkHornSolution, type HornResult, isValid, type Rule, type Smt } from '../../../src/smt/index.js'
import type { Reason } from '../../../src/verdict/reason.js'
import type { Program } from '../../../src/xcfa/index.js'
import { readDefinitions } from './check-horn.js'

/** Why a certificate about this program is none; undefined: it proves that the program ends. */
export const checkTerminationCertificate = (
  raw: Program,
  { reduction, steps }: TerminationCertificate,
  smt: Smt,
): Reason | undefined => {
  const env: Env = { stopped: () => undefined, progress: () => {} }
  // With operations that wrap nothing is assumed of overflow.
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const task: Task = { raw, property: 'termination', settings, smt }
  const check = new Check(smt, steps)
  const result = new Termination(
    task,
    parseOptions(REDCOMP_OPTIONS, { reduction: reduction ? 'on' : 'off' }),
    env,
    check,
  ).decide()
  return result.verdict === 'unknown' ? result.reason : undefined
}

const CHECK_MS = 10_000

class Check implements Prover {
  readonly isChecking = true
  private next = 0

  constructor(
    private readonly smt: Smt,
    readonly steps: readonly TerminationStep[],
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

  private step<K extends TerminationStep['kind']>(kind: K): Extract<TerminationStep, { kind: K }> {
    const step = this.steps[this.next++]
    if (step?.kind !== kind) throw new Error(`step ${this.next} of the proof is not a ${kind}`)
    return step as Extract<TerminationStep, { kind: K }>
  }
}

const UNDECIDED = 'undecided'
