// The brute-force explorer that every test compares with: breadth first over all interleavings, no reduction, on the
// program before slicing, resolving and escape analysis (soundness.md 19). Only work in registers joins the step
// before it, as semantics.md defines steps; `join: false` explores the edges as they are.
import { type Position, type Program, Unsupported } from '../../xcfa/index.js'
import { everyAccess, largeBlocks } from '../../xcfa/passes/large-block.js'
import { type Interpreter, interpreterOf, type Successor } from '../interpreter.js'
import { BeyondBounds } from '../layout.js'
import type { State } from '../state.js'
import type { Step, Trace } from '../trace.js'
import { STATE_PROPERTIES, type StateProperty, type ViolationFound, violationAt } from '../violation.js'

export interface OracleOptions {
  /** Join register work to the step before it; default true. */
  readonly join?: boolean
  /** Count all states even after a violation. */
  readonly complete?: boolean
  readonly maxStates?: number
  readonly stopped?: () => string | undefined
  /** Told every state that is met. */
  readonly visit?: (state: State) => void
  /** Whether the way to a violation is told, or its last step only, which takes much less memory; default true. */
  readonly paths?: boolean
}

export interface OracleResult {
  readonly verdict: 'true' | 'false' | 'unknown'
  readonly reason?: string
  /** A shortest one, over the edges of the program explored. */
  readonly trace?: Trace
  readonly violation?: ViolationFound
  /** The step that led to the violation. */
  readonly last?: Step
  readonly states: number
  readonly transitions: number
  /** Undefined behaviour that stopped a thread somewhere. */
  readonly undefined: readonly { readonly text: string; readonly position: Position }[]
}

/** A state that was met, with the step that first led to it. */
interface Node {
  readonly state: State
  readonly parent: Node | undefined
  readonly step: Step | undefined
}

interface Search {
  readonly interpreter: Interpreter
  readonly property: StateProperty
  readonly seen: Set<string>
  readonly queue: (Node | undefined)[]
  readonly paths: boolean
  readonly visit: ((state: State) => void) | undefined
  readonly undefined: Map<string, { readonly text: string; readonly position: Position }>
  transitions: number
  found: { readonly violation: ViolationFound; readonly node: Node } | undefined
}

export const oracle = (program: Program, property: string, options: OracleOptions = {}): OracleResult => {
  const joined = options.join === false ? program : largeBlocks(program, everyAccess)
  const search: Search = {
    interpreter: interpreterOf(joined, { endsMatter: property === 'valid-memsafety' }),
    property: property as StateProperty,
    seen: new Set(),
    queue: [],
    paths: options.paths ?? true,
    visit: options.visit,
    undefined: new Map(),
    transitions: 0,
    found: undefined,
  }
  try {
    const stopped = STATE_PROPERTIES.some((p) => p === property)
      ? explore(search, options)
      : `the brute-force explorer does not decide ${property}`
    return resultOf(search, stopped)
  } catch (problem) {
    if (problem instanceof BeyondBounds || problem instanceof Unsupported) return resultOf(search, problem.message)
    throw problem
  }
}

/** Why it stopped early, if it did. */
const explore = (search: Search, { complete = false, maxStates = 500_000, stopped }: OracleOptions) => {
  const { interpreter, property, queue } = search
  for (const state of interpreter.initial()) enter(search, state, undefined, undefined)
  for (let next = 0; next < queue.length; next++) {
    const node = queue[next]!
    queue[next] = undefined
    const successors = interpreter.successors(node.state)
    if (!search.found) {
      const violation = violationAt(interpreter, property, node.state, successors)
      if (violation) search.found = { violation, node }
      if (violation && !complete) return undefined
    }
    for (const successor of successors) follow(search, node, successor)
    if (search.seen.size > maxStates) return `more than ${maxStates} states`
    const reason = next % 256 === 0 ? stopped?.() : undefined
    if (reason) return reason
  }
  return undefined
}

const follow = (search: Search, node: Node, successor: Successor): void => {
  search.transitions++
  const { edge } = successor.step
  if (successor.undefined)
    search.undefined.set(`${edge.id}`, { text: successor.undefined.text, position: edge.position })
  if (edge.target.reason?.kind === 'undefined')
    search.undefined.set(`${edge.id}`, { text: edge.target.reason.text, position: edge.position })
  enter(search, successor.state, node, successor.step)
}

const enter = (
  { interpreter, seen, queue, paths, visit }: Search,
  state: State,
  parent: Node | undefined,
  step?: Step,
): void => {
  const key = interpreter.key(state)
  if (seen.has(key)) return
  seen.add(key)
  visit?.(state)
  queue.push({ state, parent: paths ? parent : undefined, step })
}

const resultOf = (search: Search, stopped: string | undefined): OracleResult => {
  const counts = {
    states: search.seen.size,
    transitions: search.transitions,
    undefined: [...search.undefined.values()],
  }
  if (search.found) {
    const { violation, node } = search.found
    const way = search.paths ? { trace: traceTo(search, node) } : {}
    return { verdict: 'false', ...way, violation, ...(node.step && { last: node.step }), ...counts }
  }
  return stopped === undefined ? { verdict: 'true', ...counts } : { verdict: 'unknown', reason: stopped, ...counts }
}

const traceTo = ({ interpreter }: Search, end: Node): Trace => {
  const steps: Step[] = []
  let node = end
  for (; node.parent; node = node.parent) steps.push(node.step!)
  const { globals } = interpreter.layout
  const chosen = [...globals].filter(([variable]) => variable.initial === 'any')
  const initial = new Map(chosen.map(([variable, slot]) => [variable, node.state.globals[slot]!]))
  return { steps: steps.reverse(), ...(initial.size > 0 ? { initial } : {}) }
}
