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
import { isHandleOnly, isWrittenFirst, substatements } from './effects/written-first.js'
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
    cleanups: [],
    breakDepth: 0,
    continueDepth: 0,
  }
  statement(b, body)
}

const jumps = (b: ProcedureBuilder): Jumps => {
  if (!b.jumps) throw new Error('statements outside a function')
  return b.jumps
}

/** The statements of a block, what else belongs to it, and what is to be done when it is left. */
export const statementList = <T = void>(
  b: ProcedureBuilder,
  statements: readonly CStatement[],
  last: () => T = () => undefined as T,
): T => {
  const { cleanups } = jumps(b)
  const depth = cleanups.length
  for (const [i, s] of statements.entries()) {
    if (isCleanup(s)) cleanups.push(s)
    else if (s.kind !== 'declare') statement(b, s)
    else if (b.live) guarded(b, s, () => declaration(b, s.variable, s, statements.slice(i + 1)))
  }
  const result = last()
  cleanUp(b, cleanups.slice(depth))
  cleanups.length = depth
  return result
}

export const isCleanup = (s: CStatement): boolean => s.kind === 'expression' && s.isCleanup === true

/** The last declared comes first. */
const cleanUp = (b: ProcedureBuilder, cleanups: readonly CStatement[]): void => {
  for (const s of cleanups.toReversed()) if (b.live) statement(b, s)
}

/** A jump leaves the blocks that its label is not in. */
const cleanUpBefore = (b: ProcedureBuilder, label: string): void => {
  const { cleanups, body } = jumps(b)
  if (cleanups.length === 0) return
  const around = cleanupsAround(body, label)
  if (!around) refuseCleanups(b)
  cleanUp(
    b,
    cleanups.filter((one) => !around?.includes(one)),
  )
}

/** Of the blocks around a label, those that stand before it; undefined: it is not in the statement. */
const cleanupsAround = (s: CStatement, label: string): readonly CStatement[] | undefined => {
  if (s.kind === 'label' && s.name === label) return []
  const parts = substatements(s)
  for (const [i, part] of parts.entries()) {
    const inside = cleanupsAround(part, label)
    if (inside)
      return s.kind === 'block' || s.kind === 'for' ? [...parts.slice(0, i).filter(isCleanup), ...inside] : inside
  }
  return undefined
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
      statementList(b, s.init, () => loop(b, { condition: s.condition, body: s.body, step: s.step, text: s.text }))
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
        guarded(b, s, () => {
          refuseCleanups(b)
          jumpOut(b, s.out!, s.label)
        })
        return
      }
      guarded(b, s, () => {
        cleanUpBefore(b, s.label)
        passDeclarations(b, s)
        b.goto(labelLocation(b, s.label))
      })
      return
    case 'computedGoto':
      guarded(b, s, () => computedGoto(b, s))
      return
    case 'break':
      cleanUp(b, jumps(b).cleanups.slice(jumps(b).breakDepth))
      b.goto(jumps(b).breakTo ?? outside(s))
      return
    case 'continue':
      cleanUp(b, jumps(b).cleanups.slice(jumps(b).continueDepth))
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

const refuseCleanups = (b: ProcedureBuilder): void => {
  if (jumps(b).cleanups.length > 0) throw new Unsupported('this jump out of a block with a cleanup', b.position)
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
  refuseCleanups(b)
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
  const { breakTo: outerBreak, breakDepth, continueTo: outerContinue, continueDepth } = current
  current.breakTo = breakTo
  current.breakDepth = current.cleanups.length
  if (continueTo) {
    current.continueTo = continueTo
    current.continueDepth = current.cleanups.length
  }
  work()
  Object.assign(current, { breakTo: outerBreak, breakDepth, continueTo: outerContinue, continueDepth })
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
  cleanUp(b, jumps(b).cleanups)
  b.goto(b.exit)
}

/** Falling off the end of a function that returns something: to use the value is undefined (C11 6.9.1p12); it is 0. */
export const missingResult = (b: ProcedureBuilder): void => {
  if (b.result && b.live) b.assign(b.result, constant(b.result.type, 0))
}
