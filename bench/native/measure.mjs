// What heddle test finds of the violations that tasks are known to have:
//   node bench/native/measure.mjs FOLDER... [--seconds 5] [--sample N] [--out FILE.csv] [--verify 5] [--until 600]
// Takes every task definition (.yml) with a property that is violated, of each family at most N, and counts a finding
// only if its schedule shows it again 20 times of 20. With --verify, heddle verify gets as many seconds for the same
// property. What stands in FILE.csv already is not measured again, so that a run can be cut (--until: seconds) and
// gone on with; the table is of everything that is in the file.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const folders = []
const options = { seconds: '5', sample: '1000', out: '', verify: '0', until: '100000' }
for (let i = 2; i < process.argv.length; i++) {
  const name = /^--(\w+)$/.exec(process.argv[i])?.[1]
  if (name === undefined) folders.push(process.argv[i])
  else options[name] = process.argv[++i]
}

/** The property's name for heddle verify. */
const VERIFIED = { assert: 'unreach-call', 'no-data-race': 'no-data-race', 'crash,leak': 'valid-memsafety' }
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

const chosen = [...new Map(tasks.map((t) => [`${t.family} ${t.property}`, []])).keys()].flatMap((key) => {
  const all = tasks.filter((t) => `${t.family} ${t.property}` === key)
  const step = Math.max(1, Math.floor(all.length / Number(options.sample)))
  return all.filter((_, i) => i % step === 0).slice(0, Number(options.sample))
})

const COLUMNS = [
  'collection',
  'family',
  'task',
  'property',
  'outcome',
  'schedules',
  'ms',
  'verify',
  'verify_ms',
  'note',
]
const quote = (text) => `"${String(text).replaceAll('"', '""').replaceAll('\n', ' ')}"`
const parseRow = (line) => {
  const cells = [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map((match) => match[1].replaceAll('""', '"'))
  return Object.fromEntries(COLUMNS.map((name, i) => [name, cells[i] ?? '']))
}
const rows =
  options.out && existsSync(options.out)
    ? readFileSync(options.out, 'utf8').trim().split('\n').slice(1).map(parseRow)
    : []
/** Written after every task: a run that is cut short has measured something, too. */
const save = () => {
  const lines = rows.map((row) => COLUMNS.map((name) => quote(row[name])).join(','))
  writeFileSync(options.out, `${[COLUMNS.join(','), ...lines].join('\n')}\n`)
}
const keyOf = ({ collection, family, task, property }) => [collection, family, task, property].join(' ')
const done = new Set(rows.map(keyOf))

const call = (args) => {
  const began = Date.now()
  const result = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 120_000,
  })
  return { ...result, ms: Date.now() - began }
}

const tested = ({ inputs, property, model }) => {
  const limits = ['--property', property, '--timeout', `${options.seconds}s`, '--jobs', '1', '--replays', '20']
  const { status, stdout, stderr, ms } = call([
    'test',
    ...inputs,
    ...limits,
    '--json',
    '--data-model',
    model.toLowerCase(),
  ])
  let answer = { reason: (stderr ?? '').split('\n')[0] }
  try {
    answer = JSON.parse(stdout)
  } catch {
    // It does not compile: the reason stands on standard error.
  }
  const outcome = { 1: 'found', 2: 'does not compile', 3: 'not found' }[status] ?? 'error'
  const note = (answer.hint ?? answer.reason ?? '').slice(0, 200)
  return { outcome, schedules: answer.stats?.schedules ?? 0, ms, note: outcome === 'found' ? '' : note }
}

const verified = ({ path, property }) => {
  if (options.verify === '0') return { verify: '', verify_ms: '' }
  const { stdout, ms } = call(['verify', path, '--property', VERIFIED[property], '--timeout', `${options.verify}s`])
  const verdict = /^VERDICT: (\w+)/m.exec(
    (stdout ?? '').split('\n').findLast((line) => line.startsWith('VERDICT')) ?? '',
  )
  return { verify: verdict?.[1] ?? 'error', verify_ms: ms }
}

const began = Date.now()
for (const task of chosen) {
  if (Date.now() - began > Number(options.until) * 1000) break
  const { family, path, property } = task
  const names = { collection: basename(dirname(dirname(path))), family, task: basename(path, '.yml'), property }
  if (done.has(keyOf(names))) continue
  const row = { ...names, ...tested(task), ...verified(task) }
  rows.push(row)
  if (options.out) save()
  console.error(
    `${family}/${names.task} ${property}: ${row.outcome} (${row.schedules} schedules, ${row.ms} ms), verify ${row.verify} ${row.verify_ms} ms ${row.note}`,
  )
}

const seconds = (list) => {
  const sorted = list.map(Number).toSorted((a, b) => a - b)
  return sorted.length === 0 ? '' : (sorted[Math.floor(sorted.length / 2)] / 1000).toFixed(1)
}
const count = (list, name, value) => list.filter((row) => row[name] === value).length
const line = (name, property, list) => {
  const found = list.filter((row) => row.outcome === 'found')
  const shown = list.filter((row) => row.verify === 'FALSE')
  const both = found.filter((row) => row.verify === 'FALSE')
  return `| ${[name, property, list.length, found.length, count(list, 'outcome', 'not found'), count(list, 'outcome', 'does not compile'), count(list, 'outcome', 'error'), seconds(found.map((row) => row.ms)), shown.length, seconds(shown.map((row) => row.verify_ms)), both.length, count(list, 'verify', 'TRUE')].join(' | ')} |`
}
console.log(
  `load ${loadavg()[0].toFixed(1)}; ${options.seconds} s for test, ${options.verify} s for verify; times are medians of those that found it, with start-up\n`,
)
console.log(
  '| family | property | tasks | found | not found | does not compile | error | s | by verify | s | by both | verify TRUE |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|---|---|')
const groups = new Map()
for (const row of rows) {
  const key = `${row.family} | ${row.property}`
  groups.set(key, [...(groups.get(key) ?? []), row])
}
for (const [key, list] of groups) console.log(line(...key.split(' | '), list))
console.log(line('all', '', rows))
