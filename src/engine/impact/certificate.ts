// The certificate of a proof: the tree with its labels and covers (Definitions 4.4 and 4.5), as plain data. A checker
// needs the program, prepared alike, to see that it is well-labelled, safe and complete for the monotonic paths.
import { print } from '../../logic/index.js'
import type { Certificate } from '../../verdict/index.js'
import type { Impact } from './impact.js'
import type { Transitions } from './transition.js'

export interface CertificateNode {
  readonly id: number
  readonly parent?: number
  readonly thread?: number
  readonly edge?: number
  readonly label: readonly string[]
  readonly coveredBy?: number
}

export const certificateOf = (impact: Impact, { encoding }: Transitions): Certificate => ({
  kind: 'impact-tree',
  data: {
    arithmetic: encoding.arithmetic,
    nodes: impact.tree.nodes
      .filter((node) => !node.parent?.hidden)
      .map(
        (node): CertificateNode => ({
          id: node.id,
          ...(node.parent && { parent: node.parent.id }),
          ...(node.step && { thread: node.step.action.thread, edge: node.step.action.edge.id }),
          label: [...node.label].map((conjunct) => print(conjunct)),
          ...(node.coveredBy && { coveredBy: node.coveredBy.id }),
        }),
      ),
  },
})
