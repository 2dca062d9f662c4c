// The rows of a trace: statements that threads can notice of each other, with what they wrote.
import type { StepReport } from '../verdict/report.js'
import { Calls, isSystemHeader } from './calls.js'
import type { RunEvent } from './events.js'
import type { TellContext } from './tell-context.js'

const MAX_ROWS = 160

const WORDS: Partial<Record<RunEvent['kind'], string>> = {
  create: 'create',
  join: 'join',
  lock: 'lock',
  trylock: 'trylock',
  unlock: 'unlock',
  'read-lock': 'read lock',
  'try-read-lock': 'try read lock',
  'read-unlock': 'read unlock',
  'cond-wait': 'wait',
  'cond-wake': 'wake',
  signal: 'signal',
  broadcast: 'broadcast',
  'barrier-arrive': 'arrive at',
  'barrier-leave': 'leave',
  'sem-wait': 'wait',
  'sem-trywait': 'try wait',
  'sem-post': 'post',
  cancel: 'cancel',
  'send-signal': 'send a signal to',
  'take-signal': 'handle signal',
}

const ABOUT_THREADS: ReadonlySet<RunEvent['kind']> = new Set(['create', 'join', 'cancel', 'send-signal'])

export const rows = (
  context: TellContext,
  name: (address: number) => string,
  failsAt: { file: string; line: number } | undefined,
): readonly StepReport[] => {
  const { answer, place, source } = context
  const shared = sharedAddresses(answer.events)
  const calls = new Calls(place)
  const result: (StepReport & { readonly word: boolean })[] = []
  for (const event of answer.events) {
    calls.follow(event)
    const word = WORDS[event.kind]
    const touches = isAccess(event) && shared.has(granule(event.address))
    if (!word && !touches && event.kind !== 'free') continue
    const at = calls.programPlace(event.thread, event.pc)
    if (!at || (!word && isSystemHeader(at.file))) continue
    const last = result.at(-1)
    // What a container keeps for itself says nothing to its user; what an atomic object holds does.
    const isInside = event.kind === 'write' && isSystemHeader(place(event.pc)?.file ?? '')
    const changed = isInside ? [] : changesOf(event, name)
    if (last && last.thread === event.thread && last.file === at.file && last.line === at.line && !word && !last.word) {
      result[result.length - 1] = {
        ...last,
        changed: mergeChanges(last.changed, changed),
        ...accessesOf(event, name, last),
      }
      continue
    }
    const text = word ? wordText(word, event, name) : tidy(source(at.file, at.line) ?? event.kind) || '}'
    result.push({
      ...{ thread: event.thread, file: at.file, line: at.line, column: 1, text, changed },
      ...{ edges: [], choices: [], word: word !== undefined },
      ...accessesOf(event, name, {}),
      ...stepEvent(event, name),
    })
  }
  const plain = result.map(({ word: _, ...row }) => row)
  return withFailure(context, plain, failsAt)
}

/** Shared places that a row reads and writes, with those of the event. */
const accessesOf = (
  event: RunEvent,
  name: (address: number) => string,
  { reads = [], writes = [] }: Pick<StepReport, 'reads' | 'writes'>,
): Pick<StepReport, 'reads' | 'writes'> => {
  if (!isAccess(event)) return {}
  const place = name(event.address)
  const isRead = event.kind !== 'write' && event.kind !== 'atomic-write'
  const isWrite = event.kind !== 'read' && event.kind !== 'atomic-read'
  return {
    reads: isRead && !reads.includes(place) ? [...reads, place] : reads,
    writes: isWrite && !writes.includes(place) ? [...writes, place] : writes,
  }
}

const OWNED: ReadonlySet<RunEvent['kind']> = new Set(['lock', 'trylock', 'unlock'])
const TAKES: ReadonlySet<RunEvent['kind']> = new Set(['lock', 'trylock', 'cond-wake', 'sem-wait', 'sem-trywait'])
const RELEASES: ReadonlySet<RunEvent['kind']> = new Set(['unlock', 'signal', 'broadcast', 'sem-post'])

/** What links the step to those of other threads. */
const stepEvent = (event: RunEvent, name: (address: number) => string): Pick<StepReport, 'event'> => {
  const { kind } = event
  if (kind === 'create' || kind === 'join') return { event: { kind, thread: event.address } }
  if (event.nothingDone || !(TAKES.has(kind) || RELEASES.has(kind))) return {}
  const does = TAKES.has(kind) ? 'take' : 'release'
  return { event: { kind: does, object: name(event.address), ...(OWNED.has(kind) && { lock: true }) } }
}

/** The failing statement is the last row, and marked. */
const withFailure = (
  { answer, source, finding }: TellContext,
  steps: readonly StepReport[],
  at: { file: string; line: number } | undefined,
): readonly StepReport[] => {
  if (finding === 'no-deadlock' || finding === 'leak' || finding === 'step-limit' || !at) return steps
  const last = steps.at(-1)
  if (last && last.thread === answer.thread && last.line === at.line && last.file === at.file)
    return [...steps.slice(0, -1), { ...last, fails: true }]
  const text = tidy(source(at.file, at.line) ?? answer.text)
  return [
    ...steps,
    { ...{ thread: answer.thread, ...at, column: 1, text, changed: [], edges: [], choices: [] }, fails: true },
  ]
}

const wordText = (word: string, event: RunEvent, name: (address: number) => string): string => {
  const failed = event.nothingDone
    ? event.kind === 'cond-wake'
      ? ' by itself'
      : event.kind === 'signal' || event.kind === 'broadcast'
        ? ' (nobody waits)'
        : ' (fails)'
    : ''
  const late = event.timedOut ? ' (time is up)' : ''
  const about = ABOUT_THREADS.has(event.kind)
    ? `T${event.address}`
    : event.kind === 'take-signal'
      ? event.address
      : name(event.address)
  return `${word} ${about}${late || failed}`.trim()
}

export const tidy = (text: string): string =>
  text
    .trim()
    .replace(/\/\*.*?\*\/|\/\/.*$/g, '')
    .replace(/[;{}\s]+$/, '')
    .trim()

const isAccess = ({ kind }: RunEvent): boolean =>
  kind === 'read' || kind === 'write' || kind === 'atomic-read' || kind === 'atomic-write' || kind === 'atomic-update'

const granule = (address: number): number => Math.floor(address / 8)

/** Memory that several threads access. */
const sharedAddresses = (events: readonly RunEvent[]): ReadonlySet<number> => {
  const first = new Map<number, number>()
  const shared = new Set<number>()
  for (const event of events) {
    if (!isAccess(event)) continue
    const key = granule(event.address)
    const owner = first.get(key)
    if (owner === undefined) first.set(key, event.thread)
    else if (owner !== event.thread) shared.add(key)
  }
  return shared
}

const changesOf = (event: RunEvent, name: (address: number) => string): StepReport['changed'] => {
  if (event.kind !== 'write' && event.kind !== 'atomic-write' && event.kind !== 'atomic-update') return []
  if (event.size > 8) return []
  return [{ name: name(event.address), value: String(BigInt.asIntN(event.size * 8, event.value)) }]
}

const mergeChanges = (a: StepReport['changed'], b: StepReport['changed']): StepReport['changed'] => [
  ...a.filter(({ name }) => !b.some((other) => other.name === name)),
  ...b,
]

/** Of a long trace, what happens around the switches and at the end. */
export const shortened = (steps: readonly StepReport[]): readonly StepReport[] => {
  if (steps.length <= MAX_ROWS) return steps
  for (const around of [6, 3, 2, 1]) {
    const keep = new Set<number>()
    for (let i = Math.max(0, steps.length - 20); i < steps.length; i++) keep.add(i)
    steps.forEach((s, i) => {
      if (i > 0 && steps[i - 1]!.thread !== s.thread)
        for (let k = Math.max(0, i - around); k < Math.min(steps.length, i + around); k++) keep.add(k)
    })
    if (keep.size <= MAX_ROWS || around === 1) return steps.filter((_, i) => keep.has(i)).slice(-MAX_ROWS)
  }
  return steps
}
