// Inlining: every call becomes a copy of its procedure, every started function a template of its own. Constants are
// propagated into the copies, so that recursion with a known bound ends; other recursion is Unsupported.
//
// A procedure of a library model (its file is named like <pthread.h>) shows the place and text of the program's call.
import type {
  MemoryObject,
  PointerType,
  Procedure,
  Program,
  Region,
  Slot,
  Unit,
  Unsupported,
  Variable,
} from '../../index.js'
import { POINTER } from '../../index.js'
import { type AddressSpace, FIRST_ADDRESS } from './addresses.js'
import { factsOf, type ProcedureFacts } from './facts.js'
import type { Template } from './growth.js'
import { expandEntry, expandThread } from './templates.js'
import { tidy } from './tidy.js'
import { settleUninitialised } from './uninitialised.js'

export const DEFAULT_DEPTH = 8

export interface InlineOptions {
  /** How deep a recursion may go whose arguments are not constants; below the default, any recursion. */
  readonly recursionLimit?: number
  readonly edgeLimit?: number
  /**
   * Told of each construct that is not modelled: executions that come to it are cut there, so that violations without
   * it can be found, and nothing proved. Absent: the first one is thrown.
   */
  readonly cut?: (problem: Unsupported) => void
}

/** Models of the body of a thread, for functions that return a pointer and an integer: `wrapper(f, argument)`. */
export const THREAD_MAIN = ['__heddle_thread_main', '__heddle_thread_main_int'] as const
export const THREAD_EPILOGUE = '__heddle_thread_epilogue'

/** What the copies of all templates share. */
export interface Inliner {
  readonly unit: Unit
  readonly recursionLimit: number
  readonly edgeLimit: number
  readonly memory: Region
  readonly objects: Program['objects'][number][]
  readonly space: AddressSpace
  readonly functionAt: ReadonlyMap<number, string>
  readonly addressOf: ReadonlyMap<string, number>
  /** Functions that are started as threads. */
  readonly threads: Set<string>
  facts(procedure: Procedure): ProcedureFacts
  /** The procedure's frame objects, with the variables that stand for their addresses. */
  frames(procedure: Procedure): readonly (readonly [Variable, MemoryObject])[]
  /** What is not modelled is reached: throws, unless executions may be cut there. */
  cut(problem: Unsupported): void
  fresh(): number
  countEdge(): number
}

export const inline = (unit: Unit, options: InlineOptions = {}): Program => {
  const inliner = createInliner(unit, options)
  const templates = new Map<string, Procedure>()
  const main = finish(expandEntry(inliner))
  templates.set(main.name, main)
  // The set grows while it is walked.
  for (const name of inliner.threads) templates.set(templateName(unit, name), finish(expandThread(inliner, name)))
  const slots = inliner.memory.slots as Slot[]
  for (const object of inliner.objects) slots.push({ object, offset: 0, step: 1, count: object.size })
  return renumbered({
    dataModel: unit.dataModel,
    main,
    templates,
    globals: unit.globals,
    regions: [inliner.memory],
    objects: inliner.objects,
  })
}

/** The entry may be started as a thread too; it is another template then. */
export const templateName = (unit: Unit, procedure: string): string =>
  procedure === unit.entry ? `thread ${procedure}` : procedure

const createInliner = (unit: Unit, options: InlineOptions): Inliner => {
  const variableOf = new Map([...(unit.frames ?? [])].map(([variable, object]) => [object, variable]))
  const functions = unit.objects.filter((object) => object.procedure !== undefined)
  const facts = new Map<Procedure, ProcedureFacts>()
  // Ids are compared across what the unit has already and what is copied: they must never meet.
  let id = 1 + Math.max(0, ...[...unit.objects, ...unit.globals].map((known) => known.id))
  let edges = 0
  return {
    unit,
    recursionLimit: options.recursionLimit ?? DEFAULT_DEPTH,
    edgeLimit: options.edgeLimit ?? 200_000,
    memory: { ...unit.memory, slots: [] },
    objects: [...unit.objects],
    space: {
      next: Math.max(FIRST_ADDRESS, ...unit.objects.map((o) => o.base + o.stride * (o.instances ?? 1))),
      ...(unit.gap !== undefined ? { gap: unit.gap } : {}),
    },
    functionAt: new Map(functions.map((object) => [object.base, object.procedure!])),
    addressOf: new Map(functions.map((object) => [object.procedure!, object.base])),
    threads: new Set(),
    facts(procedure) {
      let known = facts.get(procedure)
      if (!known) facts.set(procedure, (known = factsOf(procedure)))
      return known
    },
    frames: (procedure) =>
      procedure.objects.flatMap((object) => {
        const variable = variableOf.get(object)
        return variable ? [[variable, object] as const] : []
      }),
    cut(problem) {
      if (!options.cut) throw problem
      options.cut(problem)
    },
    fresh: () => id++,
    countEdge: () => ++edges,
  }
}

const finish = (template: Template): Procedure => {
  settleUninitialised(template)
  const { uninitialised: _, ...procedure } = template
  return tidy(procedure, { joins: (edge) => 'library' in edge })
}

/** Edges and locations are numbered through the program, in order. */
const renumbered = (program: Program): Program => {
  let edgeId = 0
  let locationId = 0
  const rename = (procedure: Procedure): Procedure => {
    const locations = new Map(procedure.locations.map((location) => [location, { ...location, id: locationId++ }]))
    const edges = procedure.edges.map((edge) => {
      const { library: _, ...rest } = edge as typeof edge & { library?: boolean }
      return { ...rest, id: edgeId++, source: locations.get(edge.source)!, target: locations.get(edge.target)! }
    })
    return {
      ...procedure,
      locations: [...locations.values()],
      initial: locations.get(procedure.initial)!,
      final: locations.get(procedure.final)!,
      edges,
    }
  }
  const templates = new Map([...program.templates].map(([name, procedure]) => [name, rename(procedure)]))
  return { ...program, templates, main: templates.get(program.main.name)! }
}

export const pointerOf = (unit: Unit): PointerType => POINTER[unit.dataModel === 'lp64' ? 64 : 32]
