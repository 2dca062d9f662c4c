// From what a campaign found to a report: the schedule is made small, run again, and told; or what was tried in vain.
import { statSync } from 'node:fs'
import {
  type Campaign,
  chanceOfNew,
  type Found,
  findingOf,
  type RunAnswer,
  type Runner,
  type RunRequest,
  scheduleOf,
  shrink,
  type TellContext,
  tellRun,
} from '../../native/index.js'
import { count } from '../../output/text.js'
import { staticName } from '../../semantics/index.js'
import { layoutOf } from '../../semantics/layout.js'
import type { Report } from '../../verdict/index.js'
import { inconclusive } from '../../verdict/reason.js'
import type { Program } from './build.js'
import type { TestCall } from './test.js'

export interface Measured {
  readonly began: number
  readonly campaign: Campaign
  /** When the time that was allowed is used up. */
  readonly deadline: number
  readonly coverage: number
}

/** How long a schedule is made smaller: not beyond the time that was allowed, but always for a moment. */
const MAX_SHRINK_MS = 4000
const MIN_SHRINK_MS = 500

export const describeFound = async (
  call: TestCall,
  program: Program,
  runner: Runner,
  found: Found,
  measured: Measured,
  { shrinks = true } = {},
): Promise<Report> => {
  const key = (answer: RunAnswer): string => sameness(answer, program)
  const wanted = key(found.answer)
  const base: RunRequest = { ...found.request, policy: 'stay', record: 0 }
  const attempt = async (
    candidate: Pick<RunAnswer, 'segments' | 'values'>,
    record: 0 | 2 = 0,
  ): Promise<RunAnswer | undefined> => {
    const answer = await runner.run({ ...base, record, segments: candidate.segments, values: candidate.values })
    return key(answer) === wanted ? answer : undefined
  }
  const first = (await attempt(found.answer)) ?? found.answer
  const until = Date.now() + Math.max(MIN_SHRINK_MS, Math.min(MAX_SHRINK_MS, measured.deadline - Date.now()))
  const small = shrinks ? await shrink(first, { attempt, isOver: () => Date.now() > until }) : first
  let replays = 0
  for (let i = 0; i < call.replays; i++) if (await attempt(small)) replays++
  const traced = replays === call.replays ? await attempt(small, 2) : undefined
  if (!traced)
    return {
      ...unknownReport(call, measured),
      hint: `a ${found.finding} was seen once, but its schedule does not show it again: the program depends on something that the schedule does not determine (docs/test.md)`,
    }
  program.place.many([...traced.events.map((e) => e.pc), traced.pc, traced.otherPc, ...traced.waiting.map((w) => w.pc)])
  const trace = tellRun({
    finding: found.finding,
    answer: traced,
    symbols: program.symbols,
    place: program.place,
    source: program.source,
    replays,
    member: await memberNames(call),
  })
  return {
    ...common(call, measured),
    verdict: 'false',
    violated: found.finding,
    trace,
    native: scheduleOf(base, small),
  }
}

/** A larger program is not read for the sake of names. */
const MAX_BYTES_READ = 500_000

/** Names of members and elements, if the front end understands the program. */
const memberNames = async ({ files, task }: TestCall): Promise<TellContext['member']> => {
  const isRead = files.length > 0 && files.every((file) => /\.[ci]$/.test(file))
  if (!isRead || files.reduce((sum, file) => sum + statSync(file).size, 0) > MAX_BYTES_READ) return undefined
  try {
    const { loadProgram } = await import('../../run/program/load.js')
    const layout = layoutOf(
      (await loadProgram({ ...task, property: 'assert' }, { cut: true, recursionLimit: 1 })).program,
    )
    return (name, size, offset) => staticName(layout, name, size, offset)
  } catch {
    return undefined
  }
}

/** Two runs show the same if they end in the same way at the same place. */
const sameness = (answer: RunAnswer, program: Program): string => {
  const line = (pc: number): string => {
    const at = program.place(pc)
    // A library lies elsewhere in each of our processes, unless the system lets us choose.
    return at ? `${at.file}:${at.line}` : 'a library'
  }
  const finding = findingOf(answer, { isAssumption: () => false })
  switch (answer.outcome) {
    case 'assert':
      return `${finding} ${answer.line > 0 ? `${answer.file}:${answer.line}` : line(answer.pc)} ${answer.text}`
    case 'race':
      return `${finding} ${[line(answer.pc), line(answer.otherPc)].sort().join(' ')}`
    case 'deadlock':
      return `${finding} ${answer.waiting
        .map((w) => `${w.kind} ${line(w.pc)}`)
        .sort()
        .join(' ')}`
    case 'step-limit':
      return `${finding}`
    default:
      return `${finding} ${answer.text} ${line(answer.pc)}`
  }
}

const common = (call: TestCall, { began, campaign, coverage }: Measured): Omit<Report, 'verdict'> => {
  const { counts, exploration } = campaign
  const { parsed } = call
  const options = Object.fromEntries([...parsed.options].map(([name, values]) => [name, values.join(' ')]))
  return {
    property:
      [...call.findings].length === 5 && !call.findings.has('step-limit') ? 'all' : [...call.findings].join(','),
    file: call.files[0] ?? parsed.options.get('run')?.[0] ?? '',
    engine: 'native',
    options,
    time_ms: Date.now() - began,
    memory_mb: Math.round(process.memoryUsage().rss / 1e6),
    stats: {
      schedules: counts.schedules,
      distinct: counts.executions.size,
      systematic: counts.byStrategy.systematic,
      random: counts.byStrategy.random,
      pct: counts.byStrategy.pct,
      complete: exploration.isComplete ? 'yes' : 'no',
      preemption_bound: exploration.bound,
      steps: counts.steps,
      threads: counts.threads,
      racing_pairs: coverage,
      chance_of_new: Number(chanceOfNew(counts).toFixed(4)),
      ...(counts.cut > 0 && { cut: counts.cut }),
      ...(counts.stopped > 0 && { stopped: counts.stopped }),
      ...(counts.hung > 0 && { hung: counts.hung }),
    },
    assumptions: [],
    task: call.task,
  }
}

export const unknownReport = (call: TestCall, measured: Measured): Report => {
  const { counts, exploration } = measured.campaign
  const notes = [
    counts.trouble && `${counts.trouble}.`,
    exploration.isComplete && counts.byStrategy.systematic > 0
      ? 'Every order of dependent steps was tried, for the inputs that were tried.'
      : undefined,
    counts.cut > 0 ? `${count(counts.cut, 'schedule')} reached the step limit (--steps).` : undefined,
    counts.hung > 0 ? `${count(counts.hung, 'schedule')} waited for something outside of the program.` : undefined,
    counts.unjoined > 0
      ? `When the program ends, up to ${count(counts.unjoined, 'thread')} had been neither joined nor detached.`
      : undefined,
    pctText(call, measured),
    'Finding nothing proves nothing; heddle verify can prove that there is nothing to find.',
  ].filter((note): note is string => note !== undefined)
  return {
    ...common(call, measured),
    verdict: 'unknown',
    reason: inconclusive(`nothing found in ${counts.schedules} schedules`),
    hint: notes.join(' '),
  }
}

/** The probability that Burckhardt's theorem gives, for bugs of depth 2. */
const pctText = (_call: TestCall, { campaign: { counts } }: Measured): string | undefined => {
  const runs = counts.byStrategy.pct
  if (runs === 0 || counts.length === 0) return undefined
  const single = 1 / (Math.max(1, counts.threads) * Math.max(1, counts.length))
  const all = 1 - (1 - single) ** (runs / 3)
  return `A bug of depth 2 would have been found with a probability of at least ${(100 * all).toFixed(0)} % (PCT with ${count(counts.threads, 'thread')} and ${count(counts.length, 'step')}).`
}
