// Declarations that a jump passes by. A local variable lives from the entry into its block (C11 6.2.4p6), so a jump
// into the block, past the declaration, gives it an indeterminate value: any value, and another one each time.
import type { CStatement, CVariable } from '../../ast.js'

/** The variables that a `goto`, or a `switch`, brings to life without executing their declarations. */
export type JumpedOver = ReadonlyMap<CStatement, readonly CVariable[]>

type Visible = readonly CVariable[]

interface Walk {
  readonly labels: Map<string, Visible>
  readonly gotos: { readonly statement: CStatement; readonly label: string; readonly visible: Visible }[]
  readonly computed: { readonly statement: CStatement; readonly visible: Visible }[]
  readonly found: Map<CStatement, Set<CVariable>>
}

interface Switch {
  readonly statement: CStatement
  readonly visible: Visible
}

export const jumpedOver = (body: CStatement): JumpedOver => {
  const walk: Walk = { labels: new Map(), gotos: [], computed: [], found: new Map() }
  visit(walk, body, [], undefined)
  for (const { statement, label, visible } of walk.gotos) note(walk, statement, walk.labels.get(label) ?? [], visible)
  for (const { statement, visible } of walk.computed)
    for (const there of walk.labels.values()) note(walk, statement, there, visible)
  return new Map([...walk.found].map(([statement, variables]) => [statement, [...variables]]))
}

const note = (walk: Walk, jump: CStatement, there: Visible, here: Visible): void => {
  const passed = there.filter((variable) => !here.includes(variable))
  if (passed.length === 0) return
  const known = walk.found.get(jump) ?? new Set()
  for (const variable of passed) known.add(variable)
  walk.found.set(jump, known)
}

/** `visible`: the local variables whose declarations stand before, in this block and those around it. */
const visit = (walk: Walk, s: CStatement, visible: Visible, around: Switch | undefined): Visible => {
  switch (s.kind) {
    case 'declare':
      return s.variable.storage === 'auto' ? [...visible, s.variable] : visible
    case 'block':
      visitList(walk, s.body, visible, around)
      return visible
    case 'if':
      visit(walk, s.then, visible, around)
      if (s.else) visit(walk, s.else, visible, around)
      return visible
    case 'while':
    case 'do':
      visit(walk, s.body, visible, around)
      return visible
    case 'for':
      visit(walk, s.body, visitList(walk, s.init, visible, around), around)
      return visible
    case 'switch':
      visit(walk, s.body, visible, { statement: s, visible })
      return visible
    case 'case':
    case 'default':
      if (around) note(walk, around.statement, visible, around.visible)
      return visit(walk, s.body, visible, around)
    case 'label':
      walk.labels.set(s.name, visible)
      return visit(walk, s.body, visible, around)
    case 'goto':
      walk.gotos.push({ statement: s, label: s.label, visible })
      return visible
    case 'computedGoto':
      walk.computed.push({ statement: s, visible })
      return visible
    case 'expression':
    case 'return':
    case 'break':
    case 'continue':
    case 'empty':
    case 'unsupported':
      return visible
  }
}

const visitList = (walk: Walk, list: readonly CStatement[], outer: Visible, around: Switch | undefined): Visible => {
  let visible = outer
  for (const s of list) visible = visit(walk, s, visible, around)
  return visible
}
