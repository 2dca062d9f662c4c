// The incremental solver over a Z3 context.
import {
  BOOL_SORT,
  conjuncts,
  defaultValue,
  evaluate,
  type Model,
  not,
  or,
  type Term,
  type Value,
  variable,
} from '../../logic/index.js'
import type { Solver, SolverOptions, Statistics, Status } from '../interfaces.js'
import type { Z3Context } from './context.js'
import { type Handle, SolverInterrupted } from './functions.js'
import { readTerm } from './read.js'

const STATUS: Readonly<Record<number, Status>> = { [-1]: 'unsat', 0: 'unknown', 1: 'sat' }

/** Values are read when asked for, and remembered. */
class Z3Model implements Model {
  private readonly values = new Map<Term, Value>()
  constructor(
    private readonly c: Z3Context,
    private readonly model: Handle,
  ) {}

  get(v: Term): Value | undefined {
    const known = this.values.get(v)
    if (known !== undefined) return known
    const { z3, context } = this.c
    const declaration = z3.get_app_decl(context, this.c.term(v))
    const ast = z3.model_get_const_interp(context, this.model, declaration)
    const value = ast ? this.read(ast) : defaultValue(v.sort)
    this.values.set(v, value)
    return value
  }

  private read(ast: Handle): Value {
    const term = readTerm(this.c, this.c.keep(ast), { model: this.model })
    return term.value ?? evaluate(term, { get: () => undefined })
  }
}

export const setParameters = (
  c: Z3Context,
  values: Readonly<Record<string, boolean | number | string>>,
  apply: (parameters: Handle) => void,
): void => {
  const { z3, context } = c
  const parameters = z3.mk_params(context)
  z3.params_inc_ref(context, parameters)
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'boolean') z3.params_set_bool(context, parameters, c.symbol(name), value)
    else if (typeof value === 'number') z3.params_set_uint(context, parameters, c.symbol(name), value)
    else z3.params_set_symbol(context, parameters, c.symbol(name), c.symbol(value))
  }
  apply(parameters)
  z3.params_dec_ref(context, parameters)
}

export class Z3Solver implements Solver {
  private readonly solver: Handle
  /** The literal that stands for an assumption, for those that are not literals themselves. */
  private readonly literals = new Map<Term, Term>()
  /** For each level the assumptions whose literal was defined on it. */
  private readonly defined: Set<Term>[] = [new Set()]
  private assumptions: readonly Term[] = []

  constructor(
    private readonly c: Z3Context,
    options: SolverOptions,
  ) {
    const { z3, context } = c
    this.solver = options.logic
      ? z3.mk_solver_for_logic(context, c.symbol(options.logic))
      : options.once
        ? z3.mk_solver(context)
        : z3.mk_simple_solver(context)
    z3.solver_inc_ref(context, this.solver)
    const parameters: Record<string, boolean | number> = {}
    if (options.timeoutMs !== undefined) parameters['timeout'] = options.timeoutMs
    if (options.rlimit !== undefined) parameters['rlimit'] = options.rlimit
    if (Object.keys(parameters).length > 0)
      setParameters(c, parameters, (p) => z3.solver_set_params(context, this.solver, p))
  }

  push(): void {
    this.defined.push(new Set())
    this.c.z3.solver_push(this.c.context, this.solver)
  }

  pop(levels = 1): void {
    this.defined.length -= levels
    this.c.z3.solver_pop(this.c.context, this.solver, levels)
  }

  add(formula: Term): void {
    for (const part of conjuncts(formula)) this.c.z3.solver_assert(this.c.context, this.solver, this.c.term(part))
  }

  check(assumptions: readonly Term[] = []): Status {
    const { z3, context } = this.c
    this.assumptions = assumptions
    try {
      if (assumptions.length === 0) return STATUS[z3.solver_check(context, this.solver)]!
      const literals = assumptions.map((assumption) => this.c.term(this.literalFor(assumption)))
      return STATUS[z3.solver_check_assumptions(context, this.solver, literals)]!
    } catch (error) {
      if (error instanceof SolverInterrupted) return 'unknown'
      throw error
    }
  }

  model(): Model {
    const { z3, context } = this.c
    const model = z3.solver_get_model(context, this.solver)
    z3.model_inc_ref(context, model)
    return new Z3Model(this.c, model)
  }

  values(variables: readonly Term[]): ReadonlyMap<Term, Value> {
    const { z3, context } = this.c
    const handle = z3.solver_get_model(context, this.solver)
    z3.model_inc_ref(context, handle)
    const model = new Z3Model(this.c, handle)
    const values = new Map(variables.map((v) => [v, model.get(v)!]))
    z3.model_dec_ref(context, handle)
    return values
  }

  core(): readonly Term[] {
    const { z3, context } = this.c
    const vector = z3.solver_get_unsat_core(context, this.solver)
    z3.ast_vector_inc_ref(context, vector)
    const found = new Set<Handle>()
    const size = z3.ast_vector_size(context, vector)
    for (let i = 0; i < size; i++) found.add(z3.ast_vector_get(context, vector, i))
    z3.ast_vector_dec_ref(context, vector)
    return this.assumptions.filter((assumption) => found.has(this.c.term(this.literals.get(assumption) ?? assumption)))
  }

  reason(): string {
    return this.c.z3.solver_get_reason_unknown(this.c.context, this.solver)
  }

  statistics(): Statistics {
    const { z3, context } = this.c
    const statistics = z3.solver_get_statistics(context, this.solver)
    z3.stats_inc_ref(context, statistics)
    const text = z3.stats_to_string(context, statistics)
    z3.stats_dec_ref(context, statistics)
    return parseStatistics(text)
  }

  dispose(): void {
    this.c.z3.solver_dec_ref(this.c.context, this.solver)
  }

  /** Assumptions of Z3 are literals: another formula gets one that implies it. */
  private literalFor(assumption: Term): Term {
    const atom = assumption.op === 'not' ? assumption.args[0]! : assumption
    if (atom.op === 'var') return assumption
    const literal = variable(`assumption!${assumption.id}`, BOOL_SORT)
    this.literals.set(assumption, literal)
    if (!this.defined.some((level) => level.has(assumption))) {
      this.defined[this.defined.length - 1]!.add(assumption)
      this.add(or(not(literal), assumption))
    }
    return literal
  }
}

/** `(:conflicts 3 :decisions 5 ...)` as names and numbers. */
const parseStatistics = (text: string): Statistics =>
  Object.fromEntries([...text.matchAll(/:(\S+)\s+([\d.]+)/g)].map(([, name, value]) => [name!, Number(value)]))
