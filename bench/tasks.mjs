// What one engine decides of SV-COMP's unreach-call tasks:
//   node bench/tasks.mjs ENGINE FOLDER... [--seconds N] [--out FILE] [--option KEY=VALUE]...
// Limits are processor time. FILE grows by a line a run; a run that was interrupted goes on there.
import { mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isRight, isWrong, runAll, unreachCallTasks } from './runs.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '20' },
    out: { type: 'string' },
    option: { type: 'string', multiple: true, default: [] },
  },
})
const [engine, ...folders] = positionals
const log = values.out ?? join(fileURLToPath(new URL('out', import.meta.url)), `${engine}.jsonl`)
mkdirSync(dirname(log), { recursive: true })
const configuration = Object.fromEntries(values.option.map((entry) => entry.split('=')))
const runs = await runAll(engine, unreachCallTasks(folders), [configuration], Number(values.seconds), log)

const right = runs.filter(isRight)
const wrong = runs.filter(isWrong)
const times = right.map((run) => run.seconds).sort((a, b) => a - b)
const of = (verdict) => right.filter((run) => run.verdict === verdict).length
const median = times[Math.floor(times.length / 2)]?.toFixed(2)
console.log(`${right.length} of ${runs.length} decided (${of('true')} true, ${of('false')} false), median ${median} s`)
console.log(`wrong: ${wrong.map(({ task }) => basename(task, '.yml')).join(', ') || 'none'}`)
const open = runs.filter((run) => !isRight(run) && !isWrong(run))
console.log(`not decided: ${open.map(({ task, reason }) => `${basename(task, '.yml')} (${reason})`).join(', ')}`)
