// Any SMT-LIB 2.6 solver behind the common interfaces: one process for each solver.
import {
  BOOL_SORT,
  conjuncts,
  defaultValue,
  type Expression,
  evaluate,
  freeVariables,
  type Model,
  not,
  or,
  parseExpression,
  parseSort,
  print,
  printName,
  printSort,
  substitute,
  type Term,
  type Value,
  variable,
} from '../../logic/index.js'
import {
  type Atom,
  type Horn,
  type HornOptions,
  type HornResult,
  parameter,
  type Relation,
  type Rule,
  type Smt,
  type Solver,
  type SolverOptions,
  type Statistics,
  type Status,
} from '../interfaces.js'
import { SolverError } from '../z3/functions.js'
import { SmtlibProcess } from './process.js'

const statusOf = (answer: Expression): Status => (answer === 'sat' || answer === 'unsat' ? answer : 'unknown')

/** Limits have names of their own in each solver. */
const limits = (solverName: string, options: SolverOptions): string => {
  const isCvc5 = /cvc5/i.test(solverName)
  const lines: string[] = []
  if (options.timeoutMs !== undefined)
    lines.push(`(set-option :${isCvc5 ? 'tlimit-per' : 'timeout'} ${options.timeoutMs})`)
  if (options.rlimit !== undefined) lines.push(`(set-option :${isCvc5 ? 'rlimit-per' : 'rlimit'} ${options.rlimit})`)
  return lines.join('\n')
}

const newLevel = () => ({ declared: new Set<Term>(), defined: new Set<Term>() })

class SmtlibSolver implements Solver {
  private readonly process: SmtlibProcess
  /** The name under which a variable is declared: one name has one sort in SMT-LIB. */
  private readonly names = new Map<Term, string>()
  private readonly taken = new Set<string>()
  /** For each level what was declared on it (a pop forgets declarations), and which assumptions got a literal. */
  private readonly levels: { readonly declared: Set<Term>; readonly defined: Set<Term> }[] = [newLevel()]
  private assumptions: readonly { readonly assumption: Term; readonly literal: Term }[] = []

  constructor(command: string, solverName: string, options: SolverOptions) {
    this.process = new SmtlibProcess(command)
    this.process.send(
      [
        '(set-option :print-success false)',
        '(set-option :produce-models true)',
        '(set-option :produce-unsat-assumptions true)',
        limits(solverName, options),
        `(set-logic ${options.logic ?? 'ALL'})`,
      ].join('\n'),
    )
  }

  private readonly nameOf = (v: Term): string => {
    let name = this.names.get(v)
    if (name === undefined) {
      name = printName(v.name)
      while (this.taken.has(name)) name = printName(`${v.name}:${this.taken.size}`)
      this.taken.add(name)
      this.names.set(v, name)
    }
    if (!this.levels.some(({ declared }) => declared.has(v))) {
      this.levels[this.levels.length - 1]!.declared.add(v)
      this.process.send(`(declare-fun ${name} () ${printSort(v.sort)})`)
    }
    return name
  }

  private print(term: Term): string {
    for (const v of freeVariables(term)) this.nameOf(v)
    return print(term, this.nameOf)
  }

  push(): void {
    this.levels.push(newLevel())
    this.process.send('(push 1)')
  }

  pop(levels = 1): void {
    this.levels.length -= levels
    this.process.send(`(pop ${levels})`)
  }

  add(formula: Term): void {
    for (const part of conjuncts(formula)) this.process.send(`(assert ${this.print(part)})`)
  }

  check(assumptions: readonly Term[] = []): Status {
    this.assumptions = assumptions.map((assumption) => ({ assumption, literal: this.literalFor(assumption) }))
    if (assumptions.length === 0) return statusOf(this.process.ask('(check-sat)'))
    const literals = this.assumptions.map(({ literal }) => this.print(literal)).join(' ')
    return statusOf(this.process.ask(`(check-sat-assuming (${literals}))`))
  }

  private literalFor(assumption: Term): Term {
    const atom = assumption.op === 'not' ? assumption.args[0]! : assumption
    if (atom.op === 'var') return assumption
    const literal = variable(`assumption!${assumption.id}`, BOOL_SORT)
    if (!this.levels.some(({ defined }) => defined.has(assumption))) {
      this.levels[this.levels.length - 1]!.defined.add(assumption)
      this.add(or(not(literal), assumption))
    }
    return literal
  }

  model(): Model {
    return this.values(this.levels.flatMap(({ declared }) => [...declared]))
  }

  values(variables: readonly Term[]): ReadonlyMap<Term, Value> {
    const values = new Map<Term, Value>(variables.map((v) => [v, defaultValue(v.sort)]))
    const declared = variables.filter((v) => this.levels.some((level) => level.declared.has(v)))
    if (declared.length === 0) return values
    const answer = this.process.ask(`(get-value (${declared.map(this.nameOf).join(' ')}))`)
    declared.forEach((v, i) => {
      values.set(v, readValue((answer[i] as readonly Expression[])[1]!, v))
    })
    return values
  }

  core(): readonly Term[] {
    const answer = this.process.ask('(get-unsat-assumptions)') as readonly Expression[]
    const byName = new Map([...this.names].map(([v, name]) => [name.replace(/^\|(.*)\|$/, '$1'), v]))
    const found = new Set(answer.map((e) => parseExpression(e, (name) => byName.get(name))))
    return this.assumptions.filter(({ literal }) => found.has(literal)).map(({ assumption }) => assumption)
  }

  reason(): string {
    return String((this.process.ask('(get-info :reason-unknown)') as readonly Expression[])[1] ?? 'unknown')
  }

  statistics(): Statistics {
    return {}
  }

  dispose(): void {
    this.process.dispose()
  }
}

const readValue = (e: Expression, v: Term): Value => {
  const term = parseExpression(e, () => undefined)
  // A real that is whole is printed like an integer by some.
  const value = term.value ?? evaluate(term, { get: () => undefined })
  return v.sort.kind === 'real' && typeof value === 'bigint'
    ? { kind: 'rational', numerator: value, denominator: 1n }
    : value
}

class SmtlibHorn implements Horn {
  constructor(
    private readonly command: string,
    private readonly solverName: string,
    private readonly options: HornOptions,
  ) {}

  solve(rules: readonly Rule[]): HornResult {
    const process = new SmtlibProcess(this.command)
    try {
      process.send(`(set-option :print-success false)\n${limits(this.solverName, this.options)}\n(set-logic HORN)`)
      const relations = declareRelations(rules, process)
      for (const rule of rules) process.send(`(assert ${printRule(rule, relations)})`)
      const status = statusOf(process.ask('(check-sat)'))
      if (status === 'unknown') return { status, reason: 'the solver does not know' }
      if (status === 'unsat') return { status, derivation: undefined }
      return { status, solution: readSolution(process.ask('(get-model)') as readonly Expression[], relations) }
    } finally {
      process.dispose()
    }
  }

  dispose(): void {}
}

const declareRelations = (rules: readonly Rule[], process: SmtlibProcess): ReadonlyMap<Relation, string> => {
  const names = new Map<Relation, string>()
  const taken = new Set<string>()
  for (const { head, body } of rules)
    for (const { relation } of head ? [head, ...body] : body) {
      if (names.has(relation)) continue
      let name = relation.name
      while (taken.has(name)) name += "'"
      taken.add(name)
      names.set(relation, name)
      process.send(`(declare-fun ${printName(name)} (${relation.sorts.map(printSort).join(' ')}) Bool)`)
    }
  return names
}

const printRule = ({ head, body, constraint }: Rule, names: ReadonlyMap<Relation, string>): string => {
  const atom = ({ relation, args }: Atom): string => {
    const name = printName(names.get(relation)!)
    return args.length === 0 ? name : `(${name} ${args.map((arg) => print(arg)).join(' ')})`
  }
  const variables = new Set(freeVariables(constraint))
  for (const { args } of head ? [head, ...body] : body)
    for (const arg of args) for (const v of freeVariables(arg)) variables.add(v)
  const implication = `(=> (and true ${print(constraint)} ${body.map(atom).join(' ')}) ${head ? atom(head) : 'false'})`
  const bound = [...variables].map((v) => `(${printName(v.name)} ${printSort(v.sort)})`).join(' ')
  return bound === '' ? implication : `(forall (${bound}) ${implication})`
}

/** `(define-fun R ((x Int) ...) Bool body)`, perhaps with `model` in front of all. */
const readSolution = (
  answer: readonly Expression[],
  names: ReadonlyMap<Relation, string>,
): ReadonlyMap<Relation, Term> => {
  const byName = new Map([...names].map(([relation, name]) => [name, relation]))
  const solution = new Map<Relation, Term>()
  for (const definition of answer) {
    if (typeof definition === 'string' || definition[0] !== 'define-fun') continue
    const relation = byName.get(definition[1] as string)
    if (!relation) continue
    const parameters = (definition[2] as readonly Expression[]).map((each) =>
      variable(each[0] as string, parseSort(each[1]!)),
    )
    try {
      const body = parseExpression(definition[4]!, (name) => parameters.find((p) => p.name === name))
      solution.set(relation, substitute(body, new Map(parameters.map((p, i) => [p, parameter(relation, i)]))))
    } catch (error) {
      if (error instanceof SolverError) throw error
      // Quantifiers, or operators that we do not have: this relation stays without a formula.
    }
  }
  return solution
}

/** What solvers that people name without arguments need to listen to one command after the other. */
const LISTENING: Readonly<Record<string, string>> = { cvc5: 'cvc5 --incremental', z3: 'z3 -in' }

export const smtlibSmt = (named: string): Smt => {
  const command = LISTENING[named] ?? named
  const asked = new SmtlibProcess(command)
  const info = (key: string): string => {
    const answer = asked.ask(`(get-info :${key})`)
    return String(answer[1] ?? '').replaceAll('"', '')
  }
  const name = info('name')
  const version = info('version')
  asked.dispose()
  return {
    name: `smtlib:${name}`,
    version,
    path: command,
    solver: (options = {}) => new SmtlibSolver(command, name, options),
    horn: (options = {}) => new SmtlibHorn(command, name, options),
    addressOfContext: undefined,
    dispose: () => {},
  }
}
