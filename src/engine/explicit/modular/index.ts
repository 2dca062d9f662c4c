// Race freedom thread by thread, from where main starts its first thread (docs/any-number.md). Memory that nobody writes any
// more is frozen: lists and tables of pointers that main built. Everything else that is shared holds any value. So each kind
// of thread is explored by itself, with the locks that it holds, and its addresses are numbers: two accesses to a byte, one
// of them writing, not both atomic, must have a lock in common. It proves or says nothing.
import { joiningAll } from '../../../reduction/instances/joined.js'
import { BeyondBounds, type Interpreter, interpreterOf, type State } from '../../../semantics/index.js'
import type { TemplateLayout } from '../../../semantics/layout.js'
import { newThread } from '../../../semantics/step/execute.js'
import { livenessOf } from '../../../semantics/step/liveness.js'
import {
  type Access,
  type Edge,
  type Location,
  type Program,
  Unsupported,
  type Value,
  type Variable,
} from '../../../xcfa/index.js'
import { isOnCycle, outgoing } from '../../../xcfa/passes/index.js'
import { factsKey, maskedVariables, NO_FACTS } from './bits.js'
import { type Cell, isBit, nameOf, type Place, SharedCells } from './cells.js'
import { type Effects, type Local, LocalSteps, TooVague } from './local-steps.js'
import { anyOf, isRange, type Known } from './values.js'

/** Who accesses: main, or the instances of a template with certain arguments. */
interface Root {
  readonly template: string
  readonly local: Local
  readonly isMain: boolean
  readonly isMany: boolean
}

interface Started {
  readonly procedure: string
  readonly args: readonly Value[]
  /** Local states in which it is started. */
  readonly at: Set<string>
  /** There may be several, or (not numbered) main does not know which of them it joins. */
  isMany: boolean
  isNumbered: boolean
}

interface Seen {
  readonly root: Root
  readonly access: Access
  readonly held: ReadonlySet<Cell>
  /** Templates of which threads may run: all, but for main. */
  readonly beside: ReadonlySet<string> | undefined
}

/** States of main before it starts a thread, and from which it starts one, that are looked at. */
const MAX_BEFORE = 200_000
const MAX_BASES = 16
/** Local states of all threads together in a round, and rounds. */
const MAX_STATES = 80_000
const MAX_ROUNDS = 10

/** Undefined: no race is possible; otherwise why that is not known. */
export const mayRace = (program: Program, stopped: () => boolean): string | undefined => {
  try {
    const interpreter = interpreterOf(program)
    const bases = basesOf(program, interpreter, stopped)
    for (const base of bases) {
      const reason = new Modular(program, interpreter, base, stopped).race()
      if (reason !== undefined) return reason
    }
    return undefined
  } catch (error) {
    if (error instanceof TooVague || error instanceof BeyondBounds || error instanceof Unsupported) return error.message
    throw error
  }
}

const starts = ({ labels }: Edge): boolean => labels.some(({ kind }) => kind === 'start')

/** Main's states before its first start. */
const basesOf = (program: Program, interpreter: Interpreter, stopped: () => boolean): readonly State[] => {
  const bases = new Map<string, State>()
  const { isLiveAt } = livenessOf(program.main)
  const keyOf = (state: State): string => {
    const { template, locals, location } = state.threads.at(0)!
    const live = locals.map((value, i) => (isLiveAt(template.variables[i]!, location) ? value : 0))
    return interpreter.key({ ...state, threads: state.threads.map((thread) => ({ ...thread, locals: live })) as never })
  }
  /** Where main had a choice: loops without a start come back there. */
  const chosen = new Set<string>()
  const work = [...interpreter.initial()]
  for (let state = work.pop(), visited = 0; state; state = work.pop(), visited++) {
    if (visited > MAX_BEFORE || work.length > MAX_BASES) throw new TooVague('too much happens before the first thread')
    if ((visited & 255) === 0 && stopped()) throw new TooVague('no time')
    const steps = interpreter.edgesOf(state, 0).flatMap((edge) => interpreter.execute(state, 0, edge))
    if (steps.length > 1) {
      const key = keyOf(state)
      if (chosen.has(key)) continue
      chosen.add(key)
    }
    if (steps.some(({ step }) => starts(step.edge))) {
      bases.set(keyOf(state), state)
      if (bases.size > MAX_BASES) throw new TooVague('too many states before the first thread')
    } else for (const next of steps) if (!next.undefined) work.push(next.state)
  }
  return [...bases.values()]
}

class Modular {
  private readonly cells: SharedCells
  private seen = new Map<Place, Map<string, Seen>>()
  /** Cells that protect nothing: somebody else writes them, or they are parts of several locks. */
  private improper = new Set<Cell>()
  private locks = new Map<Place, number>()
  /** Words whose bits are locks, by their parts, and parts of words that somebody writes in another way. */
  private words = new Map<Place, string>()
  private spoilt = new Set<Place>()
  private readonly started = new Map<string, Started>()
  private readonly joining: ReadonlyMap<string, ReadonlySet<Edge>>
  private states = 0
  private isOver = false
  private readonly live = new Map<Location, readonly number[]>()
  private readonly masked: ReadonlySet<Variable>

  constructor(
    program: Program,
    private readonly interpreter: Interpreter,
    private readonly base: State,
    private readonly stopped: () => boolean,
  ) {
    this.cells = new SharedCells(interpreter.layout, base)
    this.masked = maskedVariables(program.templates.values())
    const templates = [program.main, ...[...program.templates.values()].filter((each) => each !== program.main)]
    this.joining = new Map(templates.slice(1).map(({ name }) => [name, joiningAll(templates, name)]))
  }

  race(): string | undefined {
    let rounds = 0
    do {
      if (rounds++ > MAX_ROUNDS) throw new TooVague('too many rounds')
      this.isOver = true
      this.states = 0
      this.seen = new Map()
      this.improper = new Set()
      this.locks = new Map()
      this.words = new Map()
      this.spoilt = new Set()
      for (const [i, root] of this.roots().entries()) this.explore(root, i)
    } while (!this.cells.settle() || !this.isOver)
    for (const accesses of this.seen.values()) {
      const all = [...accesses.values()]
      if (all.some((a, i) => all.slice(i).some((b) => this.areRacing(a, b)))) return 'an access without a common lock'
    }
    return undefined
  }

  /** Main from where it starts a thread, and the threads that were seen to be started. */
  private roots(): readonly Root[] {
    const { globals } = this.cells
    const none = {
      globals,
      held: new Set<Cell>(),
      outside: new Set<Cell>(),
      running: [],
      threads: 0,
      ended: new Set<string>(),
      bits: NO_FACTS,
    }
    const later = [...this.started.values()].map(({ procedure, args, isMany }): Root => {
      const { template, location, locals } = newThread(this.interpreter.layout.templates.get(procedure)!, 0, args)
      const { self } = template.procedure
      const unnumbered = (locals as readonly Known[]).with(template.slots.get(self)!, anyOf(self.type))
      return { template: procedure, local: { template, location, locals: unnumbered, ...none }, isMain: false, isMany }
    })
    const { template, location, locals } = this.base.threads.at(0)!
    const main = { template, location, locals, ...none }
    return [{ template: template.procedure.name, local: main, isMain: true, isMany: false }, ...later]
  }

  private explore(root: Root, number: number): void {
    let at = ''
    const effects: Effects = {
      access: (cells, access, local) =>
        this.record(root, number, cells, access, local.outside, root.isMain ? this.runningBeside(local) : undefined),
      improper: (cell) => this.improper.add(cell),
      taken: (cells) => {
        for (const cell of cells) {
          if ((this.locks.get(cell) ?? cells.length) !== cells.length) this.improper.add(cell)
          this.locks.set(cell, cells.length)
        }
      },
      changed: (word) => {
        const name = word.map(nameOf).join()
        for (const part of word) {
          if ((this.words.get(part) ?? name) !== name) this.spoilt.add(part)
          this.words.set(part, name)
        }
      },
      spoilt: (cells) => {
        for (const cell of cells) this.spoilt.add(cell)
      },
      relies: (word, since, local) => {
        // As if the thread had written the word all the time, whoever ran beside it then.
        const access: Access = { kind: 'variable', variable: local.template.procedure.self, write: true, atomic: false }
        this.record(root, number, word, access, since, undefined)
      },
      start: (edge, procedure, args) => this.start(root, at, edge, procedure, args),
    }
    const steps = new LocalSteps(this.cells, effects, this.masked)
    const keys = new Set<string>()
    const work = [root.local]
    for (let local = work.pop(); local; local = work.pop()) {
      at = this.keyOf(local)
      if (keys.has(at)) continue
      keys.add(at)
      if (++this.states > MAX_STATES) throw new TooVague('too many local states')
      if ((this.states & 255) === 0 && this.stopped()) throw new TooVague('no time')
      for (const { edge, next } of steps.successors(local)) work.push(root.isMain ? this.afterJoins(edge, next) : next)
    }
  }

  /** Main leaves a loop that joined all threads of a template. */
  private afterJoins({ labels, ...edge }: Edge, next: Local): Local {
    const starts = new Set(labels.flatMap((label) => (label.kind === 'start' ? [label.procedure] : [])))
    const joined = [...this.joining].flatMap(([name, edges]) =>
      [...edges].some(({ id }) => id === edge.id) ? [name] : [],
    )
    if (starts.size === 0 && joined.length === 0) return next
    return { ...next, ended: new Set([...next.ended, ...joined].filter((name) => !starts.has(name))) }
  }

  /** A thread that main starts once, outside of loops, has a number that is known. */
  private start(root: Root, at: string, edge: Edge, procedure: string, args: readonly Value[]): boolean {
    const key = `${procedure} ${args.join()}`
    let known = this.started.get(key)
    if (!known) {
      this.started.set(key, (known = { procedure, args, at: new Set(), isMany: false, isNumbered: true }))
      this.isOver = false
    }
    known.at.add(`${edge.id} ${at}`)
    const isOnce = root.isMain && !isOnCycle(edge, outgoing(root.local.template.procedure.edges))
    const isMany = !isOnce || known.at.size > 1
    if ((isMany && !known.isMany) || (!isOnce && known.isNumbered)) this.isOver = false
    known.isMany ||= isMany
    known.isNumbered &&= isOnce
    return isOnce
  }

  // ---- accesses

  private record(
    root: Root,
    number: number,
    cells: readonly Place[],
    access: Access,
    held: ReadonlySet<Cell>,
    beside: Seen['beside'],
  ): void {
    const key = `${number} ${access.write} ${access.atomic} ${cellsKey(held)} ${beside && [...beside].join()}`
    for (const cell of cells) {
      let known = this.seen.get(cell)
      if (!known) this.seen.set(cell, (known = new Map()))
      if (!known.has(key)) known.set(key, { root, access, held, beside })
    }
  }

  /** Templates of which threads may run when main is there: not those that it has joined, or has yet to start. */
  private runningBeside({ running, ended }: Local): ReadonlySet<string> {
    const others = [...this.started.values()].filter(
      ({ procedure, isNumbered }) => !isNumbered && !ended.has(procedure),
    )
    return new Set([...others, ...running].map(({ procedure }) => procedure))
  }

  private areRacing(a: Seen, b: Seen): boolean {
    if (a.root === b.root && !a.root.isMany) return false
    if (a.beside && !a.beside.has(b.root.template)) return false
    if (b.beside && !b.beside.has(a.root.template)) return false
    if (!(a.access.write || b.access.write) || (a.access.atomic && b.access.atomic)) return false
    return ![...a.held].some((cell) => b.held.has(cell) && this.isProper(cell))
  }

  /** Whether a cell that is taken as a lock keeps others out. */
  private isProper(cell: Cell): boolean {
    return !this.improper.has(cell) && !(isBit(cell) && cell.word.some((part) => this.spoilt.has(part)))
  }

  private liveSlots(template: TemplateLayout, location: Location): readonly number[] {
    let slots = this.live.get(location)
    if (!slots) {
      const { isLiveAt } = livenessOf(template.procedure)
      slots = template.variables.flatMap((variable, i) => (isLiveAt(variable, location) ? [i] : []))
      this.live.set(location, slots)
    }
    return slots
  }

  /** What nobody reads any more does not count. */
  private keyOf({ template, location, locals, held, outside, running, threads, ended, bits }: Local): string {
    let values = ''
    const live = this.liveSlots(template, location)
    for (const i of live) values += `${textOf(locals[i]!)},`
    const numbers = running.map(({ number }) => number).join()
    const own = `${template.locationIndex.get(location)} ${values} ${cellsKey(held)} ${cellsKey(outside)}`
    const known =
      bits === NO_FACTS ? '' : factsKey(bits, (variable) => live.includes(template.slots.get(variable)!), nameOf)
    return `${own} ${numbers} ${threads} ${[...ended].sort().join()} ${known}`
  }
}

const textOf = (known: Known): string => (isRange(known) ? `${known.low}..${known.high}` : String(known))

const cellsKey = (cells: ReadonlySet<Cell>): string => {
  if (cells.size === 0) return ''
  return Array.from(cells, nameOf).sort().join()
}
