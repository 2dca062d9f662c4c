// Builds the automaton of one procedure, edge after edge. It keeps where the next edge starts, whether that place can
// be reached, how many atomic blocks are open there, and which C statement is being lowered.
import {
  type Edge,
  type Expr,
  type Halt,
  type Label,
  type Location,
  type MemoryObject,
  not,
  type Position,
  type Sync,
  type Type,
  Unsupported,
  type Variable,
  type Violation,
  varExpr,
  variablesOf,
} from '../../../xcfa/index.js'
import type { CFunction, CStatement, CVariable } from '../ast.js'
import { fresh, type Storage, type UnitContext } from './context.js'
import type { JumpedOver } from './effects/jumped-over.js'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export const ATOMIC: Sync = { kind: 'atomic' }

/** Where jumps lead. */
export interface Jumps {
  readonly labels: Map<string, Location>
  readonly cases: Map<CStatement, Location>
  breakTo: Location | undefined
  continueTo: Location | undefined
  readonly function: CFunction
  readonly jumpedOver: JumpedOver
  /** What is to be executed when blocks are left, that of the innermost block last. */
  readonly cleanups: CStatement[]
  /** How many of them stay where `break` and `continue` lead. */
  breakDepth: number
  continueDepth: number
  /** The function's body, for questions about all uses of a variable. */
  readonly body: CStatement
}

export class ProcedureBuilder {
  readonly locations: Location[] = []
  readonly edges: Mutable<Edge>[] = []
  readonly locals: Variable[] = []
  readonly objects: MemoryObject[] = []
  readonly storage = new Map<CVariable, Storage>()
  /** Havocs of uninitialised variables: those that nobody reads are dropped at the end. */
  readonly uninitialised = new Set<Label>()
  readonly self: Variable
  readonly initial: Location
  readonly exit: Location
  result: Variable | undefined
  /** For a function that returns a record: where the caller wants it. */
  resultAddress: Expr | undefined
  /** The address of the arguments beyond the prototype, where the function takes them. */
  variableArguments: Variable | undefined
  jumps: Jumps | undefined

  here: Location
  live = true
  depth = 0
  sync: Sync | undefined
  /** The order of the atomic store that is being lowered, if it is weaker than sequential consistency. */
  order: Sync['order']
  /** The C11 orders of the atomic operation that is being lowered, and whether its access is being made now. */
  orders: Pick<Sync, 'c11' | 'c11Failure'> | undefined
  accessing = false
  text = ''
  /** How many choices of an order of evaluation are open. */
  nestedOrders = 0
  /** In __heddle_thread_address: the thread whose instances of thread-local objects are meant, instead of this one. */
  thread: Expr | undefined

  private readonly temporaries = new Set<Variable>()
  private readonly depths = new Map<Location, number>()
  /** Places that jumps may still lead to: they stay as they are when an atomic block ends. */
  private readonly pinned = new Set<Location>()

  constructor(
    readonly unit: UnitContext,
    public position: Position,
  ) {
    this.self = this.local('self', { kind: 'int', width: 32, signed: false })
    this.initial = this.location()
    this.here = this.initial
    this.exit = this.pin()
  }

  // ---- variables

  local(name: string, type: Type): Variable {
    const variable: Variable = { id: fresh(this.unit), name, type, scope: 'local', initial: 0 }
    this.locals.push(variable)
    return variable
  }

  /** Assigned at one place only, before every use. */
  temporary(type: Type): Variable {
    const variable = this.local(`t${this.temporaries.size + 1}`, type)
    this.temporaries.add(variable)
    return variable
  }

  /** Whether the expression keeps its value whatever is executed before it is used. */
  isStable(e: Expr): boolean {
    for (const variable of variablesOf(e))
      if (!this.temporaries.has(variable) && variable !== this.self && !this.unit.frames.has(variable)) return false
    return true
  }

  /** The value that the expression has now. */
  stable(e: Expr): Expr {
    if (this.isStable(e)) return e
    const variable = this.temporary(e.type)
    this.emit({ kind: 'assign', target: variable, value: e })
    return varExpr(variable)
  }

  // ---- places

  location(rest: Partial<Location> = {}): Location {
    const location: Location = {
      id: fresh(this.unit),
      kind: 'plain',
      atomic: this.depth > 0,
      position: this.position,
      ...rest,
    }
    this.locations.push(location)
    return location
  }

  /** A place that jumps lead to. Its depth of atomic blocks is that of the first arrival. */
  pin(): Location {
    const location = this.location()
    this.pinned.add(location)
    return location
  }

  /** Goes on at this place, also by falling through from where we are. */
  continueAt(location: Location): void {
    this.goto(location)
    this.here = location
    const depth = this.depths.get(location)
    this.live = depth !== undefined
    if (depth !== undefined) this.depth = depth
  }

  /** Goes on at a place that later jumps may lead to. */
  continueAtLabel(location: Location): void {
    this.continueAt(location)
    if (!this.live) this.arrive(location)
    this.live = true
  }

  private arrive(location: Location): void {
    const known = this.depths.get(location)
    if (known === undefined) {
      this.depths.set(location, this.depth)
      if (location.kind === 'plain') (location as Mutable<Location>).atomic = this.depth > 0
    } else if (known !== this.depth && location.kind === 'plain') {
      throw new Unsupported('an atomic block that begins or ends on some paths only', this.position)
    }
  }

  // ---- edges

  /** An edge to a fresh place. */
  emit(...labels: readonly Label[]): void {
    this.step(labels)
  }

  step(labels: readonly Label[], sync?: Sync): void {
    if (!this.live) return
    const target = this.location()
    this.depths.set(target, this.depth)
    this.edge(target, labels, sync)
    this.here = target
  }

  edge(target: Location, labels: readonly Label[], sync?: Sync): void {
    if (!this.live) return
    const plain = this.depth > 0 ? (this.sync ?? ATOMIC) : sync && this.order ? { ...sync, order: this.order } : sync
    const tag = plain && this.accessing ? { ...plain, ...this.orders } : plain
    this.edges.push({
      id: fresh(this.unit),
      source: this.here,
      target,
      labels,
      position: this.position,
      text: this.text,
      ...(tag ? { sync: tag } : {}),
    })
  }

  /** Jumps; what follows is reached only by other ways. */
  goto(target: Location): void {
    if (this.live) {
      this.arrive(target)
      this.edge(target, [])
    }
    this.live = false
  }

  /** One of two ways, and on from where both end; `split` leads to where they begin. */
  either(
    split: (whenTrue: Location, whenFalse: Location) => void,
    whenTrue: (whenFalse: Location) => void,
    whenFalse: () => void,
  ): void {
    const [first, second, next] = [this.pin(), this.pin(), this.pin()]
    split(first, second)
    this.continueAt(first)
    whenTrue(second)
    this.goto(next)
    this.continueAt(second)
    whenFalse()
    this.continueAt(next)
  }

  branch(condition: Expr, then: Location, otherwise: Location): void {
    if (condition.kind === 'const') {
      this.goto(condition.value === 0 ? otherwise : then)
      return
    }
    if (this.live) {
      this.arrive(then)
      this.arrive(otherwise)
      this.edge(then, [{ kind: 'assume', condition }])
      this.edge(otherwise, [{ kind: 'assume', condition: not(condition) }])
    }
    this.live = false
  }

  /** Two ways, both possible. */
  choose(then: Location, otherwise: Location): void {
    if (this.live) {
      this.arrive(then)
      this.arrive(otherwise)
      this.edge(then, [])
      this.edge(otherwise, [])
    }
    this.live = false
  }

  violate(violation: Violation): void {
    this.goto(this.errorLocation(violation))
  }

  halt(reason: Halt): void {
    this.goto(this.haltLocation(reason))
  }

  errorLocation(violation: Violation): Location {
    return this.location({ kind: 'error', violation })
  }

  haltLocation(reason: Halt): Location {
    // Who ends inside an atomic block ends there: nobody sees the half of it. Undefined behaviour promises nothing.
    return this.location({ kind: 'halt', atomic: reason.kind !== 'undefined' && this.depth > 0, reason })
  }

  /** Stops here unless the condition holds. */
  require(condition: Expr, otherwise: () => Location): void {
    if (condition.kind === 'const' && condition.value !== 0) return
    const next = this.pin()
    this.branch(condition, next, otherwise())
    this.continueAt(next)
  }

  // ---- atomic blocks

  beginAtomic(): void {
    this.depth++
  }

  endAtomic(): void {
    if (this.depth === 0) {
      // An end without a begin does nothing; dead code may have lost count.
      return
    }
    this.depth--
    if (this.depth > 0) return
    this.sync = undefined
    if (!this.live || !this.here.atomic) return
    if (this.pinned.has(this.here)) {
      this.emit()
    } else {
      ;(this.here as Mutable<Location>).atomic = false
      this.depths.set(this.here, 0)
    }
  }

  /** One atomic step, whatever it takes. */
  atomically(work: () => void, sync?: Sync): void {
    const outer = this.sync
    this.beginAtomic()
    if (sync && this.depth === 1) this.sync = sync
    work()
    this.endAtomic()
    this.sync = outer
  }

  /** Inside an atomic block whose first step this is: a place of its own, so that the block is open there. */
  enterAtomic(): void {
    if (this.depth > 0 && !this.here.atomic) this.emit()
  }

  // ---- results in variables

  /**
   * target := value. Where the last edge just computed the value into a temporary, it computes into the target at once.
   */
  assign(target: Variable, value: Expr): void {
    if (value.kind === 'var' && this.retarget(value.variable, target)) return
    this.step([{ kind: 'assign', target, value }], target.atomic ? ATOMIC : undefined)
  }

  private retarget(temporary: Variable, target: Variable): boolean {
    const last = this.edges.at(-1)
    if (!this.live || !last || last.target !== this.here || !this.temporaries.has(temporary)) return false
    if (target.scope !== 'local' || target.type !== temporary.type) return false
    const label = last.labels.at(-1)
    if (!label || !('target' in label) || label.target !== temporary || label.kind === 'primitive') return false
    last.labels = [...last.labels.slice(0, -1), { ...label, target }]
    return true
  }
}
