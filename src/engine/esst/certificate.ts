// The certificate of a proof: the forest as plain data. Locations, scheduler states and handles are not in it: whoever
// checks it (check.ts) executes the edges and the scheduler again.
import { print } from '../../logic/index.js'
import type { Arithmetic } from '../../xcfa/terms/index.js'
import type { Forest } from './forest.js'
import { type ForestNode, factsOf, schedulerKey } from './node.js'

export interface ForestCertificate {
  readonly scheduler: string
  readonly order: 'anew' | 'fixed'
  readonly arithmetic: Arithmetic
  /** Whether persistent sets were used; whether blocks commute by what regions let them do. */
  readonly persistent: boolean
  readonly guarded: boolean
  /** Cycles that no execution follows were not expanded: such a proof is not checked. */
  readonly spuriousCycles: number
  readonly nodes: readonly CertificateNode[]
}

export interface CertificateNode {
  readonly id: number
  readonly parent?: number
  /** Of the program for forests (program.ts), executed by the running thread; absent: a connector. */
  readonly edge?: number
  /** Values of the primitive's arguments, where they are not all static. */
  readonly args?: readonly number[]
  /** Of a connector: the number of the scheduler's state, in the order in which it names them. */
  readonly choice?: number
  /** What holds of data, as SMT-LIB terms over the names of xcfa/terms/path.ts. */
  readonly label: readonly string[]
  readonly sleep?: readonly number[]
  readonly coveredBy?: number
}

export const nodesOf = (forest: Forest): readonly CertificateNode[] => {
  const { scheduler } = forest.ground
  const choiceOf = ({ parent, scheduler: state }: ForestNode): number =>
    scheduler.schedule(parent!.scheduler).findIndex((each) => schedulerKey(each) === schedulerKey(state))
  return [...forest.nodes()]
    .filter((node) => !node.isDead)
    .map((node): CertificateNode => {
      const { via } = node
      return {
        id: node.id,
        ...(node.parent && { parent: node.parent.id }),
        ...(via?.kind === 'edge' && { edge: via.edge.id, ...(via.args && { args: via.args }) }),
        ...(via?.kind === 'connector' && { choice: choiceOf(node) }),
        label: factsOf(node).map((fact) => print(fact)),
        ...(node.sleep.size > 0 && { sleep: [...node.sleep] }),
        ...(node.coveredBy && { coveredBy: node.coveredBy.id }),
      }
    })
}
