// An execution for people: events with names and values, and the edges worth drawing. Neither litmus tests nor
// programs: whoever has an execution makes a view of it, and the outputs draw it.
import type { Violation } from './explain.js'
import { type Event, INITIAL } from './graph.js'
import type { Relation } from './relation.js'

export interface EventView {
  readonly id: number
  /** INITIAL for the write of an initial value. */
  readonly thread: number
  /** Like `W[REL] x=1`. */
  readonly label: string
  /** The parts of the label: R, W or F, the sets of the model that it belongs to, and `x=1`. */
  readonly kind?: string
  readonly tags?: readonly string[]
  readonly access?: string
  /** The instruction or statement that it comes from, and its line. */
  readonly text?: string
  readonly line?: number
}

export interface EdgeView {
  readonly relation: string
  readonly from: number
  readonly to: number
}

/** A statement that the violation is about: the assertion that fails, the accesses that race. */
export interface TargetView {
  readonly thread: number
  readonly file: string
  readonly line: number
  readonly column: number
  readonly text: string
}

export interface ExecutionView {
  /** Of a program: its threads with their names. */
  readonly threads?: readonly { readonly number: number; readonly name: string }[]
  readonly events: readonly EventView[]
  /** Immediate program order, reads-from, immediate coherence, from-read, read-modify-write, dependencies. */
  readonly edges: readonly EdgeView[]
  /** What else there is to say: where a race is, and what would order it. */
  readonly notes?: readonly string[]
  /** Of a program: where it goes wrong. */
  readonly targets?: readonly TargetView[]
  /** For an execution that the model forbids: the axiom, and the cycle or pair that violates it. */
  readonly violation?: {
    readonly axiom: string
    readonly steps: readonly { readonly from: number; readonly to: number; readonly because: readonly EdgeView[] }[]
  }
}

/** `describe`: the location and the value of an access. */
export const viewExecution = (
  events: readonly Event[],
  relations: Readonly<Record<'po' | 'rf' | 'co' | 'rmw' | 'addr' | 'data' | 'ctrl', Relation>>,
  describe: (event: Event) => { readonly access?: string; readonly text?: string; readonly line?: number },
  violation?: Violation,
): ExecutionView => {
  const { po, rf, co } = relations
  const fr = rf.inverse().compose(co)
  const all = (relation: string, value: Relation): EdgeView[] =>
    [...value.pairs()].map(([from, to]) => ({ relation, from, to }))
  const immediate = (value: Relation): Relation => value.minus(value.compose(value))
  const isInitial = (id: number): boolean => events[id]!.thread === INITIAL
  return {
    events: events.map((event) => {
      const { access, text, line } = describe(event)
      const tags = event.tags.length > 0 ? `[${event.tags.join(',')}]` : ''
      return {
        id: event.id,
        thread: event.thread,
        label: `${event.kind}${tags}${access === undefined ? '' : ` ${access}`}`,
        ...{ kind: event.kind, tags: event.tags },
        ...(access !== undefined && { access }),
        ...(text !== undefined && { text }),
        ...(line !== undefined && { line }),
      }
    }),
    edges: [
      ...all('po', immediate(po)),
      ...all('rf', rf),
      ...all('co', immediate(co)).filter(({ from }) => !isInitial(from)),
      ...all('fr', immediate(fr.union(co)).intersect(fr)),
      ...all('rmw', relations.rmw),
      ...all('addr', relations.addr),
      ...all('data', relations.data.minus(relations.rmw)),
      ...all('ctrl', immediate(relations.ctrl.union(po)).intersect(relations.ctrl)),
    ],
    ...(violation && {
      violation: {
        axiom: violation.axiom.name,
        steps: violation.steps.map(({ from, to, reasons }) => ({ from, to, because: reasons })),
      },
    }),
  }
}
