// Whether a reduced product proves that no error is reachable. Take an error run that is as short as any, and of those the
// one that the order prefers where they first differ. It follows the graph from the root, its states satisfy the labels on
// the way, and it cannot come to a step that sleeps: that step could be swapped to where it was preferred, which makes a
// run to the same error that the order prefers. So it follows the graph to its end, where no error is. For this:
// - the first states are in the root's label, where nothing sleeps (initiation);
// - a step that does not sleep leads into the label of its target, or is impossible (consecution);
// - a step sleeps in a target only if it slept before or was preferred, and may go first (swaps.ts);
// - a covered node has all assertions and all sleeping steps of its coverer, the same vector and state of the order;
// - what steps take for granted holds, of sleeping steps, too: where it fails, a run has gone wrong (kept.ts), unless
//   nobody comes to an error from there anyway;
// - a node without successors is a dead end (dead-end.ts); no node is at an error.
import { type ReducedCertificate, Rejected } from '../../certificate/index.js'
import { and, FALSE, substitute, type Term } from '../../logic/index.js'
import { type Control, ControlFlow, failing } from '../../semantics/control.js'
import type { Smt } from '../../smt/index.js'
import type { Procedure, Program, Variable } from '../../xcfa/index.js'
import { indexedRegions, relaxedBy, unsizedObjects } from '../../xcfa/passes/index.js'
import { createEncoding, isOwed } from '../../xcfa/terms/index.js'
import { formulaOf } from '../formula.js'
import { checkReservedThreads } from '../graph/graph.js'
import { Proof } from '../proof.js'
import { Steps } from '../steps.js'
import { threadsOf } from '../threads.js'
import { DeadEnds } from './dead-end.js'
import { Kept, type Owed } from './kept.js'
import { type Letter, Letters, letterKey } from './letters.js'
import { Liveness } from './liveness.js'
import { type Preference, preferenceOf } from './order.js'
import { Swaps } from './swaps.js'

interface Node {
  readonly place: string
  readonly control: Control
  /** The state of the order. */
  readonly turn: string
  readonly label: Term
  readonly sleep: ReadonlySet<string>
  readonly coveredBy: number | undefined
  readonly isDeadEnd: boolean
  /** By the key of the step. */
  readonly children: Map<string, Node>
}

export interface ReducedClaims {
  /** The ledger says that no signed operation overflows, without having shown it. */
  readonly overflowOpen: boolean
}

/** How many questions were asked; throws `Rejected` or `Undecided`. */
export const checkReduced = (
  prepared: Program,
  certificate: ReducedCertificate,
  { overflowOpen }: ReducedClaims,
  smt: Smt,
  stopped: () => string | undefined,
): number => {
  const program = relaxedProgram(prepared, certificate)
  const flow = new ControlFlow(program)
  const letters = new Letters(flow)
  const preference = preferenceOf(certificate.order)
  const placed = placesOf(certificate, flow, letters, preference)
  const most = Math.max(1, ...placed.map(({ control }) => control.threads.length))
  checkReservedThreads(program, most)
  const encoding = createEncoding(certificate.arithmetic === 'bv' ? 'bv' : 'int', {
    pointerWidth: program.dataModel === 'ilp32' ? 32 : 64,
    wrapping: certificate.arithmetic === 'wrapping',
  })
  const liveness = new Liveness(program)
  const isSet = (template: Procedure, v: Variable): boolean => !liveness.isDead(v, template.initial)
  const steps = new Steps(program, encoding, most, false, isSet, indexedRegions(program))
  const nodes = nodesOf(certificate, placed, steps)
  const proof = new Proof(smt, stopped)
  try {
    const unsized = unsizedObjects(program)
    const owed = ({ kind, object }: Owed): boolean =>
      isOwed(kind, !overflowOpen) && !(kind === 'allocation-size' && object !== undefined && unsized.has(object))
    const threads = threadsOf(program)
    const kept = new Kept(program, steps, proof, threads, owed)
    const parts: Parts = {
      ...{ letters, steps, proof, preference, kept, isOwed: owed, nodes, triples: new Set<string>() },
      swaps: new Swaps(liveness, letters, steps, proof, threads),
      deadEnds: new DeadEnds(program, flow, threads, kept),
    }
    checkInitiation(parts)
    for (const node of nodes) checkNode(parts, node)
    return proof.questions
  } finally {
    proof.dispose()
  }
}

/**
 * Every run of the program is one of the relaxed program, if its steps do not rely on conditions that are left out: in
 * arithmetic that wraps, what a step computes is defined in all states.
 */
const relaxedProgram = (program: Program, { relaxed, arithmetic }: ReducedCertificate): Program => {
  if (relaxed.length === 0) return program
  if (arithmetic === 'int')
    throw new Rejected('certificate.data.relaxed', 'conditions are left out, and sums may overflow')
  const found = relaxedBy(program, relaxed)
  if (!found) throw new Rejected('certificate.data.relaxed', 'something is left out that is no plain condition')
  return found
}

interface Parts {
  readonly letters: Letters
  readonly steps: Steps
  readonly proof: Proof
  readonly preference: Preference
  readonly kept: Kept
  readonly swaps: Swaps
  readonly deadEnds: DeadEnds
  readonly isOwed: (owed: Owed) => boolean
  readonly nodes: readonly Node[]
  /** What was asked and holds. */
  readonly triples: Set<string>
}

// ---- reading

interface Placed {
  readonly control: Control
  readonly turn: string
  readonly letter: Letter | undefined
}

/** The vector and the state of the order of each node, by the way to it. */
const placesOf = (
  { nodes, letters: written }: ReducedCertificate,
  flow: ControlFlow,
  letters: Letters,
  preference: Preference,
): readonly Placed[] => {
  const placed: Placed[] = []
  for (const [i, { parent, letter: number }] of nodes.entries()) {
    const from = parent === undefined ? undefined : placed[parent]!
    if (!from) {
      placed.push({ control: flow.initial(), turn: preference.first, letter: undefined })
      continue
    }
    const { thread, edges } = written[number!]!
    const letter = letters.at(from.control).get(letterKey(thread, edges))
    if (!letter) throw new Rejected(`node ${i}`, `thread ${thread} has no such step at node ${parent}`)
    placed.push({ control: letters.after(from.control, letter), turn: preference.next(from.turn, letter), letter })
  }
  if (placed.length === 0) throw new Rejected('certificate.data.nodes', 'there is no root')
  return placed
}

const nodesOf = (certificate: ReducedCertificate, placed: readonly Placed[], steps: Steps): readonly Node[] => {
  const terms = certificate.formulas.map((formula, i) =>
    formulaOf(formula, `certificate.data.formulas[${i}]`, (name) => steps.byName(name)),
  )
  const labels = certificate.states.map((members) => and(members.map((i) => terms[i]!)))
  const keys = certificate.letters.map(({ thread, edges }) => letterKey(thread, edges))
  const made: Node[] = []
  for (const [i, { parent, state, sleep, coveredBy, deadEnd = false }] of certificate.nodes.entries()) {
    const { control, turn, letter } = placed[i]!
    const position = letter?.edges[0]?.position
    const place = `node ${i}${position ? ` (${position.file}:${position.line})` : ''}`
    const node: Node = {
      ...{ place, control, turn, label: labels[state]!, sleep: new Set(sleep.map((s) => keys[s]!)), coveredBy },
      ...{ isDeadEnd: deadEnd, children: new Map<string, Node>() },
    }
    made.push(node)
    const siblings = parent === undefined ? undefined : made[parent]!.children
    if (siblings?.has(letter!.key)) throw new Rejected(place, `node ${parent} has two successors by one step`)
    siblings?.set(letter!.key, node)
  }
  return made
}

// ---- the rules

const checkInitiation = ({ nodes, steps, proof }: Parts): void => {
  const { label, place, sleep } = nodes[0]!
  if (sleep.size > 0) throw new Rejected(place, 'nothing sleeps at first')
  const first = substitute(label, steps.first())
  proof.require(steps.factsAbout(first), first, place, 'the first state is not in its label')
}

const checkNode = (parts: Parts, node: Node): void => {
  if (failing(node.control)) throw new Rejected(node.place, 'is an error whose label is possible')
  if (node.coveredBy !== undefined) checkCover(parts, node, node.coveredBy)
  else checkExplored(parts, node)
}

const checkExplored = (parts: Parts, node: Node): void => {
  if (node.isDeadEnd && parts.deadEnds.isDoomed(node.control)) return
  const letters = [...parts.letters.at(node.control).values()]
  checkObligations(parts, node, letters)
  if (!node.isDeadEnd) checkSuccessors(parts, node, letters)
  else if (!parts.deadEnds.isDeadEnd(node.control, letters, node.sleep))
    throw new Rejected(node.place, 'is no dead end: an error may be reachable without the threads that sleep')
}

const checkCover = ({ nodes, steps, proof, triples }: Parts, node: Node, by: number): void => {
  const coverer = nodes[by]!
  if (coverer.coveredBy !== undefined) throw new Rejected(node.place, `node ${by} is covered itself`)
  if (node.children.size > 0) throw new Rejected(node.place, 'is covered, and has successors')
  if (coverer.control.key !== node.control.key || coverer.turn !== node.turn)
    throw new Rejected(node.place, `node ${by} is elsewhere`)
  if (![...coverer.sleep].every((key) => node.sleep.has(key)))
    throw new Rejected(node.place, `steps that may be taken here sleep at node ${by}`)
  once(triples, `cover ${node.label.id} ${coverer.label.id}`, () =>
    proof.require(
      and(node.label, steps.factsAbout(node.label)),
      coverer.label,
      node.place,
      `its label does not imply that of node ${by}`,
    ),
  )
}

/** Of sleeping steps, too: what holds before a step need not hold after another one, although the two commute. */
const checkObligations = (parts: Parts, node: Node, letters: readonly Letter[]): void => {
  const { steps, proof, kept, isOwed: owed, triples } = parts
  for (const letter of letters) {
    if (letter.edges.every((edge) => kept.isKept(edge))) continue
    for (const obligation of parts.letters.formula(steps, node.control, letter).obligations)
      if (owed(obligation)) {
        const where = `${node.place}, step of thread ${letter.thread}`
        const { claim } = obligation
        once(triples, `owed ${node.label.id} ${claim.id}`, () =>
          proof.require(
            and(node.label, steps.factsAbout(node.label, claim)),
            claim,
            where,
            `what it takes for granted may fail (${obligation.kind})`,
          ),
        )
      }
  }
}

const checkSuccessors = (parts: Parts, node: Node, letters: readonly Letter[]): void => {
  const { steps, proof, triples } = parts
  for (const letter of letters) {
    if (node.sleep.has(letter.key)) continue
    const { guard, facts, next } = parts.letters.formula(steps, node.control, letter)
    const target = node.children.get(letter.key)
    const where = `${node.place}, step of thread ${letter.thread} at ${letter.edges[0]!.position.file}:${letter.edges[0]!.position.line}`
    const after = target ? substitute(target.label, next) : FALSE
    const premise = and(node.label, guard, facts)
    const why = target ? 'leads out of the label of its target' : 'is possible, and has no target'
    once(triples, `${premise.id} ${after.id}`, () =>
      proof.require(and(premise, steps.factsAbout(premise, after)), after, where, why),
    )
    if (target) checkSleep(parts, node, letter, target)
  }
}

const checkSleep = ({ letters, preference, swaps }: Parts, node: Node, letter: Letter, target: Node): void => {
  for (const key of target.sleep) {
    const sleeper = letters.at(node.control).get(key)
    if (!sleeper) throw new Rejected(target.place, `a step sleeps that was not there before (${key})`)
    if (!node.sleep.has(key) && !preference.prefers(node.turn, node.control, sleeper.thread, letter.thread))
      throw new Rejected(target.place, `a step of thread ${sleeper.thread} sleeps that was not preferred`)
    if (!swaps.mayGoFirst(sleeper, letter, node.control, node.label, target.place))
      throw new Rejected(target.place, `a step of thread ${sleeper.thread} sleeps that may not be swapped`)
  }
}

const once = (done: Set<string>, key: string, check: () => void): void => {
  if (done.has(key)) return
  check()
  done.add(key)
}
