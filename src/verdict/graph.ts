// What people see of a labelled graph: the statements that its edges stand for. Checkers do not need it.
import type { EdgeText } from '../certificate/index.js'
import type { Edge } from '../xcfa/index.js'

export type { EdgeText, GraphCertificate, Lane, PreferenceOrder } from '../certificate/index.js'

/** Each edge once, in the order of their numbers. */
export const edgeTexts = (edges: Iterable<Edge>): readonly EdgeText[] =>
  [...new Set(edges)]
    .sort((a, b) => a.id - b.id)
    .map(({ id, position: { file, line }, text }) => ({ id, file, line, text }))
