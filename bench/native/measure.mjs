// What heddle test finds of the violations that tasks are known to have:
//   node bench/native/measure.mjs FOLDER... [--seconds 5] [--sample N] [--out FILE.csv]
// Takes every task definition (.yml) with a property that is violated, of each family at most N, and counts a finding
// only if its schedule shows it again 20 times of 20.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const folders = []
const options = { seconds: '5', sample: '1000', out: '' }
for (let i = 2; i < process.argv.length; i++) {
  const name = /^--(\w+)$/.exec(process.argv[i])?.[1]
  if (name === undefined) folders.push(process.argv[i])
  else options[name] = process.argv[++i]
}

const LOOKED_FOR = { 'unreach-call': 'assert', 'no-data-race': 'no-data-race', 'valid-memsafety': 'crash,leak' }

const tasks = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.yml'))
    .sort()
    .flatMap((file) => {
      const path = join(folder, file)
      const task = parse(readFileSync(path, 'utf8'))
      return (task.properties ?? []).flatMap(({ property_file, expected_verdict }) => {
        const property = LOOKED_FOR[basename(property_file ?? '', '.prp')]
        if (expected_verdict !== false || property === undefined) return []
        const inputs = [task.input_files].flat().map((name) => join(dirname(path), name))
        return [{ family: basename(dirname(path)), path, property, inputs, model: task.options?.data_model ?? 'LP64' }]
      })
    }),
)

const taken = new Map()
const chosen = [...new Map(tasks.map((t) => [`${t.family} ${t.property}`, []])).keys()].flatMap((key) => {
  const all = tasks.filter((t) => `${t.family} ${t.property}` === key)
  const step = Math.max(1, Math.floor(all.length / Number(options.sample)))
  return all.filter((_, i) => i % step === 0).slice(0, Number(options.sample))
})

const rows = []
/** Written after every task: a run that is cut short has measured something, too. */
const save = () => {
  const quote = (text) => `"${String(text).replaceAll('"', '""').replaceAll('\n', ' ')}"`
  const lines = rows.map((row) => Object.values(row).map(quote).join(','))
  writeFileSync(options.out, `${['family,task,property,outcome,schedules,ms,note', ...lines].join('\n')}\n`)
}
for (const { family, path, property, inputs, model } of chosen) {
  const began = Date.now()
  const args = [
    MAIN,
    'test',
    ...inputs,
    '--property',
    property,
    '--timeout',
    `${options.seconds}s`,
    '--jobs',
    '1',
    '--replays',
    '20',
    '--json',
    '--data-model',
    model.toLowerCase(),
  ]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 120_000,
  })
  let answer = { verdict: 'error', reason: (stderr ?? '').split('\n')[0] }
  try {
    answer = JSON.parse(stdout)
  } catch {
    // It does not compile: the reason stands on standard error.
  }
  const outcome = status === 1 ? 'found' : status === 2 ? 'does not compile' : status === 3 ? 'not found' : 'error'
  rows.push({
    family,
    task: basename(path, '.yml'),
    property,
    outcome,
    schedules: answer.stats?.schedules ?? 0,
    ms: Date.now() - began,
    note: (answer.hint ?? answer.reason ?? '').slice(0, 200),
  })
  if (options.out) save()
  console.error(
    `${family}/${basename(path, '.yml')} ${property}: ${outcome} (${answer.stats?.schedules ?? 0} schedules) ${outcome === 'found' ? '' : rows.at(-1).note}`,
  )
  taken.set(family, (taken.get(family) ?? 0) + 1)
}

const table = new Map()
for (const { family, property, outcome } of rows) {
  const key = `${family} | ${property}`
  const row = table.get(key) ?? { tasks: 0, found: 0, 'does not compile': 0, 'not found': 0, error: 0 }
  row.tasks++
  row[outcome]++
  table.set(key, row)
}
console.log(
  '| family | property | tasks | found | not found | does not compile | error |\n|---|---|---|---|---|---|---|',
)
for (const [key, row] of table)
  console.log(
    `| ${key} | ${row.tasks} | ${row.found} | ${row['not found']} | ${row['does not compile']} | ${row.error} |`,
  )
