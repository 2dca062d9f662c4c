// No-data-race tasks of SV-COMP 2025 beside what the tools of the competition answered:
//   node bench/svcomp25/run.mjs FOLDER [--results results.csv] [--seconds 20] [--family NAME]... [--out DIR]
// FOLDER has a folder of tasks for each family, and peers.csv: task, family, expected, and for each tool its status and its
// seconds. With --results the rows of an earlier `heddle bench --out` are compared, and nothing is run.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    results: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    family: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: fileURLToPath(new URL('../out/svcomp25', import.meta.url)) },
  },
})
const [folder] = positionals
if (!folder) throw new Error('no folder of tasks')

const cellsOf = (line) => [...line.matchAll(/("([^"]|"")*"|[^,]*)(,|$)/g)].map(([, cell]) => cell.replace(/^"|"$/g, ''))
const rowsOf = (file) => {
  const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\n').map(cellsOf)
  return lines.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i]])))
}

if (!values.results) {
  const heddle = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
  const tasks = values.family.length > 0 ? values.family.map((family) => join(folder, family)) : [folder]
  const limits = ['--property', 'no-data-race', '--timeout', `${values.seconds}s`, '--out', values.out]
  spawnSync(process.execPath, [heddle, 'bench', ...tasks, ...limits], { stdio: 'inherit' })
}

const ours = rowsOf(values.results ?? join(values.out, 'results.csv')).filter((row) => row.property === 'no-data-race')
const verdicts = new Map(ours.map((row) => [basename(row.task, '.yml'), row.verdict]))
const peers = rowsOf(join(folder, 'peers.csv')).filter(({ task }) => verdicts.has(task))
const tools = Object.keys(peers[0] ?? {}).flatMap((name) => (name.endsWith(' status') ? [name.slice(0, -7)] : []))

/** An answer without a witness is one. */
const answer = (status) => /(?:^|\()(true|false)(?![a-z])/.exec(status ?? '')?.[1]
const score = (name, answerOf) => {
  const answers = peers.map((row) => ({ expected: row.expected, answer: answerOf(row) })).filter((row) => row.answer)
  const right = answers.filter((row) => row.answer === row.expected).length
  return { name, right, wrong: answers.length - right }
}
const limit = Number(values.seconds)
const table = [
  score('heddle', ({ task }) => answer(verdicts.get(task))),
  ...tools.map((tool) =>
    score(`${tool} (${limit} s)`, (row) => Number(row[`${tool} s`]) <= limit && answer(row[`${tool} status`])),
  ),
  ...tools.map((tool) => score(`${tool} (900 s)`, (row) => answer(row[`${tool} status`]))),
]
console.log(`${peers.length} tasks, no-data-race`)
for (const { name, right, wrong } of table.sort((a, b) => b.right - a.right))
  console.log(`${name.padEnd(26)} ${String(right).padStart(4)} right ${String(wrong).padStart(3)} wrong`)
const open = peers.filter(({ task }) => !answer(verdicts.get(task)))
const decidedBy = (row) => tools.filter((tool) => answer(row[`${tool} status`]) === row.expected)
for (const row of open)
  console.log(`open: ${row.family}/${row.task} (${row.expected}); decided by ${decidedBy(row).join(', ') || 'nobody'}`)
