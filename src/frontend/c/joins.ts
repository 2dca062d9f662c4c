// Whether two threads may join each other, which the C library tells one of them (EDEADLK), and which costs states and
// executions that other programs need not have. They cannot if every thread but main joins only those that it has
// started itself: of two threads, one has not started the other. Nor can they if no function whose threads join those of a
// second one has threads that are joined by those.
import { isLibrary } from '../../xcfa/index.js'
import type { CExpr, CFunction, CProgram, CStatement, CVariable } from './ast.js'
import { subexpressions } from './lower/effects/purity.js'
import { expressionsOf, substatements } from './lower/effects/written-first.js'

/** The functions whose threads may be joined; `any`: that is not known. */
type Joined = ReadonlySet<CFunction> | 'any'

/** A thread begins in a function whose address is taken. */
export const otherThreadsJoin = (program: CProgram): boolean => {
  const starts = [...program.functions.values()].filter((f) => f.addressTaken && !isLibrary(f.position))
  const handles = new Handles(program)
  const joined = new Map(starts.map((start) => [start, joinedFrom(start, handles)]))
  const joins = (one: CFunction, other: CFunction): boolean => {
    const known = joined.get(one) ?? 'any'
    return known === 'any' || known.has(other)
  }
  return starts.some((one) => {
    const known = joined.get(one)!
    return known === 'any' || [...known].some((other) => joins(other, one))
  })
}

/** Whom a function, or one that it leads to, joins, its own children aside. */
const joinedFrom = (start: CFunction, handles: Handles): Joined => {
  const reached = new Set([start])
  const joined = new Set<CFunction>()
  for (const { body } of reached) {
    if (!body) continue
    for (const used of functionsIn(body)) if (!isJoin(used)) reached.add(used)
    if (joinsOwnOnly(body)) continue
    const found = handles.joinedIn(body)
    if (found === 'any') return 'any'
    for (const each of found) joined.add(each)
  }
  return joined
}

/** What is known of the variables that hold handles, from the whole program. */
class Handles {
  private readonly calls: readonly HandleCall[]
  /** All occurrences of variables but as what a start writes and a join reads. */
  private readonly elsewhere = new Set<CVariable>()

  constructor({ functions, variables }: CProgram) {
    const bodies = [...functions.values()]
      .filter((f) => !isLibrary(f.position))
      .flatMap(({ body }) => (body ? [body] : []))
    const all = [
      ...bodies.flatMap(expressionsWithin),
      ...variables.flatMap(({ initializer = [] }) => initializer.flatMap(({ value }) => withSubexpressions(value))),
    ]
    this.calls = callsIn(all)
    const asHandles = new Set(this.calls.flatMap(({ handle }) => (handle ? withSubexpressions(handle) : [])))
    for (const e of all) if (e.kind === 'variable' && !asHandles.has(e)) this.elsewhere.add(e.variable)
  }

  joinedIn(body: CStatement): Joined {
    const all = expressionsWithin(body)
    const joins = callsIn(all).filter(({ callee }) => isJoin(callee))
    if (joins.length !== all.filter((e) => e.kind === 'function' && isJoin(e.function)).length) return 'any'
    const joined = joins.map(({ handle }) => this.startedInto(handle))
    return joined.includes('any') ? 'any' : new Set(joined.flatMap((each) => [...each] as CFunction[]))
  }

  /** The functions of the threads whose handles a variable may hold. */
  private startedInto(handle: CExpr | undefined): Joined {
    const variable = handle && handleOf(handle)
    if (variable?.storage !== 'static' || variable.initializer || this.elsewhere.has(variable)) return 'any'
    const started = this.calls
      .filter((call) => isStart(call.callee) && call.handle && handleOf(call.handle) === variable)
      .map(({ run }) => run)
    return started.includes(undefined) ? 'any' : new Set(started as CFunction[])
  }
}

/** A call that starts or joins a thread. */
interface HandleCall {
  readonly callee: CFunction
  readonly handle: CExpr | undefined
  /** What a start runs, if it says so. */
  readonly run: CFunction | undefined
}

const callsIn = (all: readonly CExpr[]): readonly HandleCall[] =>
  all.flatMap((e) => {
    const callee = e.kind === 'call' ? namedFunction(e.callee) : undefined
    if (e.kind !== 'call' || !callee || !(isJoin(callee) || isStart(callee))) return []
    const run = e.args[callee.name === 'thrd_create' ? 1 : 2]
    return [{ callee, handle: e.args[0], run: run && namedFunction(run) }]
  })

export const namedFunction = (e: CExpr): CFunction | undefined => {
  if (e.kind === 'function') return e.function
  if (e.kind === 'address' && e.lvalue.kind === 'function') return e.lvalue.function
  return e.kind === 'cast' ? namedFunction(e.operand) : undefined
}

const isJoin = ({ name }: CFunction): boolean => name === 'pthread_join' || name === 'thrd_join'
const isStart = ({ name }: CFunction): boolean => name === 'pthread_create' || name === 'thrd_create'

/** Handles are local variables without a value that occur nowhere but as what a start writes and a join reads. */
const joinsOwnOnly = (body: CStatement): boolean => {
  const all = expressionsWithin(body)
  const named = all.filter((e) => e.kind === 'function' && isJoin(e.function)).length
  const calls = callsIn(all)
  const joins = calls.filter(({ callee }) => isJoin(callee))
  const declared = new Set(declarationsIn(body))
  const occurrences = (list: readonly CExpr[], v: CVariable): number =>
    list.filter((e) => e.kind === 'variable' && e.variable === v).length
  const handles = calls.flatMap(({ handle }) => (handle ? withSubexpressions(handle) : []))
  return (
    joins.length === named &&
    joins.every(({ handle }) => {
      const variable = handle && handleOf(handle)
      return (
        variable !== undefined &&
        declared.has(variable) &&
        occurrences(all, variable) === occurrences(handles, variable)
      )
    })
  )
}

/** The variable, or the array, whose value an expression is. */
const handleOf = (e: CExpr): CVariable | undefined => {
  switch (e.kind) {
    case 'variable':
      return e.variable
    case 'load':
    case 'address':
      return handleOf(e.lvalue)
    case 'deref':
    case 'pointerAdd':
      return handleOf(e.pointer)
    default:
      return undefined
  }
}

const declarationsIn = (s: CStatement): readonly CVariable[] => [
  ...(s.kind === 'declare' && s.initializer === undefined && s.variable.storage === 'auto' ? [s.variable] : []),
  ...substatements(s).flatMap(declarationsIn),
]

const withSubexpressions = (e: CExpr): readonly CExpr[] => [
  e,
  ...(e.kind === 'statements' ? e.body.flatMap(expressionsWithin) : []),
  ...subexpressions(e).flatMap(withSubexpressions),
]

export const expressionsWithin = (s: CStatement): readonly CExpr[] => [
  ...expressionsOf(s).flatMap(withSubexpressions),
  ...substatements(s).flatMap(expressionsWithin),
]

const functionsIn = (s: CStatement): readonly CFunction[] =>
  expressionsWithin(s).flatMap((e) => (e.kind === 'function' ? [e.function] : []))
