// Whether a labelled graph proves that no error is reachable: the beginning satisfies a root's label (initiation), each
// step that is followed leads from a label into those of its targets (consecution), a covered node's label implies its
// coverer's, labels at errors are contradictory (safety), and what is not followed may be left out (reduction.ts).
// In integer arithmetic no step that is followed may leave its types, unless the ledger leaves that open.
import { type CertificateNode, type GraphCertificate, Rejected } from '../../certificate/index.js'
import { and, FALSE, or, substitute, type Term } from '../../logic/index.js'
import { type Control, ControlFlow, failing } from '../../semantics/control.js'
import type { Smt } from '../../smt/index.js'
import type { Edge, Program } from '../../xcfa/index.js'
import { createEncoding } from '../../xcfa/terms/index.js'

import { formulaOf } from '../formula.js'
import { Proof } from '../proof.js'
import { type Obligation, Steps } from '../steps.js'
import { checkRaces } from './races.js'
import { checkMonotonic, checkPersistent } from './reduction.js'

/** A node with what follows from the program. */
export interface GraphNode {
  readonly given: CertificateNode
  readonly place: string
  readonly control: Control
  readonly label: Term
  readonly parent: GraphNode | undefined
  /** The edge that leads here. */
  readonly edge: Edge | undefined
  readonly children: GraphNode[]
  /** Its label has a model, as far as anybody needs to know. */
  isPossible: boolean
}

export interface CheckedGraph {
  readonly flow: ControlFlow
  readonly steps: Steps
  readonly proof: Proof
  readonly nodes: ReadonlyMap<number, GraphNode>
}

export interface GraphClaims {
  /** The ledger says that no signed operation overflows, without having shown it. */
  readonly overflowOpen: boolean
  /** It is about data races. */
  readonly noRaces?: boolean
}

/** How many questions were asked; throws `Rejected` or `Undecided`. */
export const checkGraph = (
  program: Program,
  certificate: GraphCertificate,
  claims: GraphClaims,
  smt: Smt,
  stopped: () => string | undefined,
): number => {
  const flow = new ControlFlow(program)
  const encoding = createEncoding(certificate.arithmetic, { pointerWidth: program.dataModel === 'ilp32' ? 32 : 64 })
  const controls = controlsOf(certificate.nodes, flow)
  const threads = Math.max(1, ...[...controls.values()].map(({ control }) => control.threads.length))
  checkReservedThreads(program, threads)
  const steps = new Steps(program, encoding, threads, certificate.strayAccess === 'stops')
  const proof = new Proof(smt, stopped)
  try {
    const nodes = nodesOf(certificate, controls, steps)
    const graph: CheckedGraph = { flow, steps, proof, nodes }
    checkInitiation(graph)
    for (const node of nodes.values()) node.isPossible = !proof.implies(withFacts(steps, node.label), FALSE, node.place)
    for (const node of nodes.values()) if (node.isPossible) checkNode(graph, node, claims)
    if (claims.noRaces) checkRaces(graph)
    if (certificate.reduction === 'monotonic') checkMonotonic(graph)
    else checkPersistent(graph, claims.noRaces === true)
    return proof.questions
  } finally {
    proof.dispose()
  }
}

export const withFacts = (steps: Steps, formula: Term): Term => and(formula, steps.factsAbout(formula))

// ---- reading

interface Placed {
  readonly control: Control
  readonly edge: Edge | undefined
}

/** The location vector of each node, by the way to it. */
export const controlsOf = (nodes: readonly CertificateNode[], flow: ControlFlow): ReadonlyMap<number, Placed> => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const edges = new Map<number, Edge>()
  for (const template of flow.program.templates.values()) for (const edge of template.edges) edges.set(edge.id, edge)
  const placed = new Map<number, Placed>()
  for (const start of nodes) {
    const way = new Set<CertificateNode>()
    for (let node: CertificateNode | undefined = start; node && !placed.has(node.id); ) {
      if (way.has(node)) throw new Rejected(`node ${node.id}`, 'is its own ancestor')
      way.add(node)
      const { id, parent }: CertificateNode = node
      if (parent === undefined) break
      node = byId.get(parent)
      if (!node) throw new Rejected(`node ${id}`, `there is no node ${parent}, its parent`)
    }
    for (const node of [...way].reverse()) placed.set(node.id, placeOf(node, placed, edges, flow))
  }
  return placed
}

const placeOf = (
  { id, parent, thread, edge: number }: CertificateNode,
  placed: ReadonlyMap<number, Placed>,
  edges: ReadonlyMap<number, Edge>,
  flow: ControlFlow,
): Placed => {
  if (parent === undefined) return { control: flow.initial(), edge: undefined }
  const { control } = placed.get(parent)!
  const edge = edges.get(number ?? -1)
  if (!edge) throw new Rejected(`node ${id}`, `the program has no edge ${number}`)
  const action = flow.actions(control).find((each) => each.thread === thread && each.edge === edge)
  if (!action) throw new Rejected(`node ${id}`, `thread ${thread} cannot take edge ${number} at node ${parent}`)
  return { control: flow.after(control, action), edge }
}

export const nodesOf = (
  { formulas, nodes }: GraphCertificate,
  controls: ReadonlyMap<number, Placed>,
  steps: Steps,
): ReadonlyMap<number, GraphNode> => {
  const terms = formulas.map((formula, i) =>
    formulaOf(formula, `certificate.data.formulas[${i}]`, (name) => steps.byName(name)),
  )
  const made = new Map<number, GraphNode>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  // `controls` has every parent before its children.
  for (const [id, { control, edge }] of controls) {
    const given = byId.get(id)!
    const parent = given.parent === undefined ? undefined : made.get(given.parent)!
    const label = and(given.label.map((i) => terms[i]!))
    const place = `node ${id}${edge ? ` (${edge.position.file}:${edge.position.line})` : ''}`
    const node: GraphNode = { given, place, control, label, parent, edge, children: [], isPossible: true }
    made.set(id, node)
    parent?.children.push(node)
  }
  return made
}

/** Objects of threads have addresses for so many threads only. */
export const checkReservedThreads = (program: Program, threads: number): void => {
  for (const { storage, instances, name } of program.objects)
    if (storage === 'thread' && instances !== undefined && instances < threads)
      throw new Rejected('data.nodes', `there are ${threads} threads, but addresses of ${name} for ${instances}`)
}

// ---- initiation, consecution, covers, safety

export const checkInitiation = ({ nodes, steps, proof }: CheckedGraph): void => {
  const roots = [...nodes.values()].filter((node) => !node.parent)
  if (roots.length === 0) throw new Rejected('data.nodes', 'there is no root')
  const labels = substitute(or(roots.map((root) => root.label)), steps.first())
  // What may be anything at first is still a value of its type.
  proof.require(steps.factsAbout(labels), labels, roots[0]!.place, 'the first state is not in its label')
}

export const checkNode = (graph: CheckedGraph, node: GraphNode, claims: GraphClaims): void => {
  if (failing(node.control)) throw new Rejected(node.place, 'is an error whose label is possible')
  if (node.given.coveredBy !== undefined) checkCover(graph, node, node.given.coveredBy)
  else checkSteps(graph, node, claims)
}

const checkCover = ({ nodes, steps, proof }: CheckedGraph, node: GraphNode, by: number): void => {
  const coverer = nodes.get(by)
  if (!coverer) throw new Rejected(node.place, `there is no node ${by} to cover it`)
  if (coverer.control.key !== node.control.key) throw new Rejected(node.place, `node ${by} is at other locations`)
  if (coverer.given.coveredBy !== undefined) throw new Rejected(node.place, `node ${by} is covered itself`)
  if (node.children.length > 0) throw new Rejected(node.place, 'is covered, and has successors')
  proof.require(withFacts(steps, node.label), coverer.label, node.place, `its label does not imply that of node ${by}`)
}

const checkSteps = ({ flow, steps, proof }: CheckedGraph, node: GraphNode, { overflowOpen }: GraphClaims): void => {
  const followed = new Set(node.given.threads ?? [])
  for (const action of flow.actions(node.control)) {
    if (!followed.has(action.thread)) continue
    const { thread, edge } = action
    const step = steps.of(node.control, action)
    const targets = node.children.filter((c) => c.edge === edge && c.given.thread === thread).map((c) => c.label)
    const after = substitute(or(targets), step.next)
    const where = `${node.place}, step of thread ${thread} at ${edge.position.file}:${edge.position.line}`
    const require = (premise: Term, conclusion: Term, why: string): void =>
      proof.require(and(premise, steps.factsAbout(premise, conclusion)), conclusion, where, why)
    require(and(node.label, step.guard, step.facts), after, 'leads out of the labels of its targets')
    for (const { kind, claim } of step.obligations)
      if (kind !== 'overflow' || !overflowOpen) require(node.label, claim, UNMET[kind])
  }
}

const UNMET: Readonly<Record<Obligation['kind'], string>> = {
  overflow: 'a signed operation may overflow',
  'heap-instances': 'no address may be left to allocate',
  'thread-instances': 'no address may be left for the objects of a thread',
  'allocation-size': 'more may be allocated than is reserved',
}
