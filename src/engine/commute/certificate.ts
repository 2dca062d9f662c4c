// The certificate of a proof; see src/certificate/model.ts.
import type { Certificate } from '../../verdict/index.js'
import type { Attempt } from './attempt.js'

export const certificateOf = ({ counts }: Attempt): Certificate => ({
  kind: 'abstract-reachability',
  data: { nodes: counts.nodes },
})
