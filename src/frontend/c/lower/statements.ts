// Statements: control flow as locations and edges.
import { and, cast, constant, type Expr, eq, type Location, le, Unsupported, type Value } from '../../../xcfa/index.js'
import type { CExpr, CFunction, CStatement, CVariable } from '../ast.js'
import { isVoid } from '../check/types.js'
import type { Jumps, ProcedureBuilder } from './builder.js'
import { unsupportedLabel } from './calls/intrinsics.js'
import { jumpOut, labelLocation } from './calls/jumps-out.js'
import { labelAddress } from './context.js'
import { jumpedOver } from './effects/jumped-over.js'
import { hasLabel } from './effects/purity.js'
import { isHandleOnly, isWrittenFirst } from './effects/written-first.js'
import { branch, evaluate, value } from './expressions.js'
import { declare } from './initialise.js'
import { isRecord } from './layout.js'
import { copyObject } from './places.js'
import { isAtomicRecord, recordAddress } from './records.js'

/** The body of a function; afterwards we are where it ends. */
export const functionBody = (b: ProcedureBuilder, fn: CFunction, body: CStatement): void => {
  b.jumps = {
    labels: new Map(),
    cases: new Map(),
    breakTo: undefined,
    continueTo: undefined,
    function: fn,
    body,
    jumpedOver: jumpedOver(body),
  }
  statement(b, body)
}

const jumps = (b: ProcedureBuilder): Jumps => {
  if (!b.jumps) throw new Error('statements outside a function')
  return b.jumps
}

export const statementList = (b: ProcedureBuilder, statements: readonly CStatement[]): void => {
  for (const [i, s] of statements.entries()) {
    if (s.kind !== 'declare') statement(b, s)
    else if (b.live) guarded(b, s, () => declaration(b, s.variable, s, statements.slice(i + 1)))
  }
}

const declaration = (
  b: ProcedureBuilder,
  variable: CVariable,
  s: CStatement & { kind: 'declare' },
  rest: readonly CStatement[],
): void => {
  const skips = !s.initializer && (isWrittenFirst(variable, rest) || isHandleOnly(variable, jumps(b).body))
  declare(b, variable, s.initializer, skips)
}

const statement = (b: ProcedureBuilder, s: CStatement): void => {
  if (!b.live && !hasLabel(s)) return
  const outer = { position: b.position, text: b.text }
  b.position = s.position
  b.text = s.text
  lower(b, s)
  b.position = outer.position
  b.text = outer.text
}

const lower = (b: ProcedureBuilder, s: CStatement): void => {
  switch (s.kind) {
    case 'expression':
      guarded(b, s, () => evaluate(b, s.expression))
      return
    case 'declare':
      guarded(b, s, () => declaration(b, s.variable, s, []))
      return
    case 'block':
      statementList(b, s.body)
      return
    case 'if':
      ifStatement(b, s)
      return
    case 'while':
      loop(b, { condition: s.condition, body: s.body, step: undefined, text: s.text })
      return
    case 'do':
      doLoop(b, s)
      return
    case 'for':
      statementList(b, s.init)
      loop(b, { condition: s.condition, body: s.body, step: s.step, text: s.text })
      return
    case 'switch':
      switchStatement(b, s)
      return
    case 'case':
    case 'default':
      b.continueAtLabel(jumps(b).cases.get(s) ?? outside(s))
      statement(b, s.body)
      return
    case 'label':
      b.continueAtLabel(labelLocation(b, s.name))
      statement(b, s.body)
      return
    case 'goto':
      if (s.out) {
        guarded(b, s, () => jumpOut(b, s.out!, s.label))
        return
      }
      passDeclarations(b, s)
      b.goto(labelLocation(b, s.label))
      return
    case 'computedGoto':
      guarded(b, s, () => computedGoto(b, s))
      return
    case 'break':
      b.goto(jumps(b).breakTo ?? outside(s))
      return
    case 'continue':
      b.goto(jumps(b).continueTo ?? outside(s))
      return
    case 'return':
      guarded(b, s, () => returnStatement(b, s.value))
      return
    case 'empty':
      return
    case 'unsupported':
      guarded(b, s, () => {
        throw new Unsupported(s.what, s.position)
      })
      return
  }
}

const outside = (s: CStatement): never => {
  throw new Unsupported(`${s.kind} outside of its statement`, s.position)
}

/** What is not modelled counts only if it is reached: the place says so, and goes no further. */
const guarded = (b: ProcedureBuilder, s: CStatement, work: () => void): void => {
  const { depth, sync, position, text } = b
  b.position = s.position
  b.text = s.text
  try {
    work()
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error
    b.depth = depth
    b.sync = sync
    b.position = error.position
    b.emit(unsupportedLabel(error.what, error.lacks))
    b.live = false
  }
  b.position = position
  b.text = text
}

/** What a jump brings to life without its declaration holds any value. */
const passDeclarations = (b: ProcedureBuilder, jump: CStatement): void => {
  for (const variable of jumps(b).jumpedOver.get(jump) ?? [])
    if (!isHandleOnly(variable, jumps(b).body)) guarded(b, jump, () => declare(b, variable, undefined, false))
}

/** One of the labels whose address the function takes; anything else is undefined. */
const computedGoto = (b: ProcedureBuilder, s: CStatement & { kind: 'computedGoto' }): void => {
  const target = b.stable(value(b, s.target))
  passDeclarations(b, s)
  const { function: fn } = jumps(b)
  for (const name of fn.addressedLabels ?? []) {
    const otherwise = b.pin()
    b.branch(eq(target, labelAddress(b.unit, fn, name)), labelLocation(b, name), otherwise)
    b.continueAt(otherwise)
  }
  b.halt({ kind: 'undefined', text: 'goto to no label of this function' })
}

// ---- branches and loops

const ifStatement = (b: ProcedureBuilder, s: CStatement & { kind: 'if' }): void => {
  const [then, otherwise, next] = [b.pin(), b.pin(), b.pin()]
  const { sync } = b
  branch(b, s.condition, then, otherwise)
  b.continueAt(then)
  statement(b, s.then)
  b.goto(next)
  b.sync = sync
  b.continueAt(otherwise)
  if (s.else) statement(b, s.else)
  b.continueAt(next)
  b.sync = b.depth > 0 ? sync : undefined
}

interface Loop {
  readonly condition: CExpr | undefined
  readonly body: CStatement
  readonly step: CExpr | undefined
  readonly text: string
}

const loop = (b: ProcedureBuilder, { condition, body, step, text }: Loop): void => {
  const [head, enter, next, exit] = [b.pin(), b.pin(), b.pin(), b.pin()]
  continueAtHead(b, head, body)
  if (condition) branch(b, condition, enter, exit)
  else b.goto(enter)
  b.continueAt(enter)
  withJumps(b, exit, next, () => statement(b, body))
  b.continueAt(next)
  b.text = text
  if (step) evaluate(b, step)
  b.goto(head)
  b.continueAt(exit)
}

/** A jump into the body comes to the head by the way back, even if nothing comes to it from above. */
const continueAtHead = (b: ProcedureBuilder, head: Location, body: CStatement): void => {
  if (hasLabel(body)) b.continueAtLabel(head)
  else b.continueAt(head)
}

const doLoop = (b: ProcedureBuilder, s: CStatement & { kind: 'do' }): void => {
  const [head, test, exit] = [b.pin(), b.pin(), b.pin()]
  continueAtHead(b, head, s.body)
  withJumps(b, exit, test, () => statement(b, s.body))
  b.continueAt(test)
  branch(b, s.condition, head, exit)
  b.continueAt(exit)
}

const withJumps = (
  b: ProcedureBuilder,
  breakTo: Location,
  continueTo: Location | undefined,
  work: () => void,
): void => {
  const current = jumps(b)
  const outer = { breakTo: current.breakTo, continueTo: current.continueTo }
  current.breakTo = breakTo
  if (continueTo) current.continueTo = continueTo
  work()
  current.breakTo = outer.breakTo
  current.continueTo = outer.continueTo
}

// ---- switch

type Case = CStatement & { kind: 'case' | 'default' }

/** A chain of comparisons, then the body with its labels. */
const switchStatement = (b: ProcedureBuilder, s: CStatement & { kind: 'switch' }): void => {
  const exit = b.pin()
  const cases = casesOf(s.body)
  for (const c of cases) jumps(b).cases.set(c, b.pin())
  const subject = b.stable(value(b, s.value))
  passDeclarations(b, s)
  for (const c of cases) {
    if (c.kind === 'default') continue
    const otherwise = b.pin()
    b.branch(matches(subject, c.low, c.high), jumps(b).cases.get(c)!, otherwise)
    b.continueAt(otherwise)
  }
  const fallback = cases.find((c) => c.kind === 'default')
  b.goto(fallback ? jumps(b).cases.get(fallback)! : exit)
  withJumps(b, exit, undefined, () => statement(b, s.body))
  b.continueAt(exit)
}

const matches = (subject: Expr, low: Value, high: Value): Expr => {
  const [least, most] = [constant(subject.type, low), constant(subject.type, high)]
  return low === high ? eq(subject, least) : and(le(least, subject), le(subject, most))
}

const casesOf = (s: CStatement): readonly Case[] => {
  switch (s.kind) {
    case 'case':
    case 'default':
      return [s, ...casesOf(s.body)]
    case 'block':
      return s.body.flatMap(casesOf)
    case 'if':
      return [...casesOf(s.then), ...(s.else ? casesOf(s.else) : [])]
    case 'while':
    case 'do':
    case 'for':
    case 'label':
      return casesOf(s.body)
    default:
      return []
  }
}

// ---- return

const returnStatement = (b: ProcedureBuilder, e: CExpr | undefined): void => {
  if (e && b.resultAddress && isRecord(e.type))
    copyObject(b, recordAddress(b, e), b.resultAddress, e.type, { from: isAtomicRecord(e) })
  else if (e && b.result && !isVoid(e.type)) b.assign(b.result, cast(b.result.type, value(b, e)))
  else if (e) evaluate(b, e)
  b.goto(b.exit)
}

/** Falling off the end of a function that returns something: to use the value is undefined (C11 6.9.1p12); it is 0. */
export const missingResult = (b: ProcedureBuilder): void => {
  if (b.result && b.live) b.assign(b.result, constant(b.result.type, 0))
}
