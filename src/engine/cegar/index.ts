import { not, type Term } from '../../logic/index.js'
import { errorsOf, type Property } from '../../property/index.js'
import { ControlFlow } from '../../semantics/control.js'
import { replay } from '../../semantics/index.js'
import { type Method, Queries, type Smt } from '../../smt/index.js'
import { Transitions } from '../../symbolic/index.js'
import type { Assumption, Certificate, Result, Stats } from '../../verdict/index.js'
import { inconclusive, notExpressible, type Reason } from '../../verdict/reason.js'
import { unknown } from '../../verdict/result.js'
import type { Program, Variable } from '../../xcfa/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import { type Arithmetic, arithmeticsFor, createEncoding, isOwed, NotExpressible } from '../../xcfa/terms/index.js'
import { type Engine, type Env, engineOf, type Options, parseOptions, type Task } from '../engine.js'
import { checkAccessesThenLeaks } from '../memory-safety.js'
import { Abstractor } from './abstractor.js'
import { certificateOf, type Milestone } from './certificate.js'
import { Domain, Enumeration, Precision, variablesWithFewValues } from './domain/index.js'
import { firstVariables } from './first-precision.js'
import { cegarSteps } from './policy.js'
import type { PrecisionKind } from './refinement/index.js'
import { type RefinerParts, type RefinerResult, refinePath } from './refiner.js'
import type { ArgNode } from './selection.js'
import { CEGAR_OPTIONS, type CegarOptions, cegarSpec } from './spec.js'
import { suggested } from './suggested.js'

/** Steps of the solver for one question of a post: deterministic, and unknown is as good as yes there. */
const POST_LIMIT = 3_000_000
const REFINE_MS = 3_000
/** How many paths that cannot be refuted are left out before a run gives up. */
const MAX_ABANDONED = 500
/** How many values a term may have to be enumerated. */
const MAX_VALUES = 8
/** The product follows a variable, or the contents of a region, that has no more values than this. */
const MAX_TRACKED_VALUES = 128
const MAX_TRACKED_CONTENTS = 100

const verify = (task: Task, given: Options, env: Env): Result => {
  const { property } = task
  const asked = parseOptions(CEGAR_OPTIONS, given)
  const options: CegarOptions = isAboutVectors(property) && asked.por === 'aapor' ? { ...asked, por: 'basic' } : asked
  const program = prepare(errorsOf(task.raw, property, task), {
    largeBlocks: options.lbe === 'on',
    slice: property !== 'no-data-race',
    keepExit: property === 'no-deadlock',
  })
  let last: Result = unknown(inconclusive('no arithmetic to work in'))
  for (const arithmetic of arithmetics(program, task, options)) {
    const attempt = attemptIn(arithmetic, program, task, options, env)
    if (attempt.verdict !== 'unknown' || env.stopped()) return attempt
    last = attempt
  }
  return last
}

/** Not about error locations: dependence must not consult the precision (soundness.md 6). */
const isAboutVectors = (property: Property): boolean => property === 'no-data-race' || property === 'no-deadlock'

/** Explicit values are exact in bit-vectors; predicates are about integers where the user does not forbid it. */
const arithmetics = (program: Program, { settings }: Task, options: CegarOptions): readonly Arithmetic[] =>
  options.domain === 'expl' ? ['bv'] : arithmeticsFor(program, settings.arith)

const attemptIn = (arithmetic: Arithmetic, program: Program, task: Task, options: CegarOptions, env: Env): Result => {
  try {
    let loop = new Loop(arithmetic, program, task, options)
    for (;;) {
      const result = loop.run(env)
      if (result) return result
      loop = new Loop(arithmetic, program, task, options, loop)
    }
  } catch (problem) {
    if (problem instanceof NotExpressible) return unknown(notExpressible(problem))
    throw problem
  }
}

const PRECISIONS: Readonly<Record<CegarOptions['domain'], PrecisionKind>> = {
  expl: 'values',
  'pred-cart': 'conjuncts',
  'pred-bool': 'atoms',
  product: 'product',
}

class Loop {
  private readonly transitions: Transitions
  private readonly queries: Queries
  private readonly enumeration: Enumeration
  private readonly domain: Domain
  private readonly abstractor: Abstractor
  private readonly refiner: RefinerParts
  private readonly smt: Smt
  private readonly fewValues: ReadonlySet<Variable>
  /** Variables and regions that are told by predicates, as they had many values (product only). */
  private readonly manyValues: ReadonlySet<Term> = new Set()
  private refinements = 0
  /** For people: how large the graph and the precision were after each refinement. */
  private readonly history: Milestone[] = []
  private abandoned = 0
  private incomplete: Reason | undefined = undefined

  constructor(
    private readonly arithmetic: Arithmetic,
    program: Program,
    private readonly task: Task,
    private readonly options: CegarOptions,
    /** A run that ended because there were too many values to track. */
    before?: Loop,
  ) {
    if (before) this.manyValues = new Set([...before.manyValues, ...before.tooMany()])
    const smt = (this.smt = task.smt!)
    this.fewValues = variablesWithFewValues(program)
    const encoding = createEncoding(arithmetic, { pointerWidth: program.dataModel === 'ilp32' ? 32 : 64 })
    // Variables that the precision takes over must keep their meaning.
    const transitions = (this.transitions = before?.transitions ?? new Transitions(program, encoding, cegarSteps))
    this.queries = before?.queries ?? new Queries(smt, { rlimit: POST_LIMIT })
    this.enumeration = before?.enumeration ?? new Enumeration(smt, { most: MAX_VALUES, rlimit: POST_LIMIT })
    this.domain = new Domain({
      precision: this.firstPrecision(program, before?.domain.precision),
      queries: this.queries,
      enumeration: this.enumeration,
      fact: (v) => transitions.inRange(v),
      predicates: options.domain === 'pred-bool' ? 'boolean' : 'cartesian',
    })
    this.abstractor = new Abstractor({
      flow: new ControlFlow(program),
      domain: this.domain,
      transitions,
      search: options.search,
      reduction: options.por,
      dependence: options.dependence === 'objects' ? 'objects' : 'read-write',
      guarded: options.dependence === 'guarded',
      property: task.property,
      sleep: options.sets === 'source',
      ...(options.domain === 'product' && { followsTooMany: () => this.tooMany().length > 0 }),
    })
    this.refiner = this.refinerParts()
  }

  /** The CEGAR loop. Undefined: there were too many values to track. */
  run(env: Env): Result | undefined {
    for (;;) {
      const abstraction = this.abstractor.run(env)
      switch (abstraction.kind) {
        case 'stopped':
          return this.unknown(abstraction.reason)
        case 'many values':
          return undefined
        case 'safe': {
          const result = this.discharged()
          if (result) return result
          break
        }
        case 'counterexample': {
          const { node, suspected } = abstraction
          const also = suspected && { transition: suspected, claim: not(suspected.guard) }
          const result = this.handled(refinePath(this.refiner, node, also), node)
          if (result) return result
        }
      }
    }
  }

  /** After an answer of the refiner: a verdict, or undefined to go on with the finer precision. */
  private handled(answer: RefinerResult, error?: ArgNode): Result | undefined {
    this.refinements++
    const { tracked, predicates } = this.domain.precision
    this.history.push({ nodes: this.abstractor.size, tracked: tracked.length, predicates: predicates.length })
    switch (answer.kind) {
      case 'unknown':
        return this.unknown(inconclusive(`a path could not be refuted: ${answer.reason}`))
      case 'feasible': {
        const replayed = replay(this.task.raw, answer.trace, this.task.property)
        if (!replayed.reached) return this.unknown({ kind: 'no-replay', why: `${replayed.reason}` })
        return { verdict: 'false', trace: answer.trace, stats: this.stats(), assumptions: [] }
      }
      case 'spurious':
        if (!answer.grown && this.abstractor.version === this.domain.precision.version) return this.stuck(error)
        if (this.options.prune === 'full' || !answer.grown) this.abstractor.restart()
        else {
          this.abstractor.prune(answer.prune)
          this.abstractor.explorePreserved()
        }
        return undefined
    }
  }

  /**
   * The precision has everything that the refutation asks for, and the path is still there: it depends on values that
   * this domain does not relate. Other paths may still show an error, but nothing is proved any more.
   */
  private stuck(error: ArgNode | undefined): Result | undefined {
    const reason = inconclusive(
      'refinement found nothing new: the error depends on values that the domain does not relate',
    )
    if (!error || this.abandoned++ > MAX_ABANDONED) return this.unknown(reason)
    this.incomplete = reason
    this.abstractor.abandon(error)
    return undefined
  }

  /** The graph is complete. In integer arithmetic that counts if no step of it can overflow: refined like an error. */
  private discharged(): Result | undefined {
    if (this.incomplete) return this.unknown(this.incomplete)
    const assumptions: Assumption[] = []
    const overflows = this.arithmetic === 'int' && this.task.settings.arith !== 'int'
    const open = this.firstOpenClaim(overflows)
    if (open) {
      const answer = refinePath(this.refiner, open.node, open)
      return answer.kind === 'spurious' ? this.handled(answer) : this.unknown(open.reason)
    }
    if (this.arithmetic === 'int') assumptions.push({ kind: 'no-overflow', status: overflows ? 'discharged' : 'open' })
    if (usesPointers(this.transitions.program)) assumptions.push({ kind: 'valid-dereferences', status: 'open' })
    return { verdict: 'true', certificate: this.certificate(), stats: this.stats(), assumptions }
  }

  /** A step of which the graph does not say that it stays within its types and within reserved addresses. */
  private firstOpenClaim(overflows: boolean) {
    const seen = new Set<string>()
    for (const node of this.abstractor.expandedNodes())
      for (const key of node.explored) {
        const transition = this.abstractor.exploredTransition(node, key)
        const question = transition && `${node.state.id}:${transition.id}`
        if (!transition || !question || seen.has(question)) continue
        seen.add(question)
        for (const { kind, holds } of transition.obligations)
          if (isOwed(kind, overflows) && !this.domain.implies(node.state, holds))
            return { node, transition, claim: holds, reason: { kind: 'obligation', obligation: kind } as const }
      }
    return undefined
  }

  /** Of a thread other than main the first variables come in with its first refinement: its number is not known yet. */
  private firstPrecision(program: Program, before?: Precision): Precision {
    const precision = new Precision()
    for (const { variable, template } of firstVariables(program))
      if (variable.scope === 'global' || template === program.main)
        precision.track(this.transitions.variable(variable, 0))
    const earlier = before ?? (this.task.suggestions && suggested(this.task.suggestions, this.transitions))
    for (const v of earlier?.tracked ?? []) if (this.followsValues(v)) precision.track(v)
    for (const predicate of earlier?.predicates ?? []) precision.addPredicate(predicate)
    return precision
  }

  /** What the product follows by value: all that always has few values, and all else until it had many. */
  private followsValues(term: Term): boolean {
    const meaning = this.transitions.meaning(term)
    return !this.manyValues.has(term) || (meaning !== undefined && 'type' in meaning && this.fewValues.has(meaning))
  }

  /** What is followed and had many values by now. */
  private tooMany(): readonly Term[] {
    const first = new Set(firstVariables(this.transitions.program).map(({ variable }) => variable))
    return this.domain.states.valueCounts().flatMap(([v, count]) => {
      if (count <= (v.sort.kind === 'array' ? MAX_TRACKED_CONTENTS : MAX_TRACKED_VALUES)) return []
      const meaning = this.transitions.meaning(v)
      const isKept = meaning !== undefined && 'type' in meaning && (this.fewValues.has(meaning) || first.has(meaning))
      return isKept ? [] : this.instancesOf(v)
    })
  }

  private refinerParts(): RefinerParts {
    const { transitions } = this
    return {
      smt: this.smt,
      domain: this.domain,
      transitions,
      rule: {
        kind: PRECISIONS[this.options.domain],
        followsValues: (term) => this.followsValues(term),
        instances: (term) => this.instancesOf(term),
      },
      options: { method: this.method(), timeoutMs: REFINE_MS },
      transitionInto: (node: ArgNode) => this.abstractor.transitionOf(node.parent!.control, node.incoming!.action),
    }
  }

  /** A local that matters in one thread matters in the others of the same kind. */
  private instancesOf(term: Term): readonly Term[] {
    const meaning = this.transitions.meaning(term)
    if (!meaning || meaning.scope === 'global' || !('type' in meaning)) return [term]
    for (const [template, numbers] of this.abstractor.threadsOf)
      if (template.self === meaning || template.locals.includes(meaning))
        return [...numbers].map((number) => this.transitions.variable(meaning, number))
    return [term]
  }

  /** Explicit values need to know variables only: a core tells them at once. */
  private method(): Method | 'auto' | 'core' {
    const chosen = this.options.refine
    return this.options.domain === 'expl' && chosen === 'auto' ? 'core' : chosen
  }

  private unknown(reason: Reason): Result {
    return unknown(reason, this.stats())
  }

  private stats(): Stats {
    const { counts } = this.abstractor
    this.abstractor.count()
    const queries = this.queries.statistics()
    const { precision } = this.domain
    const stats = {
      nodes: counts.nodes,
      actions_explored: counts.explored,
      actions_enabled: counts.admitted,
      covers: counts.covers,
      implication_checks: counts.comparisons,
      refinements: this.refinements,
      predicates: precision.predicates.length,
      tracked: precision.tracked.length,
      solver_calls: (queries['solved'] ?? 0) + this.enumeration.checks,
      queries: queries['asked'] ?? 0,
      reexpansions: counts.reexpanded,
      actions_asleep: counts.asleep,
      arithmetic: this.arithmetic,
    }
    return stats
  }

  private certificate(): Certificate {
    // The checker knows persistent sets only; other proofs it looks at by exploring all interleavings.
    if (this.options.sets === 'source') return { kind: 'abstract-reachability', data: { nodes: this.abstractor.size } }
    return certificateOf({
      arithmetic: this.arithmetic,
      largeBlocks: this.options.lbe === 'on',
      nodes: this.abstractor.allNodes(),
      toTerm: (state) => this.domain.states.toTerm(state),
      precision: this.domain.precision,
      history: this.history,
    })
  }
}

const usesPointers = ({ templates }: Program): boolean =>
  [...templates.values()].some(({ edges }) =>
    edges.some(({ labels }) =>
      labels.some((label) => (label.kind === 'load' || label.kind === 'store') && label.address.kind !== 'const'),
    ),
  )

export const cegarEngine: Engine = checkAccessesThenLeaks(engineOf(cegarSpec, verify))
