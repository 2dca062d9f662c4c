// Whether two threads may join each other, which the C library tells one of them (EDEADLK), and which costs states and
// executions that other programs need not have. They cannot if every thread but main joins only those that it has
// started itself: of two threads, one has not started the other.
import type { CExpr, CFunction, CProgram, CStatement, CVariable } from './ast.js'
import { subexpressions } from './lower/effects/purity.js'
import { expressionsOf, substatements } from './lower/effects/written-first.js'

const isLibrary = ({ position }: CFunction): boolean => position.file.startsWith('<')

/** A thread begins in a function whose address is taken: does one of those lead to a join of somebody else's thread? */
export const otherThreadsJoin = ({ functions }: CProgram): boolean => {
  const reached = new Set([...functions.values()].filter((f) => f.addressTaken && !isLibrary(f)))
  for (const { body } of reached)
    for (const used of body ? functionsIn(body) : [])
      if (isJoin(used) && !joinsOwnOnly(body!)) return true
      else if (!isJoin(used)) reached.add(used)
  return false
}

const isJoin = ({ name }: CFunction): boolean => name === 'pthread_join' || name === 'thrd_join'
const isStart = ({ name }: CFunction): boolean => name === 'pthread_create' || name === 'thrd_create'

/** Handles are local variables without a value that occur nowhere but as what a start writes and a join reads. */
const joinsOwnOnly = (body: CStatement): boolean => {
  const all = expressionsWithin(body)
  const named = all.filter((e) => e.kind === 'function' && isJoin(e.function)).length
  const calls = all.flatMap((e) =>
    e.kind === 'call' && e.callee.kind === 'address' && e.callee.lvalue.kind === 'function'
      ? [{ callee: e.callee.lvalue.function, handle: e.args[0] }]
      : e.kind === 'call' && e.callee.kind === 'function'
        ? [{ callee: e.callee.function, handle: e.args[0] }]
        : [],
  )
  const joins = calls.filter(({ callee }) => isJoin(callee))
  const declared = new Set(declarationsIn(body))
  const occurrences = (list: readonly CExpr[], v: CVariable): number =>
    list.filter((e) => e.kind === 'variable' && e.variable === v).length
  const handles = calls
    .filter(({ callee }) => isJoin(callee) || isStart(callee))
    .flatMap(({ handle }) => (handle ? withSubexpressions(handle) : []))
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

const expressionsWithin = (s: CStatement): readonly CExpr[] => [
  ...expressionsOf(s).flatMap(withSubexpressions),
  ...substatements(s).flatMap(expressionsWithin),
]

const functionsIn = (s: CStatement): readonly CFunction[] =>
  expressionsWithin(s).flatMap((e) => (e.kind === 'function' ? [e.function] : []))
