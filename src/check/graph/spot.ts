// A cheap look at a labelled graph before TRUE is said: the root, all errors, and some nodes with their steps and covers,
// by the checker's own formulas. It finds what is wrong with a proof as a whole (a root that is False, an error whose
// label is possible); `heddle check` looks at every node, and at what a reduction left out.
import { type CertificateNode, type GraphCertificate, Rejected } from '../../certificate/index.js'
import { FALSE } from '../../logic/index.js'
import { ControlFlow, failing } from '../../semantics/control.js'
import { type Smt, SolverError } from '../../smt/index.js'
import { type Program, Unsupported } from '../../xcfa/index.js'
import { createEncoding, NotExpressible } from '../../xcfa/terms/index.js'
import { Proof, Undecided } from '../proof.js'
import { Steps } from '../steps.js'
import {
  type CheckedGraph,
  checkInitiation,
  checkNode,
  controlsOf,
  type GraphClaims,
  nodesOf,
  withFacts,
} from './graph.js'

/** How many nodes are looked at, evenly spread over the graph. */
const SAMPLE = 16
/** Of larger graphs not even the errors are looked at. */
const MAX_NODES = 20_000

/** What is wrong with the proof, as far as it was looked at; undefined: nothing was found. */
export const spotCheckGraph = (
  program: Program,
  certificate: GraphCertificate,
  claims: GraphClaims,
  smt: Smt,
  stopped: () => string | undefined,
): string | undefined => {
  if (certificate.nodes.length > MAX_NODES) return undefined
  const flow = new ControlFlow(program)
  const encoding = createEncoding(certificate.arithmetic, { pointerWidth: program.dataModel === 'ilp32' ? 32 : 64 })
  const proof = new Proof(smt, stopped)
  try {
    const controls = controlsOf(certificate.nodes, flow)
    const threads = Math.max(1, ...[...controls.values()].map(({ control }) => control.threads.length))
    const steps = new Steps(program, encoding, threads, certificate.strayAccess === 'stops')
    const errors = certificate.nodes.filter(({ id }) => failing(controls.get(id)!.control))
    const chosen = sampleOf(certificate.nodes)
    const part = partOf(certificate, new Set([...errors, ...chosen]))
    const kept = new Set(part.nodes.map(({ id }) => id))
    const nodes = nodesOf(part, new Map([...controls].filter(([id]) => kept.has(id))), steps)
    const graph: CheckedGraph = { flow, steps, proof, nodes }
    checkInitiation(graph)
    for (const given of new Set([...errors, ...chosen])) {
      const node = nodes.get(given.id)!
      node.isPossible = !proof.implies(withFacts(steps, node.label), FALSE, node.place)
      if (node.isPossible) checkNode(graph, node, claims)
    }
    return undefined
  } catch (problem) {
    if (problem instanceof Rejected) return problem.message
    // Not looked at is not wrong.
    if ([Undecided, SolverError, Unsupported, NotExpressible].some((kind) => problem instanceof kind)) return undefined
    throw problem
  } finally {
    proof.dispose()
  }
}

const sampleOf = (nodes: readonly CertificateNode[]): readonly CertificateNode[] => {
  const distance = Math.max(1, nodes.length / SAMPLE)
  return Array.from({ length: Math.min(SAMPLE, nodes.length) }, (_, i) => nodes[Math.floor(i * distance)]!)
}

/** The graph with these nodes, their ancestors, children and coverers, and the formulas of those only. */
const partOf = (certificate: GraphCertificate, chosen: ReadonlySet<CertificateNode>): GraphCertificate => {
  const byId = new Map(certificate.nodes.map((node) => [node.id, node]))
  const kept = new Set<CertificateNode>()
  const keep = (node: CertificateNode | undefined): void => {
    for (let at = node; at && !kept.has(at); at = at.parent === undefined ? undefined : byId.get(at.parent))
      kept.add(at)
  }
  for (const node of certificate.nodes) if (node.parent === undefined) keep(node)
  for (const node of chosen) {
    keep(node)
    if (node.coveredBy !== undefined) keep(byId.get(node.coveredBy))
  }
  for (const node of certificate.nodes) if (node.parent !== undefined && chosen.has(byId.get(node.parent)!)) keep(node)
  const numbers = new Map<number, number>()
  const renumbered = (label: number): number => {
    if (!numbers.has(label)) numbers.set(label, numbers.size)
    return numbers.get(label)!
  }
  const nodes = certificate.nodes
    .filter((node) => kept.has(node))
    .map((node) => ({ ...node, label: node.label.map(renumbered) }))
  return { ...certificate, nodes, formulas: [...numbers.keys()].map((number) => certificate.formulas[number]!) }
}
