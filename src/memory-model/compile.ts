// From a model's text to a graph of operations over base relations. Equal expressions become one node, so that an
// evaluation computes each once; every node knows whether it depends on `rf` or `co`, so that what follows from control
// flow alone is computed once for all executions that share it. Mistakes are values with a position.
import { parseCat } from './cat/parse.js'
import type { CatBinding, CatError, CatExpression, CatStatement, Position, Test } from './cat/syntax.js'
import { INCLUDES, PRELUDE } from './library.js'
import { RELATIONS, SETS } from './vocabulary.js'

type Sort = 'set' | 'relation'

type Operation =
  | 'base'
  | 'empty'
  | 'union'
  | 'intersect'
  | 'minus'
  | 'compose'
  | 'product'
  | 'identity'
  | 'domain'
  | 'range'
  | 'inverse'
  | 'closure'
  | 'reflexive'
  | 'complement'
  /** A variable of a recursive definition, inside it. */
  | 'variable'
  /** The least fixed point that a variable stands for, outside. */
  | 'fixpoint'

/** What a node's value depends on. */
const STATIC = 1
export const ON_RF = 2
export const ON_CO = 4

export interface Node {
  readonly index: number
  readonly operation: Operation
  readonly sort: Sort
  readonly operands: readonly Node[]
  /** The name of a base set or relation. */
  readonly name?: string
  /** Of a variable or a fixed point: its recursive definition, and which of its equations. */
  readonly group?: Recursion
  readonly equation?: number
  /** STATIC, ON_RF and ON_CO, and one bit for each recursive definition whose variables are free in it. */
  readonly depends: number
  /** Larger `rf` and `co` can only make it larger: true unless one of them is subtracted. */
  readonly monotone: boolean
}

export interface Recursion {
  readonly bit: number
  readonly variables: Node[]
  readonly bodies: Node[]
  /** The nodes outside that stand for the solved equations. */
  readonly results: Node[]
}

export interface Axiom {
  readonly name: string
  readonly test: Test
  readonly negated: boolean
  readonly node: Node
  readonly at: Position
}

export interface Model {
  readonly title: string
  readonly nodes: readonly Node[]
  readonly axioms: readonly Axiom[]
  /** Reported, not required: data races of C11, for instance. */
  readonly flags: readonly Axiom[]
  /** Definitions of the model by name, for explanations and pictures. */
  readonly definitions: ReadonlyMap<string, Node>
  /** Whether an axiom demands coherence: acyclic(po-loc | rf | co | fr) among others. Lets explorations prune early. */
  readonly coherent: boolean
  /** Whether an axiom demands that program order and reads-from together have no cycle: no value out of thin air. */
  readonly causal: boolean
  /** Whether an axiom demands that no write comes between the two parts of a read-modify-write. */
  readonly atomic: boolean
}

export type Compiled =
  | { readonly kind: 'model'; readonly model: Model }
  | { readonly kind: 'wrong'; readonly error: CatError }

interface FunctionValue {
  readonly parameters: readonly string[]
  readonly body: CatExpression
  readonly scope: Scope
}
type Meaning =
  | { readonly kind: 'node'; readonly node: Node }
  | { readonly kind: 'function'; readonly value: FunctionValue }
type Scope = ReadonlyMap<string, Meaning>

class Problem extends Error {
  readonly error: CatError
  constructor(error: CatError) {
    super(error.message)
    this.error = error
  }
}

/** The text of an included file, or undefined if there is none. */
export type ReadInclude = (file: string, from: string) => string | undefined

export const compileModel = (text: string, file: string, readInclude: ReadInclude = () => undefined): Compiled => {
  try {
    return { kind: 'model', model: new Compiler(readInclude).compile(text, file) }
  } catch (problem) {
    if (problem instanceof Problem) return { kind: 'wrong', error: problem.error }
    throw problem
  }
}

class Compiler {
  private readonly nodes: Node[] = []
  private readonly known = new Map<string, Node>()
  private readonly axioms: Axiom[] = []
  private readonly flags: Axiom[] = []
  private readonly readInclude: ReadInclude
  private groups = 0
  private scope: Scope = new Map()

  constructor(readInclude: ReadInclude) {
    this.readInclude = readInclude
  }

  compile(text: string, file: string): Model {
    this.run(PRELUDE, 'prelude')
    const title = this.run(text, file)
    const definitions = new Map<string, Node>()
    for (const [name, meaning] of this.scope) if (meaning.kind === 'node') definitions.set(name, meaning.node)
    return {
      title,
      nodes: this.nodes,
      axioms: this.axioms,
      flags: this.flags,
      definitions,
      coherent: this.axioms.some(
        (axiom) => axiom.test === 'acyclic' && !axiom.negated && this.impliesCoherence(axiom.node),
      ),
      causal: this.axioms.some((axiom) => {
        const parts = axiom.test === 'acyclic' && !axiom.negated ? unionParts(axiom.node) : new Set<Node>()
        return ['po', 'rf'].every((name) => parts.has(this.node('base', 'relation', [], name)))
      }),
      atomic: this.axioms.some(
        (axiom) => axiom.test === 'empty' && !axiom.negated && this.impliesAtomicity(axiom.node),
      ),
    }
  }

  private fail(at: Position, message: string): never {
    throw new Problem({ at, message })
  }

  private run(text: string, file: string): string {
    const parsed = parseCat(text, file)
    if (parsed.kind === 'wrong') throw new Problem(parsed.error)
    for (const statement of parsed.file.statements) this.statement(statement)
    return parsed.file.title
  }

  private statement(statement: CatStatement): void {
    switch (statement.kind) {
      case 'include': {
        const text = this.readInclude(statement.file, statement.at.file) ?? INCLUDES.get(statement.file)
        if (text === undefined) this.fail(statement.at, `cannot find the included file "${statement.file}"`)
        this.run(text, statement.file)
        return
      }
      case 'let':
        this.scope = this.define(statement.bindings, statement.recursive, this.scope)
        return
      case 'check':
      case 'flag': {
        const { test, negated, at } = statement
        const node = this.expression(statement.expression, this.scope)
        if (test !== 'empty' && node.sort === 'set') this.fail(at, `"${test}" needs a relation, but this is a set`)
        const name = statement.name ?? `${test} (line ${at.line})`
        if (statement.kind === 'flag') this.flags.push({ name, test, negated, node, at })
        else this.axioms.push({ name, test, negated, node, at })
        return
      }
    }
  }

  private define(bindings: readonly CatBinding[], recursive: boolean, scope: Scope): Scope {
    const result = new Map(scope)
    if (!recursive) {
      for (const binding of bindings)
        result.set(
          binding.name,
          binding.parameters.length > 0
            ? { kind: 'function', value: { parameters: binding.parameters, body: binding.body, scope } }
            : { kind: 'node', node: this.expression(binding.body, scope) },
        )
      return result
    }
    return this.fixpoint(bindings, result)
  }

  /** The variables' sorts are not written: relations are assumed, and sets tried for those where that has no meaning. */
  private fixpoint(bindings: readonly CatBinding[], scope: Map<string, Meaning>): Scope {
    for (const binding of bindings)
      if (binding.parameters.length > 0) this.fail(binding.at, 'recursive functions are not supported')
    const sorts: Sort[] = bindings.map(() => 'relation')
    if (this.groups >= 24) this.fail(bindings[0]!.at, 'too many recursive definitions (24 are supported)')
    const bit = 1 << (3 + this.groups++)
    for (let attempt = 0; ; attempt++) {
      const group: Recursion = { bit, variables: [], bodies: [], results: [] }
      const inner = new Map(scope)
      bindings.forEach(({ name }, equation) => {
        const sort = sorts[equation]!
        const variable = this.raw({
          operation: 'variable',
          sort,
          operands: [],
          group,
          equation,
          depends: bit,
          monotone: true,
        })
        group.variables.push(variable)
        inner.set(name, { kind: 'node', node: variable })
      })
      const wrong = bindings.flatMap(
        (binding, equation): { readonly equation: number; readonly problem?: Problem }[] => {
          try {
            group.bodies[equation] = this.expression(binding.body, inner)
          } catch (problem) {
            if (!(problem instanceof Problem) || attempt > bindings.length) throw problem
            return [{ equation, problem }]
          }
          return group.bodies[equation]!.sort === sorts[equation] ? [] : [{ equation }]
        },
      )
      if (wrong.length === 0) return this.solved(bindings, group, sorts, scope)
      const flip = wrong.find(
        ({ equation }) => group.bodies[equation] && group.bodies[equation]!.sort !== sorts[equation],
      )
      if (flip) sorts[flip.equation] = sorts[flip.equation] === 'set' ? 'relation' : 'set'
      else if (attempt < bindings.length) sorts[attempt] = 'set'
      else
        throw (
          wrong[0]!.problem ??
          new Problem({ at: bindings[0]!.at, message: 'sets and relations are mixed in this recursive definition' })
        )
    }
  }

  /** The group's results, under the names of their bindings. */
  private solved(
    bindings: readonly CatBinding[],
    group: Recursion,
    sorts: readonly Sort[],
    scope: Map<string, Meaning>,
  ): Scope {
    const depends = group.bodies.reduce((all, body) => all | body.depends, 0) & ~group.bit
    const monotone = group.bodies.every((body) => body.monotone)
    bindings.forEach(({ name }, equation) => {
      const sort = sorts[equation]!
      const node = this.raw({ operation: 'fixpoint', sort, operands: [], group, equation, depends, monotone })
      group.results.push(node)
      scope.set(name, { kind: 'node', node })
    })
    return scope
  }

  private raw(node: Omit<Node, 'index'>): Node {
    const made: Node = { index: this.nodes.length, ...node }
    this.nodes.push(made)
    return made
  }

  private node(operation: Operation, sort: Sort, operands: readonly Node[], name?: string): Node {
    const key = `${operation} ${sort} ${name ?? ''} ${operands.map((o) => o.index).join(' ')}`
    const before = this.known.get(key)
    if (before) return before
    const own = name === 'rf' ? ON_RF : name === 'co' ? ON_CO : STATIC
    const subtracted = operation === 'complement' ? operands[0] : operation === 'minus' ? operands[1] : undefined
    const made = this.raw({
      operation,
      sort,
      operands,
      ...(name !== undefined && { name }),
      depends: operands.length === 0 ? own : operands.reduce((all, operand) => all | operand.depends, 0),
      monotone: operands.every((o) => o.monotone) && !(subtracted && (subtracted.depends & ~STATIC) !== 0),
    })
    this.known.set(key, made)
    return made
  }

  private expression(expression: CatExpression, scope: Scope): Node {
    switch (expression.kind) {
      case 'name':
        return this.named(expression.name, expression.at, scope)
      case 'empty':
        return this.node('empty', 'relation', [])
      case 'identity': {
        const set = this.ofSort(expression.set, 'set', scope, 'the brackets [ ] need a set, but this is a relation')
        return this.node('identity', 'relation', [set])
      }
      case 'complement': {
        const operand = this.expression(expression.operand, scope)
        return this.node('complement', operand.sort, [operand])
      }
      case 'postfix': {
        const operand = this.ofSort(
          expression.operand,
          'relation',
          scope,
          `"${expression.operator}" needs a relation, but this is a set`,
        )
        switch (expression.operator) {
          case '^-1':
            return this.node('inverse', 'relation', [operand])
          case '?':
            return this.node('reflexive', 'relation', [operand])
          case '+':
            return this.node('closure', 'relation', [operand])
          case '*':
            return this.node('reflexive', 'relation', [this.node('closure', 'relation', [operand])])
        }
        break
      }
      case 'binary':
        return this.binary(expression, scope)
      case 'call':
        return this.call(expression, scope)
      case 'let-in':
        return this.expression(expression.body, this.define(expression.bindings, expression.recursive, scope))
      case 'try':
        try {
          return this.expression(expression.first, scope)
        } catch (problem) {
          if (problem instanceof Problem) return this.expression(expression.second, scope)
          throw problem
        }
    }
  }

  private named(name: string, at: Position, scope: Scope): Node {
    const meaning = scope.get(name)
    if (meaning?.kind === 'function') this.fail(at, `"${name}" is a function: it needs arguments`)
    if (meaning) return meaning.node
    if (RELATIONS.has(name)) return this.node('base', 'relation', [], name)
    if (SETS.has(name)) return this.node('base', 'set', [], name)
    const near = [...scope.keys(), ...RELATIONS, ...SETS].find((known) => known.toLowerCase() === name.toLowerCase())
    this.fail(at, `"${name}" is not defined${near ? `: did you mean "${near}"?` : ''}`)
  }

  private ofSort(expression: CatExpression, sort: Sort, scope: Scope, message: string): Node {
    const node = this.expression(expression, scope)
    if (node.operation === 'empty') return this.node('empty', sort, [])
    if (node.sort !== sort) this.fail(expression.at, message)
    return node
  }

  private binary(expression: Extract<CatExpression, { kind: 'binary' }>, scope: Scope): Node {
    const { operator, at } = expression
    if (operator === ';' || operator === '*') {
      const sort = operator === ';' ? 'relation' : 'set'
      const message =
        operator === ';'
          ? '";" composes relations, but this is a set: write [S] for the identity on a set S'
          : '"*" is the product of two sets, but this is a relation'
      const left = this.ofSort(expression.left, sort, scope, message)
      const right = this.ofSort(expression.right, sort, scope, message)
      return this.node(operator === ';' ? 'compose' : 'product', 'relation', [left, right])
    }
    let left = this.expression(expression.left, scope)
    let right = this.expression(expression.right, scope)
    if (left.operation === 'empty') left = this.node('empty', right.sort, [])
    if (right.operation === 'empty') right = this.node('empty', left.sort, [])
    if (left.sort !== right.sort)
      this.fail(at, `"${operator}" combines a ${left.sort} with a ${right.sort}: both must be of one kind`)
    const operation = operator === '|' ? 'union' : operator === '&' ? 'intersect' : 'minus'
    return this.node(operation, left.sort, [left, right])
  }

  private call(expression: Extract<CatExpression, { kind: 'call' }>, scope: Scope): Node {
    const { name, at } = expression
    if (name === 'domain' || name === 'range') {
      if (expression.arguments.length !== 1) this.fail(at, `"${name}" takes one relation`)
      return this.node(name, 'set', [
        this.ofSort(expression.arguments[0]!, 'relation', scope, `"${name}" needs a relation, but this is a set`),
      ])
    }
    if (name === 'toid' && expression.arguments.length === 1)
      return this.node('identity', 'relation', [
        this.ofSort(expression.arguments[0]!, 'set', scope, '"toid" needs a set'),
      ])
    const meaning = scope.get(name)
    if (!meaning) this.fail(at, `"${name}" is not a function that is known here`)
    if (meaning.kind !== 'function') this.fail(at, `"${name}" is a ${meaning.node.sort}, not a function`)
    const { parameters, body, scope: definedIn } = meaning.value
    if (parameters.length !== expression.arguments.length)
      this.fail(
        at,
        `"${name}" takes ${parameters.length} argument${parameters.length === 1 ? '' : 's'}, not ${expression.arguments.length}`,
      )
    const inner = new Map(definedIn)
    parameters.forEach((parameter, i) => {
      inner.set(parameter, { kind: 'node', node: this.expression(expression.arguments[i]!, scope) })
    })
    return this.expression(body, inner)
  }

  /** All of po-loc, rf, co and fr are parts of the union that must be acyclic. */
  private impliesCoherence(node: Node): boolean {
    const parts = unionParts(node)
    const base = (name: string): Node => this.node('base', 'relation', [], name)
    const [po, loc, rf, co] = [base('po'), base('loc'), base('rf'), base('co')]
    const poLoc = [this.node('intersect', 'relation', [po, loc]), this.node('intersect', 'relation', [loc, po]), po]
    const plainFr = this.node('compose', 'relation', [this.node('inverse', 'relation', [rf]), co])
    const fr = [plainFr, this.node('minus', 'relation', [plainFr, base('id')])]
    return parts.has(rf) && parts.has(co) && poLoc.some((p) => parts.has(p)) && fr.some((p) => parts.has(p))
  }

  /** `empty rmw & (fre ; coe)`, in whichever order. */
  private impliesAtomicity(node: Node): boolean {
    const { scope } = this
    const meaning = (name: string): Node => this.named(name, { file: '', line: 0, column: 0 }, scope)
    if (node.operation !== 'intersect') return false
    const rmw = this.node('base', 'relation', [], 'rmw')
    const other = node.operands.find((operand) => operand !== rmw)
    if (!node.operands.includes(rmw) || !other) return false
    return (
      other === this.node('compose', 'relation', [meaning('fre'), meaning('coe')]) ||
      other === this.node('compose', 'relation', [meaning('fr'), meaning('co')])
    )
  }
}

const unionParts = (node: Node): ReadonlySet<Node> =>
  node.operation === 'union' ? new Set(node.operands.flatMap((operand) => [...unionParts(operand)])) : new Set([node])
