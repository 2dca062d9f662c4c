// `npm run fuzz -- --engine NAME...`: engines in every combination of a grid of options against brute force, on programs
// by seed. Each program is compiled and explored once for all engines. Prints each disagreement with its seed, and how
// many programs each combination decided.

import { type Answer, checkCertificate } from '../../src/check/index.js'
import { ENGINES, type Engine, misfit, type Options } from '../../src/engine/index.js'
import type { CParser } from '../../src/frontend/c/index.js'
import { reasonText } from '../../src/output/reason.js'
import { errorsOf, type Property } from '../../src/property/index.js'
import { oracle } from '../../src/semantics/index.js'
import { createSmt } from '../../src/smt/index.js'
import type { Result } from '../../src/verdict/index.js'
import type { Program } from '../../src/xcfa/index.js'
import { limitOf } from '../stopwatch.js'
import { compileProgram, judge } from './harness.js'
import { generateFor, generateLibrary, generateTricky } from './index.js'

export interface Campaign {
  readonly engines: readonly string[]
  /** `KEY=V1,V2...`: every combination is run; other options have their defaults. */
  readonly grid: readonly string[]
  readonly properties: readonly Property[]
  readonly arith: 'auto' | 'int' | 'bv'
  readonly from: number
  readonly count: number
  /** Programs with more states are passed over. */
  readonly maxStates: number
  /** Limit of each run, of processor time. */
  readonly seconds: number
  /** Each program meets every combination, or (by turns) this many of them. */
  readonly combinations: number
  readonly source: 'usual' | 'library' | 'tricky'
  /** Every proof goes through the checker, too: one that it rejects is a disagreement. */
  readonly check: boolean
}

interface Tally {
  decided: number
  readonly undecided: Record<string, number>
}

export const combinationsOf = (grid: readonly string[]): readonly Options[] =>
  grid.reduce<readonly Options[]>(
    (all, entry) => {
      const [key, values] = entry.split('=')
      return all.flatMap((options) => values!.split(',').map((value) => ({ ...options, [key!]: value })))
    },
    [{}],
  )

const run = async (engine: Engine, raw: Program, property: Property, options: Options, campaign: Campaign) => {
  const smt = engine.needsSolver ? await createSmt('auto') : undefined
  const settings = { arith: campaign.arith, solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const env = { stopped: limitOf(campaign.seconds), progress: () => {} }
  try {
    return engine.verify({ raw, property, settings, ...(smt && { smt }) }, options, env)
  } finally {
    smt?.dispose()
  }
}

const textOf = ({ source }: Campaign, property: Property, seed: number): string => {
  switch (source) {
    case 'usual':
      return generateFor(property, seed)
    case 'library':
      return generateLibrary(seed)
    case 'tricky':
      return generateTricky(seed)
  }
}

/** The checker on a proof, for some seconds: its answer. */
const checked = async (raw: Program, property: Property, result: Result, seconds: number): Promise<Answer> => {
  if (result.verdict !== 'true') throw new Error('no proof')
  const smt = await createSmt('auto')
  const task = { dataModel: 'lp64', entry: 'main', defines: [], spuriousWakeups: true, mallocMayFail: false } as const
  const file = {
    ...{ property, engine: 'any', assumptions: result.assumptions, certificate: result.certificate },
    task: { ...task, hashes: [] },
  }
  const errors = errorsOf(raw, property)
  const deadline = Date.now() + 1000 * seconds
  try {
    return checkCertificate({ raw, errors, property, memoryModel: 'sc', file, smt, now: Date.now, deadline })
  } finally {
    smt.dispose()
  }
}

interface Contender {
  readonly entry: EngineEntry
  readonly engine: Engine
  readonly defaults: Options
}

type EngineEntry = (typeof ENGINES)[number]

const contender = async (name: string): Promise<Contender> => {
  const entry = ENGINES.find((one) => one.name === name)
  if (!entry) throw new Error(`no engine ${name}`)
  const engine = await entry.load()
  const options = Object.entries(engine.options).map(([key, option]) => [key, option.default])
  return { entry, engine, defaults: Object.fromEntries(options) }
}

class Tallies {
  runs = 0
  decided = 0
  readonly proofs = { accepted: 0, rejected: 0, unknown: 0 }
  readonly wrong: string[] = []
  private readonly byName = new Map<string, Tally>()

  count(name: string, result: Result, problem: string | undefined): void {
    const tally = this.byName.get(name) ?? { decided: 0, undecided: {} }
    this.byName.set(name, tally)
    this.runs++
    if (result.verdict !== 'unknown') this.decided++
    if (problem) this.wrong.push(problem)
    else if (result.verdict !== 'unknown') tally.decided++
    else {
      const reason = reasonText(result.reason)
      tally.undecided[reason] = (tally.undecided[reason] ?? 0) + 1
    }
  }

  tell(): void {
    for (const [name, { decided, undecided }] of this.byName) console.log(name, { decided, undecided })
  }
}

/** One run, and the checker on its proof: what is wrong. */
const compare = async (
  { engine, defaults }: Contender,
  task: { readonly raw: Program; readonly property: Property; readonly expected: 'true' | 'false' },
  given: Options,
  campaign: Campaign,
  { proofs }: Tallies,
): Promise<{ readonly result: Result; readonly problem: string | undefined }> => {
  const { raw, property, expected } = task
  const result = await run(engine, raw, property, { ...defaults, ...given }, campaign)
  let problem = judge(raw, property, expected, result)
  if (campaign.check && result.verdict === 'true') {
    const answer = await checked(raw, property, result, campaign.seconds)
    proofs[answer.kind]++
    if (answer.kind === 'rejected') problem ??= `the checker rejects the proof: ${answer.place}`
    if (answer.kind === 'accepted' && expected === 'false') problem = `${problem}, and the checker accepts it`
  }
  return { result, problem }
}

/** The disagreements, as text; everything else is told on the console. */
export const fuzzEngine = async (parser: CParser, campaign: Campaign): Promise<readonly string[]> => {
  const contenders = await Promise.all(campaign.engines.map(contender))
  const combinations = combinationsOf(campaign.grid)
  const turns = Math.min(campaign.combinations, combinations.length)
  const tallies = new Tallies()
  let passedOver = 0
  const runAll = async (seed: number, property: Property): Promise<void> => {
    const raw = compileProgram(parser, textOf(campaign, property, seed), property)
    const { verdict: expected } = oracle(raw, property, { maxStates: campaign.maxStates })
    if (expected === 'unknown') {
      passedOver++
      return
    }
    for (const one of contenders)
      for (let i = 0; i < turns; i++) {
        const given = combinations[(seed * turns + i) % combinations.length]!
        if (misfit(one.entry, given, property)) continue
        const name = `${one.entry.name} ${property} ${JSON.stringify(given)}`
        const { result, problem } = await compare(one, { raw, property, expected }, given, campaign, tallies)
        if (problem) console.log(`WRONG seed ${seed} ${name}: ${problem}`)
        tallies.count(name, result, problem && `seed ${seed} ${name}: ${problem}`)
      }
  }
  for (let seed = campaign.from; seed < campaign.from + campaign.count; seed++) {
    for (const property of campaign.properties) await runAll(seed, property)
    const done = seed + 1 - campaign.from
    const { runs, decided, proofs, wrong } = tallies
    if (done % 25 === 0)
      console.error(
        `${done} programs, ${passedOver} passed over: ${decided} of ${runs} runs decided, ${proofs.accepted} proofs accepted, ${wrong.length} wrong`,
      )
  }
  console.log(
    `${campaign.count} programs from seed ${campaign.from}, ${passedOver} times too large for brute force; ${tallies.decided} of ${tallies.runs} runs decided`,
  )
  if (campaign.check) console.log('proofs, by the checker:', tallies.proofs)
  tallies.tell()
  return tallies.wrong
}
