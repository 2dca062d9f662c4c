// Compares answers with published expectations: node scripts/run.mjs bench/litmus/run.ts DIR [FILTER]
// DIR holds litmus files and expected.csv with the columns model, file, and 1 if the final condition holds, else 0.
// Models of the table are named after architectures; everything runs in this process, one test after the other.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decideLitmus } from '../../src/engine/litmus/index.js'
import { parseLitmus } from '../../src/frontend/litmus/index.js'
import { builtInModel, type Model, type ModelName } from '../../src/memory-model/index.js'

const MODELS: Readonly<Record<string, ModelName>> = {
  ARM8: 'arm8',
  PPC: 'power',
  RISCV: 'riscv',
  TSO: 'tso',
  LKMM: 'lkmm',
  RC11: 'rc11',
}
const TIMEOUT_MS = 10_000

const [folder, filter = ''] = process.argv.slice(2)
if (!folder) throw new Error('usage: node scripts/run.mjs bench/litmus/run.ts DIR [FILTER]')
const rows = readFileSync(join(folder, 'expected.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(','))
  .filter((row) => row[1]!.includes(filter))

interface Tally {
  tests: number
  agree: number
  differ: number
  unknown: number
  readonly times: number[]
}
const tallies = new Map<string, Tally>()
const models = new Map<string, Model>()
for (const [model, file, expected] of rows as [string, string, string][]) {
  const name = MODELS[model] ?? (model.toLowerCase() as ModelName)
  if (!models.has(name)) models.set(name, builtInModel(name))
  const tally = tallies.get(model) ?? { tests: 0, agree: 0, differ: 0, unknown: 0, times: [] }
  tallies.set(model, tally)
  tally.tests++
  const began = performance.now()
  const parsed = parseLitmus(readFileSync(join(folder, file), 'utf8'))
  const answer =
    parsed.kind === 'wrong'
      ? {
          kind: 'unknown' as const,
          reason: `${parsed.error.at.line}:${parsed.error.at.column}: ${parsed.error.message}`,
        }
      : decideLitmus(parsed.test, models.get(name)!, {
          expired: () => performance.now() - began > TIMEOUT_MS,
          maxCounted: 0,
          explain: false,
        })
  tally.times.push(performance.now() - began)
  if (answer.kind === 'unknown') {
    tally.unknown++
    console.log(`${file}: unknown: ${answer.reason}`)
  } else if (answer.holds === (expected === '1')) tally.agree++
  else {
    tally.differ++
    console.log(`${file}: expected ${expected === '1'}, answered ${answer.holds}`)
  }
}

console.log(
  '\n| model | tests | as expected | different | unknown | median ms | slowest ms |\n|---|---|---|---|---|---|---|',
)
for (const [model, { tests, agree, differ, unknown, times }] of tallies) {
  const sorted = times.sort((a, b) => a - b)
  const shown = (ms: number): string => ms.toFixed(1)
  console.log(
    `| ${model} | ${tests} | ${agree} | ${differ} | ${unknown} | ${shown(sorted[sorted.length >> 1]!)} | ${shown(sorted.at(-1)!)} |`,
  )
}
