// An execution of the real program as a person reads it: one row for each statement that threads can notice of each
// other, values that were written, and the story in a sentence; as `heddle verify` shows its counterexamples.
import type { StepReport, TargetReport, TraceReport } from '../verdict/report.js'
import type { Finding } from './campaign.js'
import type { RunAnswer, RunEvent, Waiting } from './events.js'
import { namesFor } from './names.js'
import { circle, staleWrite } from './story.js'
import type { ElfSymbol } from './symbols.js'

export interface Place {
  readonly file: string
  readonly line: number
  readonly function: string
}

export interface TellContext {
  readonly finding: Finding
  readonly answer: RunAnswer
  readonly symbols: readonly ElfSymbol[]
  /** Where a code address lies in the program's text. */
  readonly place: (pc: number) => Place | undefined
  readonly source: (file: string, line: number) => string | undefined
  readonly replays: number
}

const MAX_ROWS = 160

export const tellRun = (context: TellContext): TraceReport => {
  const { answer, place, finding } = context
  const { events } = answer
  const functions = threadFunctions(context)
  const threadName = (n: number): string =>
    n === 0 ? 'main' : `T${n}${functions.has(n) ? ` ${functions.get(n)}` : ''}`
  const name = namesFor(context)
  const where = placeOf(context)
  const steps = rows(context, name, where)
  const line = (e: RunEvent): number | undefined => place(e.pc)?.line
  const story =
    finding === 'no-deadlock'
      ? circle(answer.waiting, threadName)
      : staleWrite(events, { thread: threadName, name, line })
  const details = detailsOf(context, threadName, name)
  return {
    headline: headlineOf(context, name),
    ...(story && { story }),
    ...(where ?? { file: steps.at(-1)?.file ?? '', line: steps.at(-1)?.line ?? 0 }),
    threads: Array.from({ length: answer.threads }, (_, number) => ({ number, name: threadName(number) })),
    steps: shortened(steps),
    contextSwitches: steps.filter((s, i) => i > 0 && steps[i - 1]!.thread !== s.thread).length,
    replayed: context.replays > 0,
    ...(details.length > 0 && { details }),
    targets: targetsOf(context),
  }
}

/** A thread's function: where its BEGIN says that it starts. */
const threadFunctions = ({ answer, symbols }: TellContext): ReadonlyMap<number, string> => {
  const slide = slideOf(answer, symbols)
  const byAddress = new Map(
    symbols.flatMap((s) => (s.kind === 'function' ? [[s.address + slide, s.name] as const] : [])),
  )
  const found = new Map<number, string>()
  for (const event of answer.events) {
    const known = event.kind === 'begin' ? byAddress.get(event.pc) : undefined
    if (known) found.set(event.thread, known)
  }
  return found
}

export const slideOf = (answer: RunAnswer, symbols: readonly ElfSymbol[]): number => {
  const anchor = symbols.find(({ name }) => name === '__tsan_init')
  return anchor ? answer.anchor - anchor.address : 0
}

const placeOf = ({ answer, place }: TellContext): { file: string; line: number } | undefined => {
  if (answer.line > 0) {
    const seen = place(answer.pc)
    return { file: seen && seen.line === answer.line ? seen.file : answer.file, line: answer.line }
  }
  const at = answer.outcome === 'deadlock' ? answer.waiting.find((w) => place(w.pc))?.pc : answer.pc
  const found = at === undefined ? undefined : place(at)
  return found && { file: found.file, line: found.line }
}

const headlineOf = ({ finding, answer }: TellContext, name: (address: number) => string): string => {
  switch (finding) {
    case 'assert':
      return /\(\)$/.test(answer.text) ? `${answer.text} is reached` : `assertion fails: ${answer.text}`
    case 'no-data-race':
      return `data race on ${name(answer.address)}`
    case 'no-deadlock':
      return `deadlock: ${answer.text}`
    case 'crash':
      return answer.outcome === 'invalid-access'
        ? `crash: ${answer.text} (${name(answer.address)})`
        : `crash: ${answer.text}`
    case 'leak':
      return `leak: ${answer.text}`
    case 'step-limit':
      return `no end: ${answer.text}`
  }
}

// ---- rows

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
}

const rows = (
  context: TellContext,
  name: (address: number) => string,
  failsAt: { file: string; line: number } | undefined,
): readonly StepReport[] => {
  const { answer, place, source } = context
  const shared = sharedAddresses(answer.events)
  const result: (StepReport & { readonly word: boolean })[] = []
  for (const event of answer.events) {
    const at = place(event.pc)
    const word = WORDS[event.kind]
    const touches = isAccess(event) && shared.has(granule(event.address))
    if (!at || (!word && !touches && event.kind !== 'free')) continue
    const last = result.at(-1)
    const changed = changesOf(event, name)
    if (last && last.thread === event.thread && last.file === at.file && last.line === at.line && !word && !last.word) {
      result[result.length - 1] = { ...last, changed: mergeChanges(last.changed, changed) }
      continue
    }
    const text = word ? wordText(word, event, name) : tidy(source(at.file, at.line) ?? event.kind)
    result.push({
      ...{ thread: event.thread, file: at.file, line: at.line, column: 1, text, changed },
      ...{ edges: [], choices: [], word: word !== undefined },
    })
  }
  const plain = result.map(({ word: _, ...row }) => row)
  return withFailure(context, plain, failsAt)
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
  const about =
    event.kind === 'create' || event.kind === 'join'
      ? `T${event.address}`
      : event.kind === 'cancel'
        ? ''
        : name(event.address)
  return `${word} ${about}${late || failed}`.trim()
}

const tidy = (text: string): string =>
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
const shortened = (steps: readonly StepReport[]): readonly StepReport[] => {
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

// ---- details

const stackAt = ({ answer }: TellContext, thread: number, end: number): readonly number[] => {
  const stack: number[] = []
  answer.events.slice(0, end + 1).forEach((event) => {
    if (event.thread !== thread) return
    if (event.kind === 'enter') stack.push(event.pc)
    else if (event.kind === 'leave') stack.pop()
  })
  return stack.toReversed().slice(0, 8)
}

/** Functions of the runtime that call the program's. */
const OWN_FRAMES = new Set(['thread_main', 'run_main', 'c11_main'])

const stackText = (context: TellContext, thread: number, end: number): string => {
  const calls = stackAt(context, thread, end).flatMap((pc) => {
    const at = context.place(pc)
    return at && !OWN_FRAMES.has(at.function) ? [`${at.function} ${baseName(at.file)}:${at.line}`] : []
  })
  return calls.length > 0 ? `, called from ${calls.join(', ')}` : ''
}

const detailsOf = (
  context: TellContext,
  thread: (n: number) => string,
  name: (address: number) => string,
): readonly string[] => {
  const { answer, place, finding } = context
  const at = (pc: number): string => {
    const found = place(pc)
    return found ? `at ${found.file}:${found.line}` : 'outside of the program'
  }
  const access = (n: number, pc: number, event: number): string => {
    const does = answer.events[event]?.kind.includes('read')
      ? 'reads'
      : answer.events[event]?.kind === 'free'
        ? 'frees'
        : 'writes'
    const found = place(pc)
    const text = found && context.source(found.file, found.line)
    return `${thread(n)} ${does} ${name(answer.address)} ${at(pc)}${text ? ` (${tidy(text)})` : ''}${stackText(context, n, event)}`
  }
  switch (finding) {
    case 'no-data-race':
      return [
        access(answer.otherThread, answer.otherPc, answer.otherEvent),
        access(answer.thread, answer.pc, lastStep(answer.events)),
        'Nothing orders the two accesses.',
      ]
    case 'no-deadlock':
      return answer.waiting.map((w) => `${thread(w.thread)} waits ${at(w.pc)} for ${waitsFor(w, thread, name)}`)
    case 'crash':
      return [
        `${thread(answer.thread)} ${at(answer.pc)}${stackText(context, answer.thread, answer.events.length)}`,
        ...(answer.outcome === 'invalid-access' && answer.otherPc > 0
          ? [
              `The block was ${/freed|double/.test(answer.text) ? 'freed' : 'allocated'} by ${thread(answer.otherThread)} ${at(answer.otherPc)}`,
            ]
          : []),
      ]
    case 'leak':
      return [`Allocated by ${thread(answer.thread)} ${at(answer.pc)}`]
    case 'assert':
    case 'step-limit':
      return []
  }
}

const lastStep = (events: readonly RunEvent[]): number => events.findLastIndex((e) => e.isStep || e.kind === 'free')

const waitsFor = (w: Waiting, thread: (n: number) => string, name: (address: number) => string): string => {
  const held =
    w.holder === undefined || w.kind === 'join'
      ? ''
      : `, held by ${w.holder === w.thread ? 'itself' : thread(w.holder)}`
  switch (w.kind) {
    case 'join':
      return `${thread(w.object)} to end`
    case 'cond-wake':
      return `${w.holder === undefined ? 'a signal of ' : ''}${name(w.object)}${held}`
    case 'barrier-leave':
      return `others at ${name(w.object)}`
    case 'sem-wait':
      return `a post of ${name(w.object)}`
    default:
      return `${name(w.object)}${held}`
  }
}

const targetsOf = ({ answer, finding, place, source }: TellContext): readonly TargetReport[] => {
  const target = (thread: number, pc: number): readonly TargetReport[] => {
    const at = place(pc)
    return at ? [{ thread, file: at.file, line: at.line, column: 1, text: tidy(source(at.file, at.line) ?? '') }] : []
  }
  switch (finding) {
    case 'no-data-race':
      return [...target(answer.otherThread, answer.otherPc), ...target(answer.thread, answer.pc)]
    case 'no-deadlock':
      return answer.waiting.flatMap((w) => target(w.thread, w.pc))
    default:
      return target(answer.thread, answer.pc)
  }
}

const baseName = (file: string): string => file.slice(file.lastIndexOf('/') + 1)
