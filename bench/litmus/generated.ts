// Generated programs over relaxed, acquire, release and seq_cst accesses, each decided by two roads that share nothing
// after the front ends: node scripts/run.mjs bench/litmus/generated.ts [COUNT] [FIRST] [ROAD] [OUTCOMES]
//
// The set of outcomes (what every register reads, and the final memory) is enumerated by the litmus road: all execution
// graphs, checked with the evaluator. The other road must prove that there are no more, and find each of them; of more
// than OUTCOMES, those that sequential consistency forbids come first.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { bmcEngine } from '../../src/engine/bmc/index.js'
import { explicitEngine } from '../../src/engine/explicit/index.js'
import { graphsEngine } from '../../src/engine/graphs/index.js'
import { type Engine, verifyWithOrders } from '../../src/engine/index.js'
import { decideLitmus, finalState, type LitmusAnswer } from '../../src/engine/litmus/index.js'
import { loadParser } from '../../src/frontend/c/index.js'
import { type LitmusTest, parseLitmus } from '../../src/frontend/litmus/index.js'
import { builtInModel, type Model, type ModelName } from '../../src/memory-model/index.js'
import { reasonText } from '../../src/output/reason.js'
import type { Property } from '../../src/property/index.js'
import { oracle } from '../../src/semantics/index.js'
import { createSmt } from '../../src/smt/index.js'
import { seededChoices } from '../../test/generate/choices.js'
import { compileProgram } from '../../test/generate/harness.js'
import { type WeakProgram, weakProgram } from '../../test/generate/weak.js'

const [count, first, filter] = [Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 1), process.argv[4] ?? '']
const OUTCOMES = Number(process.argv[5] ?? 3)
const require = createRequire(import.meta.url)
const wasm = (name: string): Uint8Array => readFileSync(require.resolve(name))
const parser = await loadParser({
  runtime: wasm('web-tree-sitter/web-tree-sitter.wasm'),
  grammar: wasm('tree-sitter-c/tree-sitter-c.wasm'),
})
const smt = await createSmt('auto')
const models = new Map<ModelName, Model>()
const modelOf = (name: ModelName): Model => {
  if (!models.has(name)) models.set(name, builtInModel(name))
  return models.get(name)!
}

const enumerated = (
  litmus: string,
  model: ModelName,
  maxCounted: number,
): { readonly test: LitmusTest; readonly answer: LitmusAnswer } => {
  const parsed = parseLitmus(litmus)
  if (parsed.kind === 'wrong') throw new Error(`${parsed.error.message}\n${litmus}`)
  const answer = decideLitmus(parsed.test, modelOf(model), { expired: () => false, maxCounted, explain: false })
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  return { test: parsed.test, answer }
}

const decided = (
  engine: Engine,
  text: string,
  memoryModel: ModelName,
  property: Property,
  byAxioms: boolean,
): string => {
  const raw = compileProgram(parser, text)
  const task = {
    ...{ raw, property, smt },
    settings: { arith: 'auto', solver: 'auto', memoryModel, spuriousWakeups: true } as const,
    ...(byAxioms && { model: modelOf(memoryModel) }),
  }
  const options = engine === bmcEngine ? { depth: '20' } : {}
  const env = { stopped: () => undefined, progress: () => {} }
  const { result } = byAxioms
    ? { result: engine.verify(task, options, env) }
    : verifyWithOrders(engine, task, options, env)
  return result.verdict === 'unknown' ? `unknown: ${reasonText(result.reason)}` : result.verdict
}

type Outcome = ReadonlyMap<string, string>
const equal = (name: string, value: string): string => `${name}=${value}`
const conjunction = (outcome: Outcome): string => [...outcome].map(([name, value]) => equal(name, value)).join(' /\\ ')

/** Asks for an outcome that is not yet known until there is none. */
const outcomesOf = ({ observed, asking }: WeakProgram, model: ModelName): readonly Outcome[] => {
  const found: Outcome[] = []
  const mentions = `~(${observed.map(({ litmus }) => equal(litmus, '99')).join(' /\\ ')})`
  for (;;) {
    const condition = [mentions, ...found.map((outcome) => `~(${conjunction(outcome)})`)].join(' /\\ ')
    const { test, answer } = enumerated(asking(condition), model, 0)
    if (!answer.witness) return found
    found.push(new Map(finalState(test, answer.witness).map((text) => text.split('=') as [string, string])))
  }
}

const isOutcome = ({ observed }: WeakProgram, outcome: Outcome): string =>
  observed.map(({ litmus, c }) => `${c} == ${outcome.get(litmus)}`).join(' && ')

interface Tally {
  programs: number
  outcomes: number
  weak: number
  asked: number
  different: number
  undecided: number
}

const compareOutcomes = (road: Road, seed: number, tally: Tally): void => {
  const program = weakProgram(seededChoices(seed))
  const all = outcomesOf(program, road.model)
  const sequential = new Set(outcomesOf(program, 'sc').map(conjunction))
  const weak = all.filter((outcome) => !sequential.has(conjunction(outcome)))
  tally.programs++
  tally.outcomes += all.length
  tally.weak += weak.length
  const ask = (claim: string, expected: string): void => {
    const said = road.decide(program.asserting(claim))
    tally.asked++
    if (said === expected) return
    if (said.startsWith('unknown')) tally.undecided++
    else tally.different++
    console.error(`${road.name}, seed ${seed}: ${said}, expected ${expected} of ${claim}`)
  }
  ask(all.map((outcome) => `(${isOutcome(program, outcome)})`).join(' || '), 'true')
  const chosen = [...weak, ...all.filter((outcome) => !weak.includes(outcome))].slice(0, OUTCOMES)
  for (const outcome of chosen) ask(`!(${isOutcome(program, outcome)})`, 'false')
}

const compareRaces = (seed: number, tally: Tally): void => {
  const { c, litmus } = weakProgram(seededChoices(seed), true)
  const expected = enumerated(litmus, 'rc11', 100_000).answer.flags.includes('data-race') ? 'false' : 'true'
  const said = decided(bmcEngine, c, 'rc11', 'no-data-race', true)
  tally.programs++
  tally.asked++
  if (expected === 'false') tally.outcomes++
  if (said === expected) return
  if (said.startsWith('unknown')) tally.undecided++
  else tally.different++
  console.error(`races, seed ${seed}: ${said}, expected ${expected}`)
}

interface Road {
  readonly name: string
  readonly model: ModelName
  decide(text: string): string
}
const road = (name: string, engine: Engine, model: ModelName, byAxioms: boolean): Road => ({
  ...{ name, model },
  decide: (text) => decided(engine, text, model, 'assert', byAxioms),
})
const brute = (text: string): string => oracle(compileProgram(parser, text), 'assert', { maxStates: 200_000 }).verdict
const ROADS: readonly Road[] = [
  road('rc11: bmc', bmcEngine, 'rc11', true),
  road('rc11: graphs', graphsEngine, 'rc11', true),
  road('sc: bmc', bmcEngine, 'sc', true),
  { name: 'sc: brute force over interleavings', model: 'sc', decide: brute },
  road('tso: store buffers', explicitEngine, 'tso', false),
  road('pso: store buffers', explicitEngine, 'pso', false),
]

console.log('| road | programs | outcomes | not of sc | questions | different | undecided |')
console.log('|---|---|---|---|---|---|---|')
const row = (name: string, { programs, outcomes, weak, asked, different, undecided }: Tally): void =>
  console.log(`| ${[name, programs, outcomes, weak, asked, different, undecided].join(' | ')} |`)
const fresh = (): Tally => ({ programs: 0, outcomes: 0, weak: 0, asked: 0, different: 0, undecided: 0 })
const seeds = Array.from({ length: count }, (_, i) => first + i)
for (const each of ROADS.filter(({ name }) => name.includes(filter))) {
  const tally = fresh()
  for (const seed of seeds) compareOutcomes(each, seed, tally)
  row(each.name, tally)
}
if ('rc11, races: bmc'.includes(filter)) {
  const tally = fresh()
  for (const seed of seeds) compareRaces(seed, tally)
  row('rc11, races: bmc', tally)
}
