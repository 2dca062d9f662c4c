// Running the algorithm on C texts, with the tree at hand.
import { Impact, type ImpactOptions, type Outcome } from '../../../src/engine/impact/impact.js'
import { impactSteps } from '../../../src/engine/impact/policy.js'
import type { Node } from '../../../src/engine/impact/tree.js'
import { errorsOf } from '../../../src/property/index.js'
import type { Smt } from '../../../src/smt/index.js'
import { Transitions } from '../../../src/symbolic/index.js'
import { accessesOf, type Edge, type Program } from '../../../src/xcfa/index.js'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { type Arithmetic, createEncoding } from '../../../src/xcfa/terms/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { libraryKinds, withSmt } from '../../smt/backends.js'

export const compiled = async (text: string): Promise<Program> => compileProgram(await testParser(), text)

export const solver = (): Promise<Smt> => withSmt(libraryKinds[0]!, (smt) => smt)

const OPTIONS: ImpactOptions = {
  por: 'dpor',
  forceCover: true,
  interpolation: 'wp',
  conditionalDependence: true,
  pruneEdges: true,
}

export interface Run {
  readonly impact: Impact
  readonly transitions: Transitions
  readonly outcome: Outcome
}

export const run = (
  raw: Program,
  smt: Smt,
  options: Partial<ImpactOptions> = {},
  arithmetic: Arithmetic = 'bv',
): Run => {
  const transitions = new Transitions(prepare(errorsOf(raw, 'assert')), createEncoding(arithmetic), impactSteps)
  const env = { stopped: () => undefined, progress: () => {} }
  const impact = new Impact(transitions, smt, { ...OPTIONS, ...options }, env)
  return { impact, transitions, outcome: impact.main() }
}

// ---- Definition 4.3

const concernsThreads = ({ labels }: Edge): boolean => labels.some(({ kind }) => kind === 'start' || kind === 'join')

const independent = (a: Edge, b: Edge): boolean =>
  !concernsThreads(a) &&
  !concernsThreads(b) &&
  accessesOf(a).every((x) =>
    accessesOf(b).every((y) => {
      if (!x.write && !y.write) return true
      if (x.kind !== 'variable' || y.kind !== 'variable') return x.kind === 'variable' || y.kind === 'variable'
      return x.variable !== y.variable
    }),
  )

/** A step that nobody else can notice belongs to the one before it: large blocks join most of them, not all. */
const isLocal = (edge: Edge): boolean =>
  edge.back !== true &&
  edge.target.kind !== 'final' &&
  !concernsThreads(edge) &&
  accessesOf(edge).every((access) => access.kind === 'memory' && access.region.scope === 'local')

const lastVisible = (v: Node | undefined): Node | undefined =>
  v?.step && isLocal(v.step.action.edge) ? lastVisible(v.parent) : v

/** Nodes whose path is not monotonic, and that neither LOOP nor a cover nor an atomic block explains. */
export const unexcused = ({ tree, flow }: Impact): readonly string[] =>
  tree.nodes
    .filter((w) => {
      const [second, first] = [w.step, lastVisible(w.parent)?.step]
      if (!second || !first || second.action.thread >= first.action.thread) return false
      if (second.forCover || first.action.edge.back || first.action.edge.source.atomic) return false
      // An action is all that the thread may do next.
      return flow.edgesFrom(second.action.edge.source).every((edge) => independent(first.action.edge, edge))
    })
    .map((w) => `node ${w.id}: ${w.step!.action.edge.text}`)
