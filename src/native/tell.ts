// An execution of the real program as a person reads it: one row for each statement that threads can notice of each
// other, values that were written, and the story in a sentence; as `heddle verify` shows its counterexamples.
import { contextSwitches } from '../semantics/replay/minimise.js'
import type { TargetReport, TraceReport } from '../verdict/report.js'
import { type Calls, callsAt } from './calls.js'
import type { RunAnswer, RunEvent, Waiting } from './events.js'
import { namesFor } from './names.js'
import { rows, shortened, tidy } from './rows.js'
import { circle, staleWrite } from './story.js'
import type { ElfSymbol } from './symbols.js'
import type { Place, TellContext } from './tell-context.js'

export const tellRun = (context: TellContext): TraceReport => {
  const { answer, place, finding } = context
  const { events } = answer
  const functions = threadFunctions(context)
  const threadName = (n: number): string =>
    n === 0 ? 'main' : `T${n}${functions.has(n) ? ` ${functions.get(n)}` : ''}`
  const name = namesFor(context)
  const calls = callsAt(context, events.length)
  const where = placeOf(context, calls)
  const steps = rows(context, name, where)
  const line = (e: RunEvent): number | undefined => place(e.pc)?.line
  const story =
    finding === 'no-deadlock'
      ? circle(answer.waiting, threadName)
      : staleWrite(events, { thread: threadName, name, line })
  const details = detailsOf(context, calls, threadName, name)
  return {
    headline: headlineOf(context, name),
    ...(story && { story }),
    ...(where ?? { file: steps.at(-1)?.file ?? '', line: steps.at(-1)?.line ?? 0 }),
    threads: Array.from({ length: answer.threads }, (_, number) => ({ number, name: threadName(number) })),
    steps: shortened(steps),
    contextSwitches: contextSwitches(steps),
    replayed: context.replays > 0,
    ...(details.length > 0 && { details }),
    targets: targetsOf(context, calls),
    ...endingOf(context, calls, threadName, name),
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

const slideOf = (answer: RunAnswer, symbols: readonly ElfSymbol[]): number => {
  const anchor = symbols.find(({ name }) => name === '__tsan_init')
  return anchor ? answer.anchor - anchor.address : 0
}

const placeOf = ({ answer, place }: TellContext, calls: Calls): { file: string; line: number } | undefined => {
  if (answer.line > 0) {
    const seen = place(answer.pc)
    return { file: seen && seen.line === answer.line ? seen.file : answer.file, line: answer.line }
  }
  const waits = (): Place | undefined => {
    for (const w of answer.waiting) if (calls.programPlace(w.thread, w.pc)) return calls.programPlace(w.thread, w.pc)
    return undefined
  }
  const found = answer.outcome === 'deadlock' ? waits() : calls.programPlace(answer.thread, answer.pc)
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

// ---- details

const MAX_CALLERS = 8

const stackText = (context: TellContext, thread: number, end: number): string => {
  const callers = callsAt(context, end).callers(thread).slice(0, MAX_CALLERS)
  const calls = callers.map((at) => `${at.function} ${baseName(at.file)}:${at.line}`)
  return calls.length > 0 ? `, called from ${calls.join(', ')}` : ''
}

const detailsOf = (
  context: TellContext,
  calls: Calls,
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
      return answer.waiting.map((w) => {
        const found = calls.programPlace(w.thread, w.pc)
        const where = found ? `at ${found.file}:${found.line}` : 'in a library'
        return `${thread(w.thread)} waits ${where} for ${waitsFor(w, thread, name)}`
      })
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

/** A larger number is -1: it waits for several. */
const MAX_DESCRIPTOR = 0x7fffffff

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
    case 'wait-fd':
      return w.object <= MAX_DESCRIPTOR ? `descriptor ${w.object}` : 'one of several descriptors'
    default:
      return `${name(w.object)}${held}`
  }
}

/** What a trace ends in where that is no step, for the pictures. */
const endingOf = (
  context: TellContext,
  calls: Calls,
  thread: (n: number) => string,
  name: (address: number) => string,
): Pick<TraceReport, 'ending'> => {
  const { answer, finding } = context
  if (finding === 'no-data-race') {
    const sides = [
      { ...{ thread: answer.otherThread, pc: answer.otherPc }, event: answer.otherEvent },
      { ...{ thread: answer.thread, pc: answer.pc }, event: lastStep(answer.events) },
    ]
    const accesses = sides.flatMap(({ event, ...side }) =>
      targetAt(context, callsAt(context, event), side.thread, side.pc).map((target) => ({
        ...{ ...target, name: name(answer.address) },
        write: !answer.events[event]?.kind.includes('read'),
      })),
    )
    return accesses.length === 2 ? { ending: { kind: 'race', accesses } } : {}
  }
  if (finding !== 'no-deadlock') return {}
  const waiting = answer.waiting.flatMap((w) =>
    targetAt(context, calls, w.thread, w.pc).map((target) => ({
      ...{ ...target, waitsFor: waitsFor({ ...w, holder: undefined }, thread, name) },
      ...(w.kind === 'join' ? { joins: true as const, on: w.object } : w.holder !== undefined && { on: w.holder }),
    })),
  )
  return waiting.length > 0 ? { ending: { kind: 'deadlock', waiting } } : {}
}

const targetAt = ({ source }: TellContext, calls: Calls, thread: number, pc: number): readonly TargetReport[] => {
  const at = calls.programPlace(thread, pc)
  return at ? [{ thread, file: at.file, line: at.line, column: 1, text: tidy(source(at.file, at.line) ?? '') }] : []
}

const targetsOf = (context: TellContext, calls: Calls): readonly TargetReport[] => {
  const { answer, finding } = context
  const target = (thread: number, pc: number, then = calls): readonly TargetReport[] =>
    targetAt(context, then, thread, pc)
  switch (finding) {
    case 'no-data-race':
      return [
        ...target(answer.otherThread, answer.otherPc, callsAt(context, answer.otherEvent)),
        ...target(answer.thread, answer.pc),
      ]
    case 'no-deadlock':
      return answer.waiting.flatMap((w) => target(w.thread, w.pc))
    default:
      return target(answer.thread, answer.pc)
  }
}

const baseName = (file: string): string => file.slice(file.lastIndexOf('/') + 1)
