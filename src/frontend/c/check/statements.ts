// Statements (C11 6.8). A statement with something unsupported becomes an `unsupported` statement: it matters only if
// it is reached.
import { Unsupported, type Value } from '../../../xcfa/index.js'
import type { CExpr, CStatement } from '../ast.js'
import { child, field, fields, namedChildren, type SyntaxNode } from '../parse/index.js'
import { productStatement } from './ambiguity.js'
import { checkAssembly } from './assembly.js'
import {
  type Context,
  fail,
  failure,
  inScope,
  labelNamed,
  labelOwner,
  positionOf,
  type SwitchContext,
  textOf,
} from './context.js'
import { checkDeclaration } from './declarations/declarations.js'
import { declareNested } from './declarations/functions.js'
import { jumpOut } from './declarations/nested.js'
import { specifiedType } from './declarations/specifiers.js'
import { cast, convertAsAssigned, promote, toCondition, toValue } from './expressions/convert.js'
import { checkExpression, checkStaticAssert, checkValue } from './expressions/expressions.js'
import { checkDiscarded } from './expressions/type-expressions.js'
import { convertValue } from './expressions/values.js'
import { shortText } from './text.js'
import { type IntCType, isInteger, isVoid, pointerTo, typeName, unqualified, VOID } from './types.js'

const MAX_DEPTH = 1000

const isSpecifier = (node: SyntaxNode): boolean => /^(?:struct|union|enum)_specifier$/.test(node.type)

/** The items of a block in their order; the caller has opened its scope. */
export const checkItems = (c: Context, nodes: readonly SyntaxNode[], out: CStatement[]): void => {
  for (const node of nodes) if (node.named) checkItem(c, node, out)
}

/** A statement or declaration of a block. */
const checkItem = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  const pending = c.function!.pending
  c.function!.pending = []
  const { scope, depth, unevaluated } = c
  const { loops, switches } = c.function!
  const openSwitches = switches.length
  try {
    const before = out.length
    checkUnguarded(c, node, out)
    if (c.function!.pending.length > 0) out.splice(before, 0, ...c.function!.pending)
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error
    c.scope = scope
    c.depth = depth
    c.unevaluated = unevaluated
    c.parameterSizes = undefined
    c.function!.loops = loops
    switches.length = openSwitches
    c.function!.skipped ??= error
    out.push({ kind: 'unsupported', what: error.what, position: error.position, text: shortText(c, node) })
  } finally {
    c.function!.pending = pending
  }
}

const checkUnguarded = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  if (c.depth > MAX_DEPTH) fail(c, node, `nested too deeply (more than ${MAX_DEPTH} levels)`)
  c.depth++
  checkOne(c, node, out)
  c.depth--
}

const checkOne = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  const at = { position: positionOf(c, node), text: shortText(c, node) }
  switch (node.type) {
    case 'declaration': {
      if (declaresLabels(c, node)) return
      const product = productStatement(c, node)
      if (product) checkExpressionStatement(c, product, out)
      else checkDeclaration(c, node, out)
      return
    }
    case 'type_definition':
      checkDeclaration(c, node, out)
      return
    case 'expression_statement':
      checkExpressionStatement(c, node, out)
      return
    case 'compound_statement': {
      const body: CStatement[] = []
      inScope(c, () => checkItems(c, node.children, body))
      out.push({ kind: 'block', body, ...at })
      return
    }
    case 'if_statement':
      checkIf(c, node, out)
      return
    case 'while_statement': {
      const condition = checkCondition(c, node)
      const body = inLoop(c, () => checkBody(c, field(node, 'body')!))
      out.push({ kind: 'while', condition, body, ...header(c, node) })
      return
    }
    case 'do_statement': {
      const body = inLoop(c, () => checkBody(c, field(node, 'body')!))
      out.push({ kind: 'do', body, condition: checkCondition(c, node), ...at })
      return
    }
    case 'for_statement':
      checkFor(c, node, out)
      return
    case 'switch_statement':
      checkSwitch(c, node, out)
      return
    case 'case_statement':
      checkCase(c, node, out)
      return
    case 'labeled_statement':
      checkLabel(c, node, out)
      return
    case 'goto_statement':
      checkGoto(c, node, out)
      return
    case 'computed_goto_statement': {
      const pointer = field(namedChildren(node)[0]!, 'argument')!
      const target = convertAsAssigned(c, checkValue(c, pointer), pointerTo(VOID), 'a computed goto')
      out.push({ kind: 'computedGoto', target, ...at })
      return
    }
    case 'break_statement':
      if (c.function!.loops + c.function!.switches.length === 0)
        fail(c, node, 'break statement not within loop or switch')
      out.push({ kind: 'break', ...at })
      return
    case 'continue_statement':
      if (c.function!.loops === 0) fail(c, node, 'continue statement not within a loop')
      out.push({ kind: 'continue', ...at })
      return
    case 'return_statement':
      checkReturn(c, node, out)
      return
    case 'attributed_statement':
      checkItems(
        c,
        node.children.filter((part) => part.type !== 'attribute_declaration'),
        out,
      )
      return
    case 'function_definition':
      declareNested(c, node)
      return
    default:
      checkOther(c, node)
  }
}

const TYPE_NAMES: readonly string[] = ['primitive_type', 'type_identifier', 'sized_type_specifier']

/** A type alone declares nothing but its tags; no other node is a statement of C that is modelled. */
const checkOther = (c: Context, node: SyntaxNode): void => {
  if (isSpecifier(node)) specifiedType(c, node)
  else if (/_statement$|^linkage_specification$/.test(node.type))
    throw new Unsupported(node.type.replace(/_/g, ' '), positionOf(c, node))
  else if (!TYPE_NAMES.includes(node.type)) fail(c, node, `unexpected '${shortText(c, node)}'`)
}

const checkGoto = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  const at = { position: positionOf(c, node), text: shortText(c, node) }
  const label = field(node, 'label')!
  const name = labelNamed(c, textOf(c, label))
  const owner = labelOwner(c, textOf(c, label))
  if (owner) {
    out.push({ ...jumpOut(c, owner, name, label), ...at })
    return
  }
  c.function!.uses.push({ name, node: label })
  out.push({ kind: 'goto', label: name, ...at })
}

/** GNU `__label__ a, b;` */
const declaresLabels = (c: Context, node: SyntaxNode): boolean => {
  const type = field(node, 'type')
  if (!type || textOf(c, type) !== '__label__') return false
  c.scope.labels ??= new Map()
  for (const declared of fields(node, 'declarator')) {
    const name = textOf(c, declared)
    c.scope.labels.set(name, `${name}@${declared.start}`)
  }
  return true
}

/** The text up to the body: `while (x > 0)`. */
const header = (c: Context, node: SyntaxNode): Pick<CStatement, 'position' | 'text'> => {
  const condition = field(node, 'condition')
  const end = condition && node.type !== 'for_statement' ? condition.end : (field(node, 'body')?.start ?? node.end)
  return { position: positionOf(c, node), text: shortText(c, node, end) }
}

const checkExpressionStatement = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  const at = { position: positionOf(c, node), text: shortText(c, node) }
  const inner = namedChildren(node)[0]
  if (!inner) {
    out.push({ kind: 'empty', ...at })
    return
  }
  if (inner.type === 'gnu_asm_expression') checkAssembly(c, inner, out)
  else if (isStaticAssert(c, inner)) checkStaticAssert(c, inner)
  else out.push({ kind: 'expression', expression: checkDiscarded(c, inner), ...at })
}

export const isStaticAssert = (c: Context, node: SyntaxNode): boolean =>
  node.type === 'call_expression' && /^(?:_Static_assert|static_assert)$/.test(textOf(c, field(node, 'function')!))

// ---- bodies, branches and loops

/** A substatement: a block, or one statement in a scope of its own. */
const checkBody = (c: Context, node: SyntaxNode): CStatement => {
  const body: CStatement[] = []
  // The grammar gives a case all statements up to the next one, also where only the first belongs to it.
  if (node.type === 'case_statement' && statementsOfCase(node).length > 1)
    throw new Unsupported('case label as the body of a statement', positionOf(c, node))
  inScope(c, () => checkItem(c, node, body))
  if (body.length === 1) return body[0]!
  return { kind: 'block', body, position: positionOf(c, node), text: shortText(c, node) }
}

const inLoop = <T>(c: Context, work: () => T): T => {
  c.function!.loops++
  const result = work()
  c.function!.loops--
  return result
}

const checkCondition = (c: Context, node: SyntaxNode): CExpr => {
  const condition = toCondition(c, checkExpression(c, field(node, 'condition')!))
  // A hidden variable in a loop's condition would be computed once only.
  if (c.function!.pending.length > 0 && node.type !== 'if_statement')
    throw new Unsupported('variable length array in a loop condition', condition.position)
  return condition
}

/** else-if chains are as long as they like: a loop, built from the end. */
const checkIf = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  const links: { condition: CExpr; branch: CStatement; node: SyntaxNode }[] = []
  let at: SyntaxNode | undefined = node
  let otherwise: CStatement | undefined
  while (at) {
    links.push({ condition: checkCondition(c, at), branch: checkBody(c, field(at, 'consequence')!), node: at })
    const alternative: SyntaxNode | undefined = field(at, 'alternative')
    const next: SyntaxNode | undefined = alternative && namedChildren(alternative)[0]
    at = next?.type === 'if_statement' ? next : undefined
    if (next && !at) otherwise = checkBody(c, next)
  }
  for (const { condition, branch, node: link } of links.reverse()) {
    // biome-ignore lint/suspicious/noThenProperty: the branch of the tree, no promise
    otherwise = { kind: 'if', condition, then: branch, else: otherwise, ...header(c, link) }
  }
  out.push(otherwise!)
}

const checkFor = (c: Context, node: SyntaxNode, out: CStatement[]): void =>
  inScope(c, () => {
    const initNode = field(node, 'initializer')
    const init: CStatement[] = []
    if (initNode?.type === 'declaration') checkDeclaration(c, initNode, init)
    else if (initNode)
      init.push({
        kind: 'expression',
        expression: checkDiscarded(c, initNode),
        position: positionOf(c, initNode),
        text: shortText(c, initNode),
      })
    const condition = field(node, 'condition') ? checkCondition(c, node) : undefined
    const updateNode = field(node, 'update')
    const step = updateNode && checkDiscarded(c, updateNode)
    const body = inLoop(c, () => checkBody(c, field(node, 'body')!))
    out.push({ kind: 'for', init, condition, step, body, ...header(c, node) })
  })

// ---- switch

const checkSwitch = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  const value = toValue(c, checkExpression(c, field(node, 'condition')!))
  if (!isInteger(value.type)) fail(c, node, `switch quantity of type '${typeName(value.type)}' is not an integer`)
  const promoted = promote(c, value)
  const context: SwitchContext = { type: unqualified(promoted.type) as IntCType, seen: [], hasDefault: false }
  c.function!.switches.push(context)
  const body = checkBody(c, field(node, 'body')!)
  c.function!.switches.pop()
  out.push({ kind: 'switch', value: promoted, body, ...header(c, node) })
}

const statementsOfCase = (node: SyntaxNode): readonly SyntaxNode[] => {
  const colon = node.children.findIndex((part) => part.type === ':')
  return node.children.slice(colon + 1).filter((part) => part.named)
}

/** The statements that follow belong to the block around: their declarations are visible in later cases. */
const checkCase = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  const context = c.function!.switches.at(-1)
  const valueNode = field(node, 'value')
  const at = { position: positionOf(c, node), text: shortText(c, node, child(node, ':')?.end ?? node.end) }
  if (!context) throw failure(c, node, `'${valueNode ? 'case' : 'default'}' label not within a switch statement`)
  const body: CStatement = { kind: 'empty', ...at }
  if (!valueNode) {
    if (context.hasDefault) fail(c, node, 'multiple default labels in one switch')
    context.hasDefault = true
    out.push({ kind: 'default', body, ...at })
  } else {
    const isRange = valueNode.type === 'case_range'
    const low = caseValue(c, isRange ? field(valueNode, 'left')! : valueNode, context)
    const high = isRange ? caseValue(c, field(valueNode, 'right')!, context) : low
    if (context.seen.some((old) => low <= old.high && high >= old.low)) fail(c, node, `duplicate case value`)
    context.seen.push({ low, high })
    out.push({ kind: 'case', low, high, body, ...at })
  }
  checkItems(c, statementsOfCase(node), out)
}

const caseValue = (c: Context, node: SyntaxNode, context: SwitchContext): Value => {
  const value = checkValue(c, node)
  if (value.kind !== 'constant' || !isInteger(value.type)) return fail(c, node, 'case label is not an integer constant')
  return convertValue(value.value, value.type, context.type, c.target)!
}

// ---- jumps

const checkLabel = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  const labelNode = field(node, 'label')!
  const name = labelNamed(c, textOf(c, labelNode))
  if (c.function!.labels.has(name)) fail(c, labelNode, `duplicate label '${name}'`)
  c.function!.labels.add(name)
  const at = { position: positionOf(c, node), text: shortText(c, node, labelNode.end + 1) }
  out.push({ kind: 'label', name, body: { kind: 'empty', ...at }, ...at })
  checkItems(
    c,
    node.children.filter((part) => part !== labelNode),
    out,
  )
}

const checkReturn = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  const at = { position: positionOf(c, node), text: shortText(c, node) }
  const { result } = c.function!.function.type
  const valueNode = namedChildren(node)[0]
  if (!valueNode) {
    out.push({ kind: 'return', value: undefined, ...at })
    return
  }
  const value = toValue(c, checkExpression(c, valueNode))
  if (isVoid(result)) {
    // gcc allows it: the value is computed and dropped.
    out.push(
      { kind: 'expression', expression: cast(c, value, VOID), ...at },
      { kind: 'return', value: undefined, ...at },
    )
    return
  }
  out.push({ kind: 'return', value: convertAsAssigned(c, value, result, 'returning a value'), ...at })
}

/** GNU ({ ... }): its value is that of the last expression. */
export const checkStatementExpression = (c: Context, node: SyntaxNode): CExpr => {
  const position = positionOf(c, node)
  if (!c.function) return fail(c, node, 'braced-group within expression allowed only inside a function')
  return inScope(c, () => {
    const body: CStatement[] = []
    checkItems(c, node.children, body)
    const last = body.at(-1)
    if (last?.kind !== 'expression' || isVoid(last.expression.type))
      return { kind: 'statements', body, value: undefined, type: VOID, position }
    return { kind: 'statements', body: body.slice(0, -1), value: last.expression, type: last.expression.type, position }
  })
}
