// Locals whose value is known wherever their thread is at a node: constant propagation for each thread on its own, with
// the arguments that it was started with. An index that depends on them alone is then a constant, and so is the cell.
import { constant, defaultValue, FALSE, substitute, type Term } from '../../../logic/index.js'
import type { Summary } from '../../../reduction/index.js'
import type { Variable } from '../../../xcfa/index.js'
import type { Node } from './transitions.js'

/** Locals of a thread that are constants at a node. */
export type Constants = ReadonlyMap<Term, Term>

/** The steps from a node, and where they lead: the thread itself, and those that it starts. */
export type NodeSteps = (node: Node) => readonly {
  readonly summary: Summary
  readonly target: Node
  readonly started: readonly Node[]
}[]

/** The number of every thread is known at its start: the node that starts it says it. */
export const constantsAt = (
  main: Node,
  stepsFrom: NodeSteps,
  termOf: (variable: Variable, thread: number) => Term,
): ReadonlyMap<Node, Constants> => {
  const known = new Map<Node, Constants>()
  const work: Node[] = []
  /** One more way to a node. */
  const arrive = (node: Node, values: Constants): void => {
    const before = known.get(node)
    const agreed = before ? new Map([...before].filter(([v, value]) => values.get(v) === value)) : values
    if (agreed.size === before?.size) return
    known.set(node, agreed)
    work.push(node)
  }
  const begin = (node: Node, args: readonly Term[]): void => {
    const { template, thread } = node
    const values = new Map<Term, Term>(localsOf(node, termOf).map((v) => [v, constant(v.sort, defaultValue(v.sort))]))
    template.parameters.forEach((parameter, i) => {
      const [v, value] = [termOf(parameter, thread), args[i]]
      if (value?.op === 'const') values.set(v, value)
      else if (value) values.delete(v)
    })
    arrive(node, values)
  }
  begin(main, [])
  for (let node = work.pop(); node; node = work.pop()) {
    const here = known.get(node)!
    const locals = new Set(localsOf(node, termOf))
    for (const { summary, target, started } of stepsFrom(node)) {
      if (substitute(summary.guard, here) === FALSE) continue
      const after = new Map(here)
      for (const [v, value] of summary.effects) {
        const now = substitute(value, here)
        if (now.op === 'const' && locals.has(v)) after.set(v, now)
        else after.delete(v)
      }
      arrive(target, after)
      const argumentsOf = (i: number): readonly Term[] => summary.starts[i]!.args.map((arg) => substitute(arg, here))
      for (const [i, first] of started.entries()) begin(first, argumentsOf(i))
    }
  }
  return known
}

const localsOf = ({ template, thread }: Node, termOf: (variable: Variable, thread: number) => Term): readonly Term[] =>
  [...new Set([...template.locals, ...template.parameters])]
    .filter((v) => v !== template.self)
    .map((v) => termOf(v, thread))
