// Programs whose answer is that of the whole way from the text to the report: what was cut, what was met on random walks and
// what no proof follows makes TRUE unknown there. `// expect: PROPERTY TRUE|FALSE|UNKNOWN`, `// reason: TEXT` is a part of
// the reason that has to be given, and `// data-model: ilp32` another data model.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { reasonText } from '../../src/output/reason.js'
import { loadProgram } from '../../src/run/program/load.js'
import { outcomeOf } from '../../src/run/run-engine.js'
import { limitOf } from '../stopwatch.js'

const folder = fileURLToPath(new URL('reports', import.meta.url))
const SECONDS = 8

const reportOf = async (file: string, property: string, dataModel: 'lp64' | 'ilp32') => {
  const outcome = await outcomeOf(
    {
      ...{ files: [file], property, engine: 'explicit', engineOptions: {}, entry: 'main', dataModel },
      ...{ defines: [], includeDirs: [], arith: 'auto', solver: 'auto', memoryModel: 'sc', byOrders: true },
      ...{ spuriousWakeups: true, mallocMayFail: false, deadline: Date.now() + 60_000, memoryMb: 2000 },
    },
    { env: { stopped: limitOf(SECONDS), progress: () => {} }, load: loadProgram, onFacts: () => {} },
  )
  if (outcome.kind !== 'report') throw new Error(`${file}: ${outcome.kind}`)
  return outcome.report
}

test.each(readdirSync(folder).filter((name) => name.endsWith('.c')))('%s', async (name) => {
  const file = join(folder, name)
  const text = readFileSync(file, 'utf8')
  const [, property, expected] = /^\/\/ expect: (\S+) (TRUE|FALSE|UNKNOWN)$/m.exec(text)!
  const [, dataModel = 'lp64'] = /^\/\/ data-model: (ilp32)$/m.exec(text) ?? []
  const [, reason = ''] = /^\/\/ reason: (.+)$/m.exec(text) ?? []
  const report = await reportOf(file, property!, dataModel as 'lp64')
  expect(report.verdict.toUpperCase()).toBe(expected)
  if (report.reason) expect(reasonText(report.reason)).toContain(reason)
})
