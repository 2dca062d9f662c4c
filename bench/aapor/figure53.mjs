// Figures 5.3, 5.5 and 5.6 of aapor.txt on SV-COMP tasks: what each configuration decides, the quantiles of time and of
// explored actions, average times; the paper's figures (of its 763 tasks in 900 s) beside ours.
//   node bench/aapor/figure53.mjs FOLDER... [--every N] [--seconds N] [--grid KEY=V1,V2]... [--out DIR]
// takes every Nth unreach-call task in alphabetical order. DIR/runs.jsonl grows by a line a run: a run that was
// interrupted goes on there. DIR also gets table.md, time.svg and actions.svg. Limits are processor time.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRight, isWrong, nameOf, runAll, unreachCallTasks } from '../runs.mjs'
import { quantilePlots } from './quantiles.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const args = process.argv.slice(2)
const take = (name) => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? undefined : args.splice(at, 2)[1]
}
const takeAll = (name) => {
  const values = []
  for (let value = take(name); value !== undefined; value = take(name)) values.push(value)
  return values
}
const every = Number(take('every') ?? 1)
const seconds = Number(take('seconds') ?? 20)
const out = take('out') ?? join(root, 'bench/out/aapor')
const given = takeAll('grid')
const grid =
  given.length > 0 ? given : ['domain=expl,pred-cart', 'prune=full,lazy', 'lbe=off,on', 'por=none,basic,aapor']

/** NO_POR, BASIC, AAPOR by domain, pruning and large blocks. */
const PAPER = {
  'expl full off': [79, 216, 217],
  'expl full on': [194, 241, 249],
  'expl lazy off': [79, 223, 216],
  'expl lazy on': [198, 248, 251],
  'pred-cart full off': [15, 36, 45],
  'pred-cart full on': [54, 53, 52],
  'pred-cart lazy off': [17, 76, 85],
  'pred-cart lazy on': [60, 129, 130],
}
const REDUCTIONS = ['none', 'basic', 'aapor']

const tasks = unreachCallTasks(args).filter((_, i) => i % every === 0)
const configurations = grid.reduce(
  (all, axis) => {
    const [key, values] = axis.split('=')
    return all.flatMap((point) => values.split(',').map((value) => ({ ...point, [key]: value })))
  },
  [{}],
)
mkdirSync(out, { recursive: true })
const runs = await runAll('cegar', tasks, configurations, seconds, join(out, 'runs.jsonl'))
const of = (configuration) => runs.filter((run) => run.configuration === nameOf(configuration).join(' '))
const sum = (values) => values.reduce((a, b) => a + b, 0)

/** Rows by everything but the reduction. */
const rows = new Map()
for (const configuration of configurations) {
  const { por, ...rest } = configuration
  const key = JSON.stringify(rest)
  rows.set(key, { ...rows.get(key), [por]: of(configuration) })
}
const lines = [`${tasks.length} tasks, ${seconds} s of processor time each`, '']
lines.push(
  '| configuration | none | basic | aapor | actions of all three | mean s, basic | mean s, aapor | the paper |',
)
lines.push('|---|---|---|---|---|---|---|---|')
for (const [key, row] of rows) {
  const rest = JSON.parse(key)
  const cells = REDUCTIONS.map((por) => {
    const decided = (row[por] ?? []).filter(isRight).length
    const wrong = (row[por] ?? []).filter(isWrong).length
    return wrong > 0 ? `${decided}, ${wrong} WRONG` : `${decided}`
  })
  const common = tasks.filter((task) =>
    REDUCTIONS.every((por) => (row[por] ?? []).some((run) => run.task === task && isRight(run))),
  )
  const inCommon = (por) => (row[por] ?? []).filter(({ task }) => common.includes(task))
  const actions = REDUCTIONS.map((por) => sum(inCommon(por).map(({ stats }) => stats.actions_explored ?? 0)))
  const mean = (por) => {
    const decided = (row[por] ?? []).filter(isRight)
    return decided.length > 0 ? (sum(decided.map((run) => run.seconds)) / decided.length).toFixed(2) : '-'
  }
  const paper = PAPER[`${rest.domain} ${rest.prune ?? 'lazy'} ${rest.lbe}`]
  lines.push(
    `| ${nameOf(rest).join(' ')} | ${cells.join(' | ')} | ${actions.join(' / ')} (${common.length} tasks) | ` +
      `${mean('basic')} | ${mean('aapor')} | ${paper ? paper.join(' / ') : ''} |`,
  )
}
const table = `${lines.join('\n')}\n`
writeFileSync(join(out, 'table.md'), table)
const groups = (value) =>
  [...rows].map(([key, row]) => ({
    name: nameOf(JSON.parse(key)).join(' '),
    series: Object.entries(row).map(([por, runs]) => ({ name: por, values: runs.filter(isRight).map(value) })),
  }))
const plot = (file, title, value) => writeFileSync(join(out, file), quantilePlots(title, groups(value)))
plot('time.svg', 'Processor time of each decided task, s', (run) => run.seconds)
plot('actions.svg', 'Explored actions of each decided task', (run) => run.stats.actions_explored ?? 0)
console.log(table)
