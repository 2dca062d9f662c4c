// Decides a litmus test: is an outcome that the condition names (or, for `forall`, one that it excludes) consistent
// with the model? If it is, that execution is the answer's witness; if not, the axiom that forbids it is.
import type { Condition, Expression, LitmusTest } from '../../frontend/litmus/test.js'
import { explainViolation, type Model, type Violation } from '../../memory-model/index.js'
import { type Candidate, enumerate, type Outcome } from './candidates.js'
import { evaluateCondition, unknownThread } from './condition.js'
import { Layout } from './layout.js'
import { type Path, type Retry, threadPaths } from './paths.js'

export interface LitmusAnswer {
  readonly kind: 'answer'
  /** Whether the final condition holds as it is written. */
  readonly holds: boolean
  /** Whether some execution satisfies the proposition of the condition. */
  readonly allowed: boolean
  /** Executions in all, and those that satisfy the proposition, if they were counted. */
  readonly counts?: { readonly executions: number; readonly satisfying: number }
  /** An execution that shows the answer: one that satisfies the proposition, or violates it for `forall`. */
  readonly witness?: Candidate
  /** Why such an execution is impossible. */
  readonly forbidden?: { readonly candidate: Candidate; readonly violation: Violation }
  /** Names of the model's flags that some examined execution raises: data races, for instance. */
  readonly flags: readonly string[]
}

export interface LitmusUnknown {
  readonly kind: 'unknown'
  readonly reason: string
}

export interface LitmusLimits {
  readonly expired: () => boolean
  /** Counting stops after so many executions. */
  readonly maxCounted: number
  /** Whether a forbidden outcome is explained. */
  readonly explain: boolean
}

export const decideLitmus = (test: LitmusTest, model: Model, limits: LitmusLimits): LitmusAnswer | LitmusUnknown => {
  const missing = unknownThread(test)
  if (missing !== undefined)
    return { kind: 'unknown', reason: `the condition speaks of thread ${missing}, which the test does not have` }
  const layout = new Layout(test)
  // The first round learns which pieces of memory are accessed, the second splits accesses into them.
  if (allPaths(test, layout) === 'too-many') return tooMany
  layout.freeze()
  const unrolled = allPaths(test, layout)
  if (unrolled === 'too-many') return tooMany
  const { paths, cut } = unrolledFurther(test, model, layout, unrolled)
  if (layout.stray !== undefined)
    return { kind: 'unknown', reason: `an access to the address 0x${layout.stray.toString(16)}, which no location has` }
  if (layout.split && !model.nodes.some(({ operation, name }) => operation === 'base' && name === 'si'))
    return { kind: 'unknown', reason: 'accesses of several sizes to one location, of which the model says nothing' }
  return new Decision(test, model, limits, layout, paths, cut).run()
}

interface Unrolled {
  readonly paths: readonly (readonly Path[])[]
  readonly retries: readonly (readonly Retry[])[]
  readonly cut: boolean
}

const allPaths = (test: LitmusTest, layout: Layout, maxVisits?: number): Unrolled | 'too-many' => {
  const found = test.threads.map((_, i) => threadPaths(test, i, layout, maxVisits))
  const paths = found.flatMap((ofThread) => (ofThread.kind === 'paths' ? [ofThread] : []))
  if (paths.length < found.length) return 'too-many'
  return {
    paths: paths.map((ofThread) => ofThread.paths),
    retries: paths.map(({ retries }) => retries),
    cut: paths.some((ofThread) => ofThread.cut),
  }
}

/**
 * A compare-exchange that is tried again has found another value each time. Where the model is coherent the thread saw
 * another, later write each time, and there are only so many: a loop that was unrolled beyond that was not cut.
 */
const unrolledFurther = (
  test: LitmusTest,
  model: Model,
  layout: Layout,
  unrolled: Unrolled,
): { readonly paths: Unrolled['paths']; readonly cut: boolean } => {
  const { paths, retries } = unrolled
  if (unrolled.cut || retries.every((ofThread) => ofThread.length === 0)) return unrolled
  if (!model.coherent || !hasSmallValues(test)) return { paths, cut: true }
  const missing = ({ retries: all, paths: known }: Unrolled): number =>
    Math.max(0, ...all.flat().map(({ cell, iterations }) => writesTo(known, cell) + 1 - iterations))
  if (missing(unrolled) <= 0) return { paths, cut: false }
  const longest = Math.max(...retries.flat().map(({ iterations }) => iterations))
  const further = allPaths(test, layout, longest + missing(unrolled))
  if (further === 'too-many') return { paths, cut: true }
  return { paths: further.paths, cut: further.cut || missing(further) > 0 }
}

/** The writes to a cell that an execution has at most, its initial one included. */
const writesTo = (paths: Unrolled['paths'], cell: bigint): number =>
  paths.reduce(
    (sum, ofThread) =>
      sum +
      Math.max(0, ...ofThread.map(({ events }) => events.filter((e) => e.kind === 'W' && e.cell === cell).length)),
    1,
  )

/** Numbers that are the same in 32 and in 64 bits. */
const hasSmallValues = ({ objects, threads }: LitmusTest): boolean => {
  const isSmall = (value: bigint): boolean => BigInt.asUintN(64, BigInt.asIntN(32, value)) === BigInt.asUintN(64, value)
  const isSmallIn = (expression: Expression): boolean =>
    expression.kind === 'constant'
      ? isSmall(expression.value)
      : expression.kind === 'register' || expression.operands.every(isSmallIn)
  return (
    objects.every((object) => [...object.initial.values()].every(isSmall)) &&
    threads.every(({ instructions }) =>
      instructions.every(
        ({ instruction }) =>
          (instruction.kind !== 'store' && instruction.kind !== 'assign') || isSmallIn(instruction.value),
      ),
    )
  )
}

const tooMany: LitmusUnknown = { kind: 'unknown', reason: 'too many paths through a thread' }

class Decision {
  private readonly test: LitmusTest
  private readonly model: Model
  private readonly limits: LitmusLimits
  private readonly layout: Layout
  private readonly paths: readonly (readonly Path[])[]
  private readonly cut: boolean
  private readonly flags = new Set<string>()

  constructor(
    test: LitmusTest,
    model: Model,
    limits: LitmusLimits,
    layout: Layout,
    paths: readonly (readonly Path[])[],
    cut: boolean,
  ) {
    this.test = test
    this.model = model
    this.limits = limits
    this.layout = layout
    this.paths = paths
    this.cut = cut
  }

  private enumerate(
    goals: readonly Condition[],
    consistentOnly: boolean,
    visit: (candidate: Candidate) => 'go-on' | 'stop',
  ): Outcome {
    const { test, model, layout, limits } = this
    const all = test.filter ? [...goals, test.filter] : goals
    return enumerate({ test, layout, model, consistentOnly, goals: all, expired: limits.expired }, this.paths, visit)
  }

  /** For `forall` the interesting execution is one that violates the condition. */
  private get interesting(): Condition {
    const { condition, quantifier } = this.test
    return quantifier === 'forall' ? { kind: 'not', operand: condition } : condition
  }

  run(): LitmusAnswer | LitmusUnknown {
    let witness: Candidate | undefined
    let thinAir = false
    const outcome = this.enumerate([this.interesting], true, (candidate) => {
      if (candidate.thinAir) {
        thinAir = true
        return 'go-on'
      }
      witness = candidate
      return 'stop'
    })
    if (outcome === 'expired') return { kind: 'unknown', reason: 'out of time' }
    if (!witness && thinAir)
      return { kind: 'unknown', reason: 'the model allows values that depend on themselves, which are not determined' }
    if (!witness && this.cut) return { kind: 'unknown', reason: 'a loop was unrolled only in part' }
    const found = witness !== undefined
    const counts = this.count()
    const { quantifier } = this.test
    const forbidden = found || !this.limits.explain ? undefined : this.explain()
    if (witness) this.collectFlags(witness)
    return {
      kind: 'answer',
      holds: quantifier === 'exists' ? found : !found,
      allowed: quantifier === 'forall' ? !counts || counts.satisfying > 0 : found,
      ...(counts && { counts }),
      ...(witness && { witness }),
      ...(forbidden && { forbidden }),
      flags: [...this.flags],
    }
  }

  private collectFlags(candidate: Candidate): void {
    for (const flag of this.model.flags) if (candidate.evaluator.holds(flag)) this.flags.add(flag.name)
  }

  private count(): LitmusAnswer['counts'] {
    if (this.limits.maxCounted === 0) return undefined
    let executions = 0
    let satisfying = 0
    const outcome = this.enumerate([], true, (candidate) => {
      const isLarge = executions * candidate.events.length ** 2 > this.limits.maxCounted * COUNTED_SIZE ** 2
      if (++executions > this.limits.maxCounted || isLarge || candidate.thinAir) return 'stop'
      if (evaluateCondition(this.test.condition, candidate.known)) satisfying++
      this.collectFlags(candidate)
      return 'go-on'
    })
    return outcome === 'complete' && !this.cut ? { executions, satisfying } : undefined
  }

  /** A candidate with the outcome, and the shortest reason found why the model forbids it. */
  private explain(): LitmusAnswer['forbidden'] {
    let best: LitmusAnswer['forbidden']
    let seen = 0
    this.enumerate([this.interesting], false, (candidate) => {
      candidate.evaluator.setRf(candidate.rf)
      candidate.evaluator.setCo(candidate.co)
      const axiom = candidate.evaluator.violated()
      if (axiom) {
        const violation = explainViolation(candidate.evaluator, axiom)
        if (!best || violation.reasons.length < best.violation.reasons.length) best = { candidate, violation }
      }
      return ++seen >= MAX_EXPLAINED ? 'stop' : 'go-on'
    })
    return best
  }
}

/** The events of an execution up to which counting is not stopped earlier: a larger one takes more time to check. */
const COUNTED_SIZE = 40

/** Forbidden candidates looked at for a short explanation. */
const MAX_EXPLAINED = 20
