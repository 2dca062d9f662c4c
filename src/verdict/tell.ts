// A replayed execution as a person reads it: one row a statement, values that changed, the story in one sentence.
import type { Change, ConcreteAccess, Layout, Replay, ReplayedStep, State, ViolationFound } from '../semantics/index.js'
import { addressName } from '../semantics/index.js'
import type { Edge } from '../xcfa/index.js'
import type { StepReport, TraceReport } from './report.js'

export const tellTrace = (replay: Replay, layout: Layout): TraceReport => {
  const violation = replay.violation!
  const last = replay.steps.at(-1)
  const threads = (last?.state ?? replay.initial).threads.map((_, number) => ({
    number,
    name: threadName(last?.state ?? replay.initial, number),
  }))
  const steps = rows(replay, violation)
  const place = placeOf(violation, replay)
  const story = storyOf(replay, threads)
  const details = detailsOf(replay, violation, threads, layout)
  return {
    headline: headlineOf(violation, layout),
    ...(story && { story }),
    ...place,
    threads,
    steps,
    contextSwitches: steps.filter((s, i) => i > 0 && steps[i - 1]!.thread !== s.thread).length,
    replayed: true,
    ...(details.length > 0 && { details }),
  }
}

const threadName = (state: State, number: number): string =>
  number === 0 ? 'main' : `T${number} ${state.threads[number]!.template.procedure.name.replace(/^thread:|^thread /, '')}`

// ---- rows

const isSynchronisation = (edge: Edge): boolean => edge.sync !== undefined && edge.sync.kind !== 'atomic'

/** Raw steps of one thread at one statement become one row; rows that do nothing to be seen are left out. */
const rows = (replay: Replay, violation: ViolationFound): readonly StepReport[] => {
  const groups: ReplayedStep[][] = []
  for (const step of replay.steps) {
    const group = groups.at(-1)
    if (group && sameRow(group.at(-1)!, step)) group.push(step)
    else groups.push([step])
  }
  const failing = violation.kind === 'error' ? groups.findLastIndex((g) => g[0]!.step.thread === violation.thread) : -1
  return groups.flatMap((group, index) => {
    const row = rowOf(group, index === failing)
    const visible = row.changed.length > 0 || group.some(({ step }) => isSynchronisation(step.edge) || touchesShared(step.edge))
    return visible || row.fails ? [row] : []
  })
}

const sameRow = (a: ReplayedStep, b: ReplayedStep): boolean =>
  a.step.thread === b.step.thread &&
  a.step.edge.position.line === b.step.edge.position.line &&
  a.step.edge.position.file === b.step.edge.position.file &&
  a.step.edge.text === b.step.edge.text

const touchesShared = (edge: Edge): boolean =>
  edge.labels.some((l) => l.kind === 'load' || l.kind === 'store' || (l.kind === 'assign' && mentionsGlobal(l)))

const mentionsGlobal = (label: Extract<Edge['labels'][number], { kind: 'assign' }>): boolean =>
  label.target.scope === 'global' || (label.value.kind === 'var' && label.value.variable.scope === 'global')

const rowOf = (group: readonly ReplayedStep[], fails: boolean): StepReport => {
  const { thread, edge } = group[0]!.step
  const changes = new Map<string, Change>()
  for (const { changes: some } of group) for (const change of some) changes.set(nameOf(change), change)
  return {
    thread,
    file: edge.position.file,
    line: edge.position.line,
    column: edge.position.column,
    text: edge.text,
    changed: [...changes].map(([name, change]) => ({ name, value: change.text })),
    edges: group.map(({ step }) => step.edge.id),
    choices: group.flatMap(({ step }) => step.choices.map(String)),
    ...(fails && { fails }),
  }
}

const nameOf = ({ name, thread }: Change): string => (thread === undefined || thread === 0 ? name : `T${thread}.${name}`)

// ---- what went wrong

const headlineOf = (violation: ViolationFound, layout: Layout): string => {
  switch (violation.kind) {
    case 'error':
      return violation.violation.kind === 'assert'
        ? `assertion can fail: ${violation.violation.text}`
        : `${violation.violation.text} is reached`
    case 'race':
      return `data race on ${accessName(violation.first.access, layout)}`
    case 'deadlock':
      return violation.mainEnded ? 'deadlock: main has ended, but other threads wait for ever' : 'deadlock: every thread waits'
  }
}

const placeOf = (violation: ViolationFound, replay: Replay): { file: string; line: number } => {
  const position =
    violation.kind === 'error'
      ? violation.location.position
      : violation.kind === 'race'
        ? violation.second.access.edge.position
        : (replay.waiting?.[0]?.position ?? replay.steps.at(-1)!.step.edge.position)
  return { file: position.file, line: position.line }
}

const accessName = (access: ConcreteAccess, layout: Layout): string =>
  access.kind === 'variable' ? (access.variable.source ?? access.variable.name) : addressName(layout, access.address)

const detailsOf = (replay: Replay, violation: ViolationFound, threads: TraceReport['threads'], layout: Layout): readonly string[] => {
  const name = (n: number): string => threads[n]?.name ?? `T${n}`
  if (violation.kind === 'race')
    return [violation.first, violation.second].map(({ thread, access }) => {
      const { position, text } = access.edge
      return `${name(thread)} ${access.write ? 'writes' : 'reads'} ${accessName(access, layout)} at ${position.file}:${position.line}: ${text}`
    })
  return (replay.waiting ?? []).map((w) => {
    const at = `at ${w.position.file}:${w.position.line}`
    if (w.joins !== undefined) return `${name(w.thread)} waits ${at} for ${name(w.joins)} to end`
    const held = w.heldBy === undefined ? '' : `, held by ${w.heldBy === w.thread ? 'itself' : name(w.heldBy)}`
    return `${name(w.thread)} waits ${at} for ${w.object ?? w.text}${held}`
  })
}

// ---- the story: a write based on a value that another thread has changed since it was read

const storyOf = (replay: Replay, threads: TraceReport['threads']): string | undefined => {
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
