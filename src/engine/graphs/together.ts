// A search by several: one leads and hands out the oldest graphs of its stack, which have most below them; the others
// search them, and hand over some of theirs when somebody has nothing to do. What each counts is added up: subtrees are
// disjoint, and together are the whole, so that counts and digest are those of one search.

import type { Reason } from '../../verdict/reason.js'
import type { Branches, Helper, Leader } from '../crew.js'
import type { Graph } from './graph.js'
import { childOf, type Found, type Search } from './search.js'
import type { Visitor } from './visit.js'

/** The branches that lead to a graph. */
const branchesOf = (graph: Graph): Branches => {
  const branches: number[] = []
  for (let cell = graph.path; cell; cell = cell.before) branches.push(cell.branch)
  return branches.reverse()
}

/** The graph that branches lead to. The search is deterministic: everybody comes to the same one. */
const follow = (visitor: Visitor, branches: Branches): Graph => {
  let graph = visitor.root()
  for (let taken = 0; taken < branches.length; ) {
    const expansion = visitor.visit(graph)
    if (expansion.kind !== 'children') throw new Error('branches that lead beyond the end of an execution')
    const { children } = expansion
    const chosen = children.length > 1 ? branches[taken++]! : 0
    if (chosen >= children.length) throw new Error('a branch that the search does not have')
    graph = childOf(graph, children, chosen)
  }
  return graph
}

export type Pause = (open: Graph[], isIdle: boolean) => Found | undefined

/** What the leader does between graphs. `stopped`: why to end the search now. */
export const leading = (
  crew: Leader,
  search: Search,
  visitor: Visitor,
  stopped: () => Reason | undefined,
  onDoubt: (doubt: string) => void,
): Pause => {
  const receive = (open: Graph[], mayWait: boolean): Found | undefined => {
    for (const message of crew.receive(mayWait))
      switch (message.kind) {
        case 'subtrees':
          open.unshift(...message.subtrees.map((branches) => follow(visitor, branches)))
          break
        case 'totals':
          search.addTotals(message.totals)
          if (message.totals.doubt !== undefined) onDoubt(message.totals.doubt)
          break
        case 'sum':
          search.takeTotals()
          search.addTotals(message.totals)
          if (message.totals.doubt !== undefined) onDoubt(message.totals.doubt)
          break
        case 'violation':
          return { kind: 'violation', graph: follow(visitor, message.branches) }
        case 'failed':
          return message
      }
    return undefined
  }
  return (open, isIdle) => {
    do {
      const reason = stopped()
      if (reason !== undefined) return { kind: 'stopped', reason }
      const found = receive(open, isIdle && open.length === 0)
      if (found) return found
      for (let wanting = crew.wanting(); wanting > 0 && open.length > 1; wanting--)
        crew.give([branchesOf(open.shift()!)])
    } while (open.length === 0 && crew.isBusy())
    return undefined
  }
}

/** One that searches what the leader asks for. */
export class Helping {
  /** Subtrees that are not begun yet, oldest first: the way to each is followed only then. */
  private left: Branches[] = []
  private isStopped = false

  constructor(
    private readonly crew: Helper,
    private readonly search: Search,
    private readonly visitor: Visitor,
    private readonly doubt: () => string | undefined,
  ) {}

  /** Until the search is over; whether it ended with a proof. */
  serve(caught: (search: () => Found) => Found): boolean {
    const { crew, search, visitor } = this
    for (let order = crew.next(); ; order = crew.next()) {
      if (order.kind === 'over') return order.isProved
      this.left = [...order.subtrees]
      this.isStopped = false
      for (let next = this.left.shift(); next; next = this.isStopped ? undefined : this.left.shift()) {
        const branches = next
        const found = caught(() => search.run([follow(visitor, branches)]))
        if (found.kind === 'violation') crew.send({ kind: 'violation', branches: branchesOf(found.graph) })
        if (found.kind === 'failed') crew.send(found)
        if (found.kind !== 'all') this.isStopped = true
        if (this.left.length > 0) this.pause([], false)
      }
      if (this.left.length > 0) crew.send({ kind: 'subtrees', subtrees: this.left })
      this.report(true)
    }
  }

  readonly pause: Pause = (open, isIdle) => {
    const { crew } = this
    const wish = isIdle ? 'go on' : crew.wish()
    switch (wish) {
      case 'go on':
        return undefined
      case 'report':
        this.report(false)
        return undefined
      case 'share':
        if (this.left.length > 0) crew.send({ kind: 'subtrees', subtrees: [this.left.pop()!] })
        else if (open.length > 1) crew.send({ kind: 'subtrees', subtrees: [branchesOf(open.shift()!)] })
        return undefined
      case 'stop':
        this.isStopped = true
        if (open.length > 0) crew.send({ kind: 'subtrees', subtrees: open.splice(0).map(branchesOf) })
        return undefined
    }
  }

  private report(isDone: boolean): void {
    const doubt = this.doubt()
    const totals = { ...this.search.takeTotals(), ...(doubt !== undefined && { doubt }) }
    this.crew.send({ kind: 'totals', totals, isDone })
  }
}
