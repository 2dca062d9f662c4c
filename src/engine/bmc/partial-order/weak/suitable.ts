// Which memory models programs can be asked about, and how much an answer says. Executions in which (po | rf) has a cycle
// are not looked for, and C programs do not say what a compiler leaves of their dependencies: for models that have
// either, only such executions are considered as are consistent even if everything depends on every earlier read. They
// are executions of the model whatever the dependencies are, so that violations count; proofs do not.
import type { Model } from '../../../../memory-model/index.js'

type Node = Model['nodes'][number]

const DEPENDENCIES: readonly string[] = ['addr', 'data', 'ctrl', 'casdep', 'pick-addr', 'pick-data', 'pick-ctrl']

const uses = (model: Model, name: string): boolean =>
  model.nodes.some((node) => node.operation === 'base' && node.name === name)

/** Why a model cannot be used for programs here. */
export const unsuitable = (model: Model): string | undefined => {
  if (!model.coherent || !model.atomic) return 'a memory model without axioms for coherence and atomicity'
  if (!uses(model, 'start') || !uses(model, 'join'))
    return 'a memory model that does not say how start and join order threads (sc, rc11 and imm do)'
  const subtracted = model.axioms.some(({ node, negated }) => subtractsDependencies(node, negated, new Set()))
  return subtracted ? 'a memory model that allows more where there are more dependencies' : undefined
}

export const hasDependencies = (model: Model): boolean =>
  DEPENDENCIES.some((name) => model.axioms.some(({ node }) => mentions(node, name, new Set())))

/** Whether the executions that are searched are only a part of the model's. */
export const isSearchedInPart = (model: Model): boolean => !model.causal || hasDependencies(model)

const mentions = (node: Node, name: string, seen: Set<Node>): boolean => {
  if (seen.has(node)) return false
  seen.add(node)
  if (node.operation === 'base') return node.name === name
  return [...node.operands, ...(node.group?.bodies ?? [])].some((operand) => mentions(operand, name, seen))
}

/** Whether a dependency occurs where a larger relation makes the whole smaller. */
const subtractsDependencies = (node: Node, negative: boolean, seen: Set<string>): boolean => {
  const key = `${node.index} ${negative}`
  if (seen.has(key)) return false
  seen.add(key)
  if (node.operation === 'base') return negative && DEPENDENCIES.includes(node.name ?? '')
  const flips = (i: number): boolean => node.operation === 'complement' || (node.operation === 'minus' && i === 1)
  return (
    node.operands.some((operand, i) => subtractsDependencies(operand, negative !== flips(i), seen)) ||
    (node.group?.bodies ?? []).some((body) => subtractsDependencies(body, negative, seen))
  )
}
