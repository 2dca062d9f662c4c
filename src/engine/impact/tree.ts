// The abstract reachability tree of impact.txt, section III: nodes with a location vector and a label, tree edges, and
// the covering relation. Labels are sets of conjuncts, so that most implications are seen by looking.
import { and, FALSE, type Term } from '../../logic/index.js'
import type { Action, Control } from '../../semantics/control.js'
import type { Transition } from '../../symbolic/index.js'

const WRITTEN_OUT_EVERY = 12

/** A node v. Identity matters, and labels change: a class with open fields, changed only by `Tree` and `Impact`. */
export class Node {
  readonly children: Node[] = []
  /** phi(v), as conjuncts; empty is True. */
  readonly label = new Set<Term>()
  private labelTerm: Term | undefined
  /** w with v |> w. */
  coveredBy: Node | undefined
  /** All u with u |> v. */
  readonly covers = new Set<Node>()
  /** EXPAND was done: every thread that SKIP does not leave out has its edges. */
  expanded = false
  /** Threads whose edges were unwound here, by EXPAND or for the sake of a covered node. */
  readonly threads = new Set<number>()
  /** Whether the step into this node commutes with the next one of a thread, by conditional dependence. */
  readonly commutes = new Map<number, boolean>()
  /** Itself or an ancestor is covered. */
  hidden = false
  queued = false

  constructor(
    readonly id: number,
    readonly control: Control,
    readonly parent: Node | undefined,
    /** The step from the parent. */
    readonly step: TakenStep | undefined,
    /** What program variables are on this path, as terms over inputs and initial values. */
    readonly state: PathState,
  ) {}

  get depth(): number {
    return this.state.depth
  }

  /** The label as one formula. */
  get phi(): Term {
    return (this.labelTerm ??= and([...this.label]))
  }

  get unreachable(): boolean {
    return this.label.has(FALSE)
  }

  addToLabel(conjunct: Term): void {
    this.label.add(conjunct)
    this.labelTerm = undefined
  }
}

export interface TakenStep {
  readonly action: Action
  readonly transition: Transition
  /** The inputs of this step on this path, by those of the transition. */
  readonly inputs: ReadonlyMap<Term, Term>
  /** The conjuncts of the transition's guard. */
  readonly guards: readonly Term[]
  /** The same on this path. */
  readonly conditions: readonly Term[]
  /** Unwound for the sake of a covered node. */
  readonly forCover: boolean
}

/** The values on a path: those that the last step changed, and a way to the others. */
export class PathState {
  private constructor(
    readonly depth: number,
    private readonly changed: ReadonlyMap<Term, Term>,
    private readonly before: PathState | undefined,
  ) {}

  static readonly initial = new PathState(0, new Map(), undefined)

  /** Undefined: as at the beginning. */
  get(variable: Term): Term | undefined {
    for (let state: PathState | undefined = this; state; state = state.before) {
      const value = state.changed.get(variable)
      if (value) return value
    }
    return undefined
  }

  /** Every few steps all values are written out, so that looking them up stays cheap. */
  after(changed: ReadonlyMap<Term, Term>): PathState {
    const depth = this.depth + 1
    if (depth % WRITTEN_OUT_EVERY !== 0) return new PathState(depth, changed, this)
    const all = new Map<Term, Term>()
    const states: PathState[] = []
    for (let state: PathState | undefined = this; state; state = state.before) states.push(state)
    for (const state of states.reverse()) for (const [variable, value] of state.changed) all.set(variable, value)
    for (const [variable, value] of changed) all.set(variable, value)
    return new PathState(depth, all, undefined)
  }
}

export class Tree {
  readonly nodes: Node[] = []
  private readonly byControl = new Map<string, Node[]>()

  add(control: Control, parent: Node | undefined, step: TakenStep | undefined, state: PathState): Node {
    const node = new Node(this.nodes.length, control, parent, step, state)
    this.nodes.push(node)
    parent?.children.push(node)
    const same = this.byControl.get(control.key)
    if (same) same.push(node)
    else this.byControl.set(control.key, [node])
    return node
  }

  /** Nodes at the same location vector that were created before, oldest first. */
  *olderAtSameVector(v: Node): Iterable<Node> {
    const same = this.byControl.get(v.control.key)!
    for (const w of same) {
      if (w.id >= v.id) return
      yield w
    }
  }

  /** v |> w. Covers by v or below it are dropped (reflexively): the nodes that lost theirs are returned. */
  cover(v: Node, w: Node): readonly Node[] {
    v.coveredBy = w
    w.covers.add(v)
    return this.hide(v)
  }

  /** v's label is False: nothing below it matters. The nodes that lost their cover are returned. */
  discard(v: Node): readonly Node[] {
    v.coveredBy?.covers.delete(v)
    v.coveredBy = undefined
    return this.hide(v)
  }

  private hide(v: Node): readonly Node[] {
    const lost: Node[] = []
    for (const y of subtree(v)) {
      y.hidden = true
      for (const x of y.covers) {
        x.coveredBy = undefined
        lost.push(x)
      }
      y.covers.clear()
    }
    return lost.flatMap((x) => this.reveal(x))
  }

  /** Takes v's cover away: the nodes to look at again. */
  uncover(v: Node): readonly Node[] {
    v.coveredBy?.covers.delete(v)
    v.coveredBy = undefined
    return this.reveal(v)
  }

  /** After v lost its cover: below it, up to the next covered nodes, nothing is hidden any more. */
  private reveal(v: Node): readonly Node[] {
    if (v.coveredBy || v.unreachable || v.parent?.hidden) return []
    const open: Node[] = []
    const stack = [v]
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (node.coveredBy || node.unreachable) continue
      node.hidden = false
      if (!node.expanded) open.push(node)
      stack.push(...node.children)
    }
    return open
  }
}

function* subtree(v: Node): Iterable<Node> {
  const stack = [v]
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node
    stack.push(...node.children)
  }
}

export const nearestCommonAncestor = (v: Node, w: Node): Node => {
  let [a, b] = [v, w]
  while (a.depth > b.depth) a = a.parent!
  while (b.depth > a.depth) b = b.parent!
  while (a !== b) [a, b] = [a.parent!, b.parent!]
  return a
}
