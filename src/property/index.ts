// Properties by the names of semantics.md.
export const PROPERTIES = [
  'assert',
  'unreach-call',
  'no-data-race',
  'no-deadlock',
  'termination',
  'no-overflow',
  'valid-memsafety',
] as const
export type Property = (typeof PROPERTIES)[number]
