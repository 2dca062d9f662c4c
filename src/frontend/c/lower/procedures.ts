// A function becomes a procedure: parameters, body, end; then what cannot matter is cleaned away.
import {
  type Edge,
  type Label,
  type Location,
  type Procedure,
  Unsupported,
  type Variable,
  varExpr,
  withoutDefinition,
} from '../../../xcfa/index.js'
import { liveAfter, liveAt } from '../../../xcfa/passes/inline/liveness.js'
import { tidy } from '../../../xcfa/passes/inline/tidy.js'
import type { CFunction, CVariable } from '../ast.js'
import { isVoid } from '../check/types.js'
import { ProcedureBuilder } from './builder.js'
import { callExitFunctions } from './calls/exit-functions.js'
import { fresh, inMemory, type UnitContext } from './context.js'
import { isRecord, scalarType } from './layout.js'
import { frameObject, isEntry, localVariable, storeTo } from './places.js'
import { functionBody, missingResult } from './statements.js'

export const lowerFunction = (unit: UnitContext, fn: CFunction): Procedure => {
  if (!fn.body) throw withoutDefinition(fn.name, fn.position)
  const b = new ProcedureBuilder(unit, fn.position)
  const parameters = declareParameters(b, fn)
  const isAtomicFunction = fn.name.startsWith('__VERIFIER_atomic_')
  if (isAtomicFunction) b.beginAtomic()
  for (const keep of parameters.map((p) => p.spill)) keep?.()
  functionBody(b, fn, fn.body)
  b.position = fn.position
  b.text = `end of ${fn.name}`
  missingResult(b)
  b.continueAt(b.exit)
  if (isEntry(b)) callExitFunctions(b)
  if (isAtomicFunction) b.endAtomic()
  if (b.live && b.depth > 0) throw new Unsupported(`an atomic block that ${fn.name} leaves open`, fn.position)
  const final = b.location({ kind: 'final', atomic: false })
  b.edge(final, [])
  return finish(
    b,
    fn,
    parameters.map((p) => p.variable),
    final,
  )
}

interface Parameter {
  readonly variable: Variable
  /** Stores the parameter into its object in memory. */
  readonly spill?: () => void
}

const declareParameters = (b: ProcedureBuilder, fn: CFunction): readonly Parameter[] => {
  const result = fn.type.result
  const hidden: Parameter[] = []
  if (isRecord(result)) {
    const address = b.local('result', b.unit.pointer)
    b.resultAddress = varExpr(address)
    hidden.push({ variable: address })
  } else if (!isVoid(result)) {
    b.result = b.local('result', scalarType(result, b.unit.target, fn.position))
  }
  const parameters = fn.parameters.map((parameter) => declareParameter(b, parameter))
  if (!fn.takesArguments) return [...hidden, ...parameters]
  b.variableArguments = b.local('arguments', b.unit.pointer)
  return [...hidden, ...parameters, { variable: b.variableArguments }]
}

const declareParameter = (b: ProcedureBuilder, parameter: CVariable): Parameter => {
  // A record comes as the address of a copy that is the callee's own.
  if (isRecord(parameter.type)) {
    const address = b.local(parameter.name, b.unit.pointer)
    b.storage.set(parameter, { kind: 'memory', address: varExpr(address) })
    return { variable: address }
  }
  const variable = localVariable(b, parameter)
  if (!inMemory(parameter)) {
    b.storage.set(parameter, { kind: 'variable', variable })
    return { variable }
  }
  const address = frameObject(b, parameter)
  b.storage.set(parameter, { kind: 'memory', address })
  return { variable, spill: () => storeTo(b, address, varExpr(variable), false) }
}

const finish = (
  b: ProcedureBuilder,
  fn: CFunction,
  parameters: readonly Variable[],
  final: Edge['target'],
): Procedure => {
  const procedure: Procedure = {
    name: fn.name,
    parameters,
    locals: b.locals,
    self: b.self,
    ...(b.result ? { result: b.result } : {}),
    locations: b.locations,
    initial: b.initial,
    final,
    edges: b.edges,
    objects: b.objects,
    // Where it is defined: a program may declare what the library defines.
    position: fn.body?.position ?? fn.position,
  }
  return tidy(withJumpedOver(withoutDeadHavocs(procedure, b.uninitialised), b))
}

/** Variables whose declaration a jump passed by are arbitrary from the start. */
const withJumpedOver = (procedure: Procedure, b: ProcedureBuilder): Procedure => {
  const known = new Set([...procedure.parameters, procedure.self, ...b.unit.frames.keys()])
  const live = liveAt(procedure).get(procedure.initial) ?? []
  const arbitrary = [...live].filter((variable) => !known.has(variable) && b.locals.includes(variable))
  if (arbitrary.length === 0) return procedure
  const initial: Location = { ...procedure.initial, id: fresh(b.unit) }
  const labels = arbitrary.map((target): Label => ({ kind: 'havoc', target }))
  const { position } = procedure
  const text = `${procedure.name} starts`
  const first: Edge = { id: fresh(b.unit), source: initial, target: procedure.initial, labels, position, text }
  return { ...procedure, initial, locations: [initial, ...procedure.locations], edges: [first, ...procedure.edges] }
}

/** An uninitialised variable that is always assigned before it is read need not be arbitrary. */
const withoutDeadHavocs = (procedure: Procedure, uninitialised: ReadonlySet<Label>): Procedure => {
  if (uninitialised.size === 0) return procedure
  const live = liveAfter(procedure)
  const isNeeded = (edge: Edge, label: Label): boolean =>
    label.kind !== 'havoc' || !uninitialised.has(label) || live(edge).has(label.target)
  return {
    ...procedure,
    edges: procedure.edges.map((edge) => ({ ...edge, labels: edge.labels.filter((label) => isNeeded(edge, label)) })),
  }
}
