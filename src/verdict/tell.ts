// A replayed execution as a person reads it: one row per statement, values that changed, the story in one sentence.
import type { Change, ConcreteAccess, Layout, Replay, ReplayedStep, State, ViolationFound } from '../semantics/index.js'
import { addressName, contextSwitches, valueText } from '../semantics/index.js'
import { placeOf } from '../semantics/memory.js'
import { type Edge, isLibrary, type Position, type Variable, type Violation } from '../xcfa/index.js'
import { circleOf, locksHeld, waitsFor } from './circumstances.js'
import type { Ending, StepEvent, StepReport, TargetReport, TraceReport } from './report.js'
import { scheduleOf } from './schedule.js'
import { spelled, threadTitle } from './thread-title.js'

export const tellTrace = (replay: Replay, layout: Layout): TraceReport => {
  const violation = replay.violation!
  const last = replay.steps.at(-1)
  const threads = (last?.state ?? replay.initial).threads.map((_, number) => ({
    number,
    name: threadName(last?.state ?? replay.initial, number),
  }))
  const steps = rows(replay, violation, layout)
  const place = whereOf(violation, replay)
  const story = storyOf(replay, threads)
  const details = detailsOf(replay, violation, threads, layout)
  return {
    headline: spelled(headlineOf(violation, layout)),
    ...(story && { story: spelled(story) }),
    ...place,
    threads,
    steps,
    contextSwitches: contextSwitches(steps),
    replayed: true,
    ...(details.length > 0 && { details: details.map(spelled) }),
    schedule: scheduleOf(replay, layout),
    targets: targetsOf(replay, violation),
    ...endingOf(replay, violation, threads, layout),
  }
}

const threadName = (state: State, number: number): string =>
  threadTitle(number, state.threads.at(number)!.template.procedure.name)

// ---- rows

/** Raw steps of one thread at one statement become one row; rows that nobody else could notice are left out. */
const rows = (replay: Replay, violation: ViolationFound, layout: Layout): readonly StepReport[] => {
  const groups: ReplayedStep[][] = []
  for (const step of replay.steps) {
    const group = groups.at(-1)
    if (group && sameRow(group, step)) group.push(step)
    else groups.push([step])
  }
  const last = violation.kind === 'error' ? groups.findLastIndex((g) => g[0]!.step.thread === violation.thread) : -1
  const isLast = last >= 0 && last === groups.length - 1
  const missing =
    violation.kind === 'error' && violation.edge && !(isLast && isAt(groups[last]!.at(-1), violation.edge))
  const failing = missing ? -1 : last
  const shown = groups.flatMap((group, index) => {
    const row = rowOf(group, index === failing, layout)
    const noticed = group.some(
      ({ step, accesses }) => shortText(step.edge) || isTold(step.edge) || accesses.some((a) => isShared(a, layout)),
    )
    const ends = group.every(({ step }) => step.edge.text.endsWith(' ends'))
    return row.fails || (!ends && (noticed || row.changed.length > 0)) ? [row] : []
  })
  return missing ? [...shown, rowNotTaken(violation.thread, violation.edge!)] : shown
}

const isAt = (step: ReplayedStep | undefined, { position }: Edge): boolean =>
  step?.step.edge.position.line === position.line && step.step.edge.position.file === position.file

/** The step that would violate the property. */
const rowNotTaken = (thread: number, { id, position, text }: Edge): StepReport => ({
  ...{ thread, file: position.file, line: position.line, column: position.column },
  ...{ text: text.replace(/;$/, ''), changed: [], edges: [id], choices: [], fails: true },
})

/** A free, or a call of a cooperative scheduler that the program's text shows. */
const isTold = ({ labels, position }: Edge): boolean =>
  labels.some(({ kind }) => kind === 'primitive' || kind === 'free') && !position.file.endsWith(' (elaborated)')

/** The same statement, and not a second synchronisation in it. */
const sameRow = (group: readonly ReplayedStep[], { step }: ReplayedStep): boolean => {
  const { thread, edge } = group.at(-1)!.step
  return (
    thread === step.thread &&
    edge.position.line === step.edge.position.line &&
    edge.position.file === step.edge.position.file &&
    edge.text === step.edge.text &&
    !(shortText(step.edge) && group.some((earlier) => shortText(earlier.step.edge)))
  )
}

/** A global, or memory that does not belong to a thread. */
const isShared = (access: ConcreteAccess, layout: Layout): boolean =>
  access.kind === 'variable'
    ? access.variable.source !== undefined
    : placeOf(layout, access.address)?.owner.object.storage !== 'thread'

/** What synchronisation does, in a word; other statements are shown as written. */
const shortText = ({ sync }: Edge): string | undefined => {
  switch (sync?.kind) {
    case 'start':
      return 'create'
    case 'read-lock':
      return 'read lock'
    case 'read-unlock':
      return 'read unlock'
    case undefined:
    case 'atomic':
    case 'once':
    case 'barrier':
    case 'acquire':
    case 'post':
      return undefined
    default:
      return sync!.kind
  }
}

const rowOf = (group: readonly ReplayedStep[], fails: boolean, layout: Layout): StepReport => {
  const { thread, edge } = group[0]!.step
  const changes = new Map<string, string>()
  const creates = group.some(({ step }) => step.edge.sync?.kind === 'start')
  for (const { changes: some } of group)
    for (const change of some) if (!isInternal(change)) changes.set(nameOf(change), change.text)
  for (const step of group) for (const [name, text] of assignedValues(step, layout)) changes.set(name, text)
  return {
    thread,
    file: edge.position.file,
    line: edge.position.line,
    column: edge.position.column,
    text: rowText(group, layout),
    changed: creates ? [] : [...changes].map(([name, value]) => ({ name: spelled(name), value: spelled(value) })),
    edges: group.map(({ step }) => step.edge.id),
    choices: group.flatMap(({ step }) => step.choices.map(String)),
    ...(fails && { fails }),
    ...eventOf(group, layout),
    ...sharedPlaces(group, layout),
  }
}

const rowText = (group: readonly ReplayedStep[], layout: Layout): string => {
  const step = group.find(({ step: { edge } }) => shortText(edge) !== undefined)
  const { edge } = group[0]!.step
  const plain = edge.text.replace(/;$/, '')
  if (!step) return plain
  const word = shortText(step.step.edge)!
  if (word === 'create') return `create T${step.state.threads.length - 1}`
  const object = objectOf(step, layout)
  return object === undefined ? plain : `${word} ${object}`
}

/** What the row does to another thread or to a lock: pictures draw it as an edge between steps. */
const eventOf = (group: readonly ReplayedStep[], layout: Layout): { readonly event?: StepEvent } => {
  for (const step of group) {
    const kind = step.step.edge.sync?.kind
    const object = objectOf(step, layout)
    switch (kind) {
      case 'start':
        return { event: { kind: 'create', thread: step.state.threads.length - 1 } }
      case 'join':
        if (object?.startsWith('T')) return { event: { kind: 'join', thread: Number(object.slice(1)) } }
        break
      case 'lock':
      case 'read-lock':
        if (object !== undefined) return { event: { kind: 'take', object, lock: true } }
        break
      case 'unlock':
      case 'read-unlock':
        if (object !== undefined) return { event: { kind: 'release', object, lock: true } }
        break
      case 'acquire':
      case 'wake':
        if (object !== undefined) return { event: { kind: 'take', object } }
        break
      case 'post':
      case 'signal':
      case 'broadcast':
        if (object !== undefined) return { event: { kind: 'release', object } }
        break
      default:
    }
  }
  return {}
}

const sharedPlaces = (
  group: readonly ReplayedStep[],
  layout: Layout,
): { readonly reads?: readonly string[]; readonly writes?: readonly string[] } => {
  const places = (write: boolean): readonly string[] => [
    ...new Set(
      group.flatMap(({ accesses }) =>
        accesses
          .filter((access) => access.write === write && isShared(access, layout))
          .map((access) => spelled(accessName(access, layout)))
          .filter((name) => !/(^|\.)__/.test(name)),
      ),
    ),
  ]
  const [reads, writes] = [places(false), places(true)]
  return { ...(reads.length > 0 && { reads }), ...(writes.length > 0 && { writes }) }
}

/** What a synchronising step is about: a lock by name, a thread by number. */
const objectOf = ({ step, state }: ReplayedStep, layout: Layout): string | undefined => {
  const { edge, thread } = step
  const { template, locals } = state.threads.at(thread)!
  const frame = { globals: state.globals, locals }
  const joined = edge.labels.find((label) => label.kind === 'join')
  if (joined) return `T${layout.evaluator(template, joined.thread)(frame)}`
  if (!edge.sync?.object) return undefined
  return addressName(layout, layout.evaluator(template, edge.sync.object)(frame)).replace(/\.__\w+$/, '')
}

/** What the statement gives a value is shown even if it had that value before. */
const assignedValues = ({ step, state }: ReplayedStep, layout: Layout): readonly (readonly [string, string])[] =>
  step.edge.labels.flatMap((label) => {
    if (label.kind !== 'assign' && label.kind !== 'load') return []
    const { target } = label
    if (target.source === undefined || isOfLibrary(target)) return []
    const { template, locals } = state.threads.at(step.thread)!
    const isLocal = target.scope === 'local'
    const slot = isLocal ? template.slots.get(target) : layout.globals.get(target)
    if (slot === undefined) return []
    const value = (isLocal ? locals : state.globals)[slot]!
    return [
      [isLocal ? ownName(target.source, step.thread) : target.source, valueText(layout, target.type, value)] as const,
    ]
  })

const isOfLibrary = ({ position }: Variable): boolean => position !== undefined && isLibrary(position)

/** Cells and variables of the library's models, and thread handles: nothing that the program's author wrote. */
const isInternal = ({ name, variable }: Change): boolean =>
  /(^|\.)__/.test(name) || (variable !== undefined && isOfLibrary(variable))

const nameOf = ({ name, thread }: Change): string => ownName(name, thread)

const ownName = (name: string, thread: number | undefined): string =>
  thread === undefined || thread === 0 ? name : `T${thread}.${name}`

// ---- what went wrong

const headlineOf = (violation: ViolationFound, layout: Layout): string => {
  switch (violation.kind) {
    case 'error':
      return errorHeadline(violation.violation)
    case 'race':
      return `data race on ${accessName(violation.first.access, layout)}`
    case 'deadlock':
      return violation.mainEnded
        ? 'deadlock: main has ended, but other threads wait for ever'
        : 'deadlock: every thread waits'
    case 'endless':
      return 'an execution that never ends: its last steps can be repeated for ever'
  }
}

const errorHeadline = ({ kind, text }: Violation): string => {
  switch (kind) {
    case 'assert':
      return `assertion can fail: ${text}`
    case 'reach-error':
      return `${text} is reached`
    case 'overflow':
      return `signed overflow: ${text.replace(/;$/, '')}`
    case 'deref':
    case 'free':
    case 'memtrack':
    case 'limit':
      return text
  }
}

const whereOf = (violation: ViolationFound, replay: Replay): { file: string; line: number } => {
  const position =
    violation.kind === 'error'
      ? violation.location.position
      : violation.kind === 'race'
        ? violation.second.access.edge.position
        : (replay.waiting?.[0]?.position ?? replay.steps.at(-1)!.step.edge.position)
  return { file: position.file, line: position.line }
}

const targetsOf = (replay: Replay, violation: ViolationFound): readonly TargetReport[] => {
  const target = (thread: number, { file, line, column }: Position, text: string): TargetReport => ({
    ...{ thread, file, line, column, text },
  })
  switch (violation.kind) {
    case 'error':
      return [target(violation.thread, violation.location.position, violation.violation.text)]
    case 'race':
      return [violation.first, violation.second].map(({ thread, access: { edge } }) =>
        target(thread, edge.position, edge.text),
      )
    case 'deadlock':
      return (replay.waiting ?? []).map(({ thread, position, text }) => target(thread, position, text))
    case 'endless': {
      const { thread, edge } = replay.steps[violation.from]!.step
      return [target(thread, edge.position, edge.text)]
    }
  }
}

const accessName = (access: ConcreteAccess, layout: Layout): string =>
  access.kind === 'variable' ? (access.variable.source ?? access.variable.name) : addressName(layout, access.address)

const endingOf = (
  replay: Replay,
  violation: ViolationFound,
  threads: TraceReport['threads'],
  layout: Layout,
): { readonly ending?: Ending } => {
  const at = (thread: number, { file, line, column }: Position, text: string): TargetReport => ({
    ...{ thread, file, line, column, text: text.replace(/;$/, '') },
  })
  switch (violation.kind) {
    case 'race': {
      const accesses = [violation.first, violation.second].map(({ thread, access }) => ({
        ...at(thread, access.edge.position, access.edge.text),
        ...{ write: access.write, name: spelled(accessName(access, layout)) },
        locks: locksHeld(replay, layout, thread).map(spelled),
      }))
      return { ending: { kind: 'race', accesses } }
    }
    case 'deadlock': {
      const waiting = (replay.waiting ?? []).map((w) => ({
        ...at(w.thread, w.position, w.text),
        waitsFor: spelled(w.joins !== undefined ? `${threads[w.joins]?.name ?? `T${w.joins}`} to end` : waitsFor(w)),
        ...((w.heldBy ?? w.joins) !== undefined && { on: w.heldBy ?? w.joins! }),
        ...(w.joins !== undefined && { joins: true as const }),
      }))
      const circle = circleOf(replay.waiting ?? [])
      return { ending: { kind: 'deadlock', waiting, ...(circle && { circle }) } }
    }
    case 'error':
    case 'endless':
      return {}
  }
}

const detailsOf = (
  replay: Replay,
  violation: ViolationFound,
  threads: TraceReport['threads'],
  layout: Layout,
): readonly string[] => {
  const name = (n: number): string => threads[n]?.name ?? `T${n}`
  if (violation.kind === 'race')
    return [violation.first, violation.second].map(({ thread, access }) => {
      const { position, text } = access.edge
      const locks = locksHeld(replay, layout, thread)
      const holds = locks.length > 0 ? `holding ${locks.join(', ')}` : 'holding no lock'
      const does = `${access.write ? 'writes' : 'reads'} ${accessName(access, layout)}`
      return `${name(thread)} ${does} at ${position.file}:${position.line} (${text.replace(/;$/, '')}), ${holds}`
    })
  if (violation.kind === 'endless') {
    const { position } = replay.steps[violation.from]!.step.edge
    const who = violation.threads.map(name).join(', ')
    const count = replay.steps.length - violation.from
    return [
      `${violation.from} steps lead to ${position.file}:${position.line}; ${who} can repeat the ${count} after them for ever`,
    ]
  }
  return (replay.waiting ?? []).map((w) => {
    const at = `at ${w.position.file}:${w.position.line}`
    if (w.joins !== undefined) return `${name(w.thread)} waits ${at} for ${name(w.joins)} to end`
    const held = w.heldBy === undefined ? '' : `, held by ${w.heldBy === w.thread ? 'itself' : name(w.heldBy)}`
    return `${name(w.thread)} waits ${at} for ${waitsFor(w)}${held}`
  })
}

const circleStory = ([first, ...others]: readonly string[]): string =>
  others.length === 0
    ? `${first} waits for itself.`
    : `The threads wait in a circle: ${first} waits for ${others.map((name) => `${name}, which waits for `).join('')}${first}.`

// ---- the story: a write based on a value that another thread has changed since it was read

const storyOf = (replay: Replay, threads: TraceReport['threads']): string | undefined => {
  const circle = circleOf(replay.waiting ?? [])
  if (circle) return circleStory(circle.map((number) => threads[number]!.name))
  const lastRead = new Map<string, { line: number; at: number }>()
  const lastWrite = new Map<string, { thread: number; line: number; at: number }>()
  for (const [at, { step }] of replay.steps.entries()) {
    const line = step.edge.position.line
    for (const label of step.edge.labels) {
      if (label.kind !== 'assign') continue
      if (label.value.kind === 'var' && label.value.variable.scope === 'global')
        lastRead.set(`${step.thread} ${label.value.variable.name}`, { line, at })
      if (label.target.scope !== 'global') continue
      const { name, source } = label.target
      const read = lastRead.get(`${step.thread} ${name}`)
      const other = lastWrite.get(name)
      if (read && other && other.thread !== step.thread && other.at > read.at && source)
        return `${threads[step.thread]!.name} overwrites ${threads[other.thread]!.name}'s update of ${source} (read at line ${read.line} before the write at line ${other.line}).`
      lastWrite.set(name, { thread: step.thread, line, at })
    }
  }
  return undefined
}
