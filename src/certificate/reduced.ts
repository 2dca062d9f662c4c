// The validating reader of proofs up to commutativity: every index names something that is there, and parents come first.
import { field, flag, list, listOf, natural, oneOf, optional, Rejected, record, text } from './json.js'
import type { CertificateLetter, Lane, PreferenceOrder, ReducedCertificate, ReducedNode } from './model.js'

const PLACE = 'certificate.data'

/** Also of a part alone, for tests. */
export const reducedCertificate = (given: unknown): ReducedCertificate => {
  const data = record(given, PLACE)
  const formulas = listOf(field(data, 'formulas'), `${PLACE}.formulas`, text)
  const members = below(formulas.length, 'formula')
  const states = listOf(field(data, 'states'), `${PLACE}.states`, (each, place) => listOf(each, place, members))
  const letters = listOf(field(data, 'letters'), `${PLACE}.letters`, letterOf)
  const count = list(field(data, 'nodes'), `${PLACE}.nodes`).length
  return {
    arithmetic: oneOf(field(data, 'arithmetic'), ['int', 'wrapping', 'bv'] as const, `${PLACE}.arithmetic`),
    relaxed: listOf(field(data, 'relaxed'), `${PLACE}.relaxed`, relaxedOf),
    order: orderOf(field(data, 'order')),
    ...{ formulas, states, letters },
    nodes: list(field(data, 'nodes'), `${PLACE}.nodes`).map((each, i) =>
      nodeOf(each, i, { states: states.length, letters: letters.length, nodes: count }),
    ),
  }
}

const below =
  (count: number, what: string) =>
  (given: unknown, place: string): number => {
    const number = natural(given, place)
    if (number >= count) throw new Rejected(place, `there is no ${what} ${number}`)
    return number
  }

const letterOf = (given: unknown, place: string): CertificateLetter => {
  const letter = record(given, place)
  return {
    thread: natural(field(letter, 'thread'), `${place}.thread`),
    edges: listOf(field(letter, 'edges'), `${place}.edges`, natural),
  }
}

const relaxedOf = (given: unknown, place: string): ReducedCertificate['relaxed'][number] => {
  const relaxed = record(given, place)
  return {
    edge: natural(field(relaxed, 'edge'), `${place}.edge`),
    labels: listOf(field(relaxed, 'labels'), `${place}.labels`, natural),
  }
}

const orderOf = (given: unknown): PreferenceOrder => {
  const place = `${PLACE}.order`
  const order = record(given, place)
  const kind = oneOf(field(order, 'kind'), ['sequential', 'lanes', 'random'] as const, `${place}.kind`)
  switch (kind) {
    case 'sequential':
      return { kind }
    case 'lanes':
      return {
        kind,
        blocks: listOf(field(order, 'blocks'), `${place}.blocks`, (each, at) => listOf(each, at, laneOf)),
      }
    case 'random':
      return { kind, seed: natural(field(order, 'seed'), `${place}.seed`) }
  }
}

const laneOf = (given: unknown, place: string): Lane => {
  const lane = record(given, place)
  const rounds = natural(field(lane, 'rounds'), `${place}.rounds`)
  if (rounds === 0) throw new Rejected(place, 'a lane has at least one round')
  return { threads: listOf(field(lane, 'threads'), `${place}.threads`, natural), rounds }
}

const nodeOf = (
  given: unknown,
  i: number,
  counts: { readonly states: number; readonly letters: number; readonly nodes: number },
): ReducedNode => {
  const place = `${PLACE}.nodes[${i}]`
  const node = record(given, place)
  const letter = below(counts.letters, 'letter')
  const read: ReducedNode = {
    ...optional(node, 'parent', place, below(i, 'node before it')),
    ...optional(node, 'letter', place, letter),
    ...optional(node, 'coveredBy', place, below(counts.nodes, 'node')),
    ...optional(node, 'deadEnd', place, flag),
    state: below(counts.states, 'state')(field(node, 'state'), `${place}.state`),
    sleep: listOf(field(node, 'sleep'), `${place}.sleep`, letter),
  }
  const isRoot = read.parent === undefined
  if (isRoot !== (i === 0)) throw new Rejected(place, i === 0 ? 'is the root, and has a parent' : 'has no parent')
  if (isRoot !== (read.letter === undefined)) throw new Rejected(place, 'has a parent or a step from it, but not both')
  return read
}
