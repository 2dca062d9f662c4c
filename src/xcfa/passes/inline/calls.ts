// Calls and starts inside a copy: by name, by a constant address, or one way for each function that it may be.
import {
  and,
  cast,
  constant,
  type Expr,
  eq,
  isLibrary,
  type Label,
  type Location,
  ne,
  type Procedure,
  sameType,
  Unsupported,
  type Variable,
  varExpr,
} from '../../index.js'
import { copyProcedure } from './copy.js'
import {
  cutAt,
  edge,
  type Frame,
  failureOf,
  freshVariable,
  type Growth,
  haltLocation,
  location,
  procedureNamed,
  type Site,
} from './growth.js'
import { DEFAULT_DEPTH, type Inliner, THREAD_EPILOGUE, templateName } from './inline.js'

// ---- calls

/** Whoever asks for less depth than usual does not want this much either. */
const KNOWN_DEPTH = 512

export const expandCall = (
  growth: Growth,
  label: Label & { kind: 'call' },
  source: Location,
  target: Location,
  site: Site,
  frame: Frame,
): void => {
  const { inliner } = growth
  if (typeof label.callee === 'string') {
    expandCallee(growth, label.callee, label, source, target, site, frame)
    return
  }
  const address = label.callee
  if (address.kind === 'const') {
    const name = inliner.functionAt.get(Number(address.value))
    if (name !== undefined) {
      expandCallee(growth, name, label, source, target, site, frame)
      return
    }
    const halt = haltLocation(
      growth,
      { kind: 'undefined', text: 'call of no function', violates: 'deref' },
      site.position,
    )
    edge(growth, source, halt, [], site)
    return
  }
  for (const name of label.candidates) {
    const start = location(growth, source.atomic, site.position)
    edge(growth, source, start, [{ kind: 'assume', condition: isFunction(inliner, address, name) }], site)
    expandCallee(growth, name, label, start, target, site, frame)
  }
  edge(
    growth,
    source,
    haltLocation(
      growth,
      { kind: 'undefined', text: 'call of no function of this type', violates: 'deref' },
      site.position,
    ),
    [{ kind: 'assume', condition: isNone(inliner, address, label.candidates) }],
    site,
  )
}

const isFunction = (inliner: Inliner, address: Expr, name: string): Expr =>
  eq(address, constant(address.type, inliner.addressOf.get(name) ?? 0))

const isNone = (inliner: Inliner, address: Expr, names: readonly string[]): Expr =>
  and(...names.map((name) => ne(address, constant(address.type, inliner.addressOf.get(name) ?? 0))))

const expandCallee = (
  growth: Growth,
  name: string,
  label: Label & { kind: 'call' },
  source: Location,
  target: Location,
  site: Site,
  frame: Frame,
): void => {
  const { inliner } = growth
  if (name === THREAD_EPILOGUE && !inliner.unit.procedures.has(name)) {
    edge(growth, source, target, [], site)
    return
  }
  const problem = failureOf(inliner, name, site.position) ?? tooDeep(inliner, name, label, site, frame)
  if (problem) {
    cutAt(growth, problem, source, site)
    return
  }
  const procedure = procedureNamed(inliner, name, site.position)
  const { element } = label
  const here = frame.site ?? { position: site.position, text: site.text, ...(element ? { element } : {}) }
  const { exit, result } = resultPlace(growth, procedure, label.target, target, site, source.atomic)
  copyProcedure(growth, procedure, label.args, source, {
    stack: frame.stack,
    atomic: source.atomic,
    sync: site.sync,
    site: isLibrary(procedure.position) ? here : undefined,
    exit,
    target: result,
  })
}

const tooDeep = (
  { recursionLimit }: Inliner,
  name: string,
  label: Label & { kind: 'call' },
  site: Site,
  frame: Frame,
): Unsupported | undefined => {
  const depth = frame.stack.filter((open) => open === name).length
  const isKnown = recursionLimit >= DEFAULT_DEPTH && label.args.some((arg) => arg.kind === 'const')
  const limit = isKnown ? KNOWN_DEPTH : recursionLimit
  return depth > limit ? new Unsupported(`recursion of ${name} deeper than ${limit}`, site.position) : undefined
}

/** Where the copy ends and what takes its result: the call's own target, unless their types differ. */
const resultPlace = (
  growth: Growth,
  procedure: Procedure,
  target: Variable | undefined,
  next: Location,
  site: Site,
  atomic: boolean,
): { readonly exit: Location; readonly result: Variable | undefined } => {
  const { result } = procedure
  if (!target || (result && sameType(result.type, target.type))) return { exit: next, result: target }
  const exit = location(growth, atomic, site.position)
  const own = result ? freshVariable(growth, result) : undefined
  const label: Label = own
    ? { kind: 'assign', target, value: cast(target.type, varExpr(own)) }
    : { kind: 'assign', target, value: constant(target.type, 0) }
  edge(growth, exit, next, [label], site)
  return { exit, result: own }
}

// ---- starts

/** A start through a pointer becomes one edge for each function that it may be. */
export const expandStarts = (
  growth: Growth,
  labels: readonly Label[],
  source: Location,
  target: Location,
  site: Site,
): void => {
  const at = labels.findIndex((label) => label.kind === 'primitive' && label.name === 'start')
  const label = labels[at]
  if (label?.kind !== 'primitive') {
    edge(growth, source, target, labels, site)
    return
  }
  const { inliner } = growth
  const [address, arg] = [label.args[0]!, label.args[1]!]
  const [before, after] = [labels.slice(0, at), labels.slice(at + 1)]
  const start = (name: string, guards: readonly Label[]): void => {
    const problem = failureOf(inliner, name, site.position)
    if (problem) {
      cutAt(growth, problem, source, site, [...before, ...guards])
      return
    }
    inliner.threads.add(name)
    const procedure = templateName(inliner.unit, name)
    const started: Label = { kind: 'start', target: label.target!, procedure, args: [arg] }
    edge(growth, source, target, [...before, ...guards, started, ...after], tagged)
  }
  const tagged: Site = { ...site, sync: site.sync && site.sync.kind !== 'atomic' ? site.sync : { kind: 'start' } }
  const stop = (condition: readonly Label[]): void => {
    const halt = haltLocation(
      growth,
      { kind: 'undefined', text: 'start of no function', violates: 'deref' },
      site.position,
    )
    edge(growth, source, halt, [...before, ...condition], tagged)
  }
  if (address.kind === 'const') {
    const name = inliner.functionAt.get(Number(address.value))
    if (name === undefined) {
      stop([])
      return
    }
    start(name, [])
    return
  }
  const names = threadFunctions(inliner)
  for (const name of names) start(name, [{ kind: 'assume', condition: isFunction(inliner, address, name) }])
  stop([{ kind: 'assume', condition: isNone(inliner, address, names) }])
}

/** Functions of one pointer, or of nothing, whose address is used. */
const threadFunctions = (inliner: Inliner): readonly string[] =>
  [...inliner.addressOf.keys()].filter((name) => {
    const parameters = inliner.unit.procedures.get(name)?.parameters
    return (
      parameters === undefined ||
      parameters.length === 0 ||
      (parameters.length === 1 && parameters[0]!.type.kind === 'pointer')
    )
  })
