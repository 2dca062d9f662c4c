// A CEGAR run in pieces: the abstractor and the refiner over a program with a first precision of one's choice.
import type { SearchOrder } from '../../../src/arg/index.js'
import { Abstractor } from '../../../src/engine/cegar/abstractor.js'
import { Domain, Enumeration, Precision } from '../../../src/engine/cegar/domain/index.js'
import { cegarSteps } from '../../../src/engine/cegar/policy.js'
import { type RefinerParts, refinePath } from '../../../src/engine/cegar/refiner.js'
import type { ArgNode, Reduction } from '../../../src/engine/cegar/selection.js'
import type { DependenceKind } from '../../../src/reduction/index.js'
import { ControlFlow } from '../../../src/semantics/control.js'
import { createSmt, Queries, type Smt } from '../../../src/smt/index.js'
import { Transitions } from '../../../src/symbolic/index.js'
import type { Program, Variable } from '../../../src/xcfa/index.js'
import { markBackEdges } from '../../../src/xcfa/passes/index.js'
import { createEncoding } from '../../../src/xcfa/terms/index.js'

export const forever = { stopped: () => undefined, progress: () => {} }

let loaded: Promise<Smt> | undefined
export const testSmt = (): Promise<Smt> => (loaded ??= createSmt('auto'))

export interface PieceOptions {
  readonly reduction: Reduction
  readonly dependence?: DependenceKind
  readonly search?: SearchOrder
  readonly tracked?: readonly Variable[]
  readonly sleep?: boolean
  readonly guarded?: boolean
}

/** Explicit values in bit-vectors. */
export const pieces = async (raw: Program, options: PieceOptions) => {
  const smt = await testSmt()
  const program = markBackEdges(raw)
  const transitions = new Transitions(program, createEncoding('bv'), cegarSteps)
  const precision = new Precision()
  for (const v of options.tracked ?? []) precision.track(transitions.variable(v, 0))
  const domain = new Domain({
    precision,
    queries: new Queries(smt),
    enumeration: new Enumeration(smt, { most: 8 }),
    fact: (v) => transitions.inRange(v),
    predicates: 'cartesian',
  })
  const flow = new ControlFlow(program)
  const abstractor = new Abstractor({
    flow,
    domain,
    transitions,
    search: options.search ?? 'bfs',
    reduction: options.reduction,
    dependence: options.dependence ?? 'objects',
    sleep: options.sleep ?? false,
    guarded: options.guarded ?? false,
    property: 'assert',
  })
  const refiner: RefinerParts = {
    smt,
    domain,
    transitions,
    rule: { kind: 'values', followsValues: () => false, instances: (v) => [v] },
    options: { method: 'core', timeoutMs: 20_000 },
    transitionInto: (node: ArgNode) => abstractor.transitionOf(node.parent!.control, node.incoming!.action),
  }
  return { program, transitions, precision, domain, abstractor, refine: (node: ArgNode) => refinePath(refiner, node) }
}
