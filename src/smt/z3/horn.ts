// Constrained Horn clauses by Spacer, Z3's fixedpoint engine. Without inlining every relation gets a formula of its
// own; with it, those that were inlined away (and any whose formula has quantifiers) are missing from the solution.
import { BOOL_SORT, freeVariables, type Term } from '../../logic/index.js'
import type { Relation, Rule } from '../interfaces.js'
import { type Atom, type Derivation, type Horn, type HornOptions, type HornResult, parameter } from '../interfaces.js'
import type { Z3Context } from './context.js'
import { givenUp, type Handle, SolverError, SolverInterrupted } from './functions.js'
import { readTerm } from './read.js'
import { setParameters } from './solver.js'

const QUANTIFIER = 3
const GOAL = 'goal!'

export class Z3Horn implements Horn {
  constructor(
    private readonly c: Z3Context,
    private readonly options: HornOptions,
  ) {}

  solve(rules: readonly Rule[]): HornResult {
    const { z3, context } = this.c
    const engine = z3.mk_fixedpoint(context)
    z3.fixedpoint_inc_ref(context, engine)
    try {
      return new Query(this.c, engine, this.options).solve(rules)
    } catch (error) {
      if (error instanceof SolverInterrupted) return { status: 'unknown', reason: 'interrupted', isOutOfTime: true }
      // Spacer gives up by an exception.
      if (error instanceof SolverError && /stuck on a lemma/i.test(error.message)) return givenUp(error.message)
      throw error
    } finally {
      z3.fixedpoint_dec_ref(context, engine)
    }
  }

  dispose(): void {}
}

class Query {
  private readonly declarations = new Map<Relation, Handle>()
  private readonly relations = new Map<string, Relation>()
  private readonly goal: Handle

  constructor(
    private readonly c: Z3Context,
    private readonly engine: Handle,
    options: HornOptions,
  ) {
    const parameters: Record<string, boolean | number | string> = { engine: 'spacer' }
    if (options.timeoutMs !== undefined) parameters['timeout'] = options.timeoutMs
    if (!options.inline)
      for (const name of ['inline_linear', 'inline_eager', 'slice']) parameters[`xform.${name}`] = false
    if (options.seed !== undefined) parameters['spacer.random_seed'] = options.seed
    setParameters(c, parameters, (p) => c.z3.fixedpoint_set_params(c.context, engine, p))
    this.goal = this.declare(GOAL, [])
  }

  solve(rules: readonly Rule[]): HornResult {
    const { z3, context } = this.c
    for (const [i, rule] of rules.entries()) this.addRule(rule, i)
    this.c.checkError()
    const status = z3.fixedpoint_query(context, this.engine, this.c.keep(z3.mk_app(context, this.goal, [])))
    if (status === 0) return givenUp(z3.fixedpoint_get_reason_unknown(context, this.engine))
    const answer = this.c.keep(z3.fixedpoint_get_answer(context, this.engine))
    return status === 1
      ? { status: 'unsat', derivation: this.readDerivation(answer) }
      : { status: 'sat', solution: this.readSolution(answer) }
  }

  private declare(name: string, sorts: readonly Handle[]): Handle {
    const { z3, context } = this.c
    const declaration = this.c.keep(
      z3.mk_func_decl(context, this.c.symbol(name), sorts as Handle[], this.c.sort(BOOL_SORT)),
    )
    z3.fixedpoint_register_relation(context, this.engine, declaration)
    return declaration
  }

  private declarationOf(relation: Relation): Handle {
    let declaration = this.declarations.get(relation)
    if (!declaration) {
      let name = relation.name
      while (this.relations.has(name)) name += "'"
      this.relations.set(name, relation)
      declaration = this.declare(
        name,
        relation.sorts.map((sort) => this.c.sort(sort)),
      )
      this.declarations.set(relation, declaration)
    }
    return declaration
  }

  private atom({ relation, args }: Atom): Handle {
    const terms = args.map((arg) => this.c.term(arg))
    return this.c.keep(this.c.z3.mk_app(this.c.context, this.declarationOf(relation), terms))
  }

  private addRule(rule: Rule, index: number): void {
    const { z3, context } = this.c
    const body = this.c.keep(z3.mk_and(context, [...rule.body.map((a) => this.atom(a)), this.c.term(rule.constraint)]))
    const head = rule.head ? this.atom(rule.head) : this.c.keep(z3.mk_app(context, this.goal, []))
    const implication = this.c.keep(z3.mk_implies(context, body, head))
    const variables = variablesOf(rule).map((v) => this.c.term(v))
    const closed =
      variables.length === 0 ? implication : this.c.keep(z3.mk_forall_const(context, 0, variables, [], implication))
    z3.fixedpoint_add_rule(context, this.engine, closed, this.c.symbol(`${rule.name ?? 'rule'}!${index}`))
  }

  /** A conjunction of `forall A, B. relation(A, B) = formula`. */
  private readSolution(answer: Handle): ReadonlyMap<Relation, Term> {
    const { z3, context } = this.c
    const solution = new Map<Relation, Term>()
    const parts = this.nameOf(answer) === 'and' ? this.argumentsOf(answer) : [answer]
    for (const part of parts) {
      const quantified = z3.get_ast_kind(context, part) === QUANTIFIER
      const equation = quantified ? z3.get_quantifier_body(context, part) : part
      if (this.nameOf(equation) !== '=') continue
      const [head, formula] = this.argumentsOf(equation) as [Handle, Handle]
      const relation = this.relations.get(this.nameOf(head))
      if (!relation) continue
      const term = this.readFormula(relation, head, formula)
      if (term) solution.set(relation, term)
    }
    return solution
  }

  private readFormula(relation: Relation, head: Handle, formula: Handle): Term | undefined {
    const { z3, context } = this.c
    const meaning = new Map<number, Term>()
    for (const [i, arg] of this.argumentsOf(head).entries())
      meaning.set(z3.get_index_value(context, arg), parameter(relation, i))
    try {
      return readTerm(this.c, formula, { bound: (index) => meaning.get(index) })
    } catch (error) {
      // Quantifiers: the relation was inlined.
      if (error instanceof SolverError) return undefined
      throw error
    }
  }

  private nameOf(ast: Handle): string {
    const { z3, context } = this.c
    if (z3.get_ast_kind(context, ast) !== 1) return ''
    return z3.get_symbol_string(context, z3.get_decl_name(context, z3.get_app_decl(context, ast)))
  }

  private argumentsOf(ast: Handle): readonly Handle[] {
    const { z3, context } = this.c
    return Array.from({ length: z3.get_app_num_args(context, ast) }, (_, i) => z3.get_app_arg(context, ast, i))
  }

  /** The proof is a tree of hyper-resolutions: the rule, a proof for each premise, the conclusion. */
  private readDerivation(proof: Handle): Derivation | undefined {
    const done = new Map<Handle, Derivation>()
    const root = this.nameOf(proof) === 'mp' ? this.argumentsOf(proof)[0]! : proof
    const stack = [root]
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!
      const steps = this.nameOf(node) === 'hyper-res' ? this.argumentsOf(node) : undefined
      const premises = steps?.slice(1, -1) ?? []
      const open = premises.filter((premise) => !done.has(premise))
      if (open.length > 0) {
        stack.push(...open)
        continue
      }
      stack.pop()
      const conclusion = steps ? steps[steps.length - 1]! : this.argumentsOf(node)[0]
      if (conclusion === undefined) return undefined
      const derived = this.readFact(
        conclusion,
        premises.map((premise) => done.get(premise)!),
      )
      done.set(node, derived)
    }
    return done.get(root)
  }

  private readFact(conclusion: Handle, premises: readonly Derivation[]): Derivation {
    const relation = this.relations.get(this.nameOf(conclusion))
    // The goal and what the engine puts above it are one.
    if (!relation)
      return premises.length === 1 && !premises[0]!.relation ? premises[0]! : { relation, args: [], premises }
    return { relation, args: this.argumentsOf(conclusion).map((arg) => readTerm(this.c, arg)), premises }
  }
}

const variablesOf = ({ head, body, constraint }: Rule): readonly Term[] => {
  const found = new Set<Term>(freeVariables(constraint))
  for (const atom of head ? [head, ...body] : body)
    for (const arg of atom.args) for (const v of freeVariables(arg)) found.add(v)
  return [...found]
}
