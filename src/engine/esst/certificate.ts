// The certificate of a proof: the forest as plain data. Locations, scheduler states and handles are not in it: whoever
// checks it (check.ts) executes the edges and the scheduler again.
import type { ForestCertificateNode as CertificateNode } from '../../certificate/index.js'
import { print } from '../../logic/index.js'
import type { Forest } from './forest.js'
import { type ForestNode, factsOf, schedulerKey } from './node.js'

export type { ForestCertificate, ForestCertificateNode as CertificateNode } from '../../certificate/index.js'

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
