// Lazy abstraction with interpolants instead of predicate abstraction (esst.txt, section 8, its first future work; McMillan,
// CAV 2006): a node's label is what interpolants of paths through it said, and grows stronger; no predicate is asked for
// anywhere else. A label speaks of all threads, and is kept where the global region is.
//
// Departure: a node that is expanded already is not closed again after its label grew; force cover does most of that.

import { pathTo } from '../../arg/graph.js'
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { interpolate, type Smt } from '../../smt/index.js'
import { pathFormulas } from '../../symbolic/index.js'
import { freshNames } from '../../xcfa/terms/index.js'
import { atBeginning, type EdgeVia, INTERPOLATION_MS } from './counterexample.js'
import type { Forest } from './forest.js'
import type { ForestNode } from './node.js'

/** Force cover is tried with so many nodes, the newest first. */
const MAX_CANDIDATES = 4

export class Lazy {
  readonly counts = { forcedCovers: 0, strengthened: 0 }

  constructor(
    private readonly forest: Forest,
    private readonly smt: Smt,
    private readonly rlimit: number,
  ) {}

  /** One interpolant for each number of edges on the way to `end`; false where there are no more. Gives who is not covered any more. */
  refine(end: ForestNode, interpolants: readonly Term[]): readonly ForestNode[] {
    return pathTo(end).flatMap((node) => this.strengthen(node, [interpolants[node.depth] ?? logic.FALSE]))
  }

  private strengthen(node: ForestNode, formulas: readonly Term[]): readonly ForestNode[] {
    if (node.isDead) return []
    const conjuncts = formulas.flatMap((formula) => logic.conjuncts(formula)).filter((c) => c !== logic.TRUE)
    if (conjuncts.includes(logic.FALSE)) return this.kill(node)
    const fresh = conjuncts.filter((c) => !node.global.has(c))
    if (fresh.length === 0) return []
    this.counts.strengthened++
    node.global = new Map([...node.global, ...fresh.map((c): [Term, boolean] => [c, true])])
    const lost = [...node.covering].filter((covered) => !this.forest.isCoverable(covered, node))
    for (const covered of lost) this.forest.uncover(covered)
    return lost
  }

  /** No state is here: nor is any after it. */
  private kill(node: ForestNode): readonly ForestNode[] {
    this.counts.strengthened++
    const dead: ForestNode[] = [node]
    for (const each of dead) {
      each.isDead = true
      dead.push(...each.children)
    }
    for (const each of dead) if (each.coveredBy) this.forest.uncover(each)
    const lost = dead.flatMap((each) => [...each.covering])
    for (const covered of lost) this.forest.uncover(covered)
    return lost
  }

  /** Makes the label of an earlier node hold here, too, if it does after the nearest common ancestor. */
  forceCover(node: ForestNode): { readonly by: ForestNode; readonly lost: readonly ForestNode[] } | undefined {
    const candidates = this.forest.alike(node).filter((other) => other.global.size > 0 && other.id < node.id)
    for (const by of candidates.slice(-MAX_CANDIDATES).reverse()) {
      const lost = this.hold(node, [...by.global.keys()], commonAncestor(node, by))
      if (!lost) continue
      this.counts.forcedCovers++
      return { by, lost }
    }
    return undefined
  }

  private hold(node: ForestNode, label: readonly Term[], from: ForestNode): readonly ForestNode[] | undefined {
    const between = pathTo(node).filter((each) => each.depth > from.depth)
    const path = between.flatMap(({ via }): readonly EdgeVia[] => (via?.kind === 'edge' ? [via] : []))
    if (path.length === 0) return undefined
    const { operations } = this.forest.ground
    const steps = path.map(({ operation }) => operation)
    const { formulas, plain, current } = pathFormulas(steps.flat(), operations.policy(freshNames()))
    let at = 0
    const merged = steps.map((each) => logic.and(formulas.slice(at, (at += each.length))))
    const facts = [...from.global.keys()]
    const ranges = facts.flatMap((fact) => logic.freeVariables(fact)).map((v) => operations.range(v))
    merged[0] = logic.and(merged[0]!, [...facts, ...ranges].map(atBeginning))
    const last = current.at(-1)!
    const atEnd = logic.renameVariables(logic.and(label), (v) => last.get(v) ?? logic.indexed(v, 0))
    const answer = interpolate(this.smt, [...merged, logic.not(atEnd)], {
      rlimit: this.rlimit,
      timeoutMs: INTERPOLATION_MS,
    })
    if (answer.status !== 'unsat') return undefined
    const plainOf = (v: Term): Term => plain.get(v) ?? logic.unindexed(v).base
    // Choices between the ancestor and its first edge: what was assumed there must be said of them, too.
    const choices = pathTo(node).filter((each) => each.depth === from.depth && each.id > from.id)
    const before = choices.flatMap((each) => this.strengthen(each, facts))
    const after = between.flatMap((each) => {
      if (each.depth === node.depth) return this.strengthen(each, label)
      return this.strengthen(each, [logic.renameVariables(answer.interpolants[each.depth - from.depth - 1]!, plainOf)])
    })
    return [...before, ...after]
  }
}

const commonAncestor = (a: ForestNode, b: ForestNode): ForestNode => {
  const above = new Set(pathTo(a))
  return pathTo(b).findLast((node) => above.has(node))!
}
