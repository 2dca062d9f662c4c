// Checking proofs without the engines that found them.
export {
  type CertificateNode,
  GRAPH_KIND,
  type GraphCertificate,
  graphCertificate,
  Rejected,
  Undecided,
} from './certificate.js'
export { checkGraph } from './graph.js'
export { mayRaceSomewhere } from './locks.js'
