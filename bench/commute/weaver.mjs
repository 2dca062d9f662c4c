// Equivalences and counting arguments between threads: the engine commute beside the best other engine.
// node bench/commute/weaver.mjs FOLDER [SECONDS] [EVERY] [LOG]: tasks of unreach-call below the folder (all, or every so
// many), seconds of processor time for each run. Prints a table; runs are kept as lines in LOG, so that what was
// interrupted goes on where it stopped.
import { basename } from 'node:path'
import { isRight, isWrong, runAll, unreachCallTasks } from '../runs.mjs'

const [folder, seconds = '20', every = '1', log = 'weaver.jsonl'] = process.argv.slice(2)
if (!folder) {
  console.error('node bench/commute/weaver.mjs FOLDER [SECONDS] [EVERY] [LOG]')
  process.exit(2)
}
const OTHERS = ['explicit', 'bmc', 'cegar', 'impact', 'redcomp']
const tasks = unreachCallTasks([folder]).filter((_, i) => i % Number(every) === 0)

const byEngine = new Map()
for (const engine of ['commute', ...OTHERS])
  byEngine.set(engine, await runAll(engine, tasks, [{}], Number(seconds), `${log}.${engine}`))

const runOf = (engine, task) => byEngine.get(engine).find((run) => run.task === task)
const time = (run) => Number(run.seconds).toFixed(1)
const best = (task) =>
  OTHERS.map((engine) => ({ engine, ...runOf(engine, task) }))
    .filter(isRight)
    .sort((a, b) => a.seconds - b.seconds)[0]

console.log('| task | expected | commute | order | rounds | assertions | s | best other | s |')
console.log('|---|---|---|---|---:|---:|---:|---|---:|')
for (const task of tasks) {
  const run = runOf('commute', task)
  const other = best(task)
  const { order = '', rounds = '', assertions = '' } = run.stats ?? {}
  const cells = [basename(task, '.yml'), run.expected ?? '', run.verdict, order, rounds, assertions, time(run)]
  console.log(`| ${[...cells, other?.engine ?? '', other ? time(other) : ''].join(' | ')} |`)
}
const runs = byEngine.get('commute')
const decided = runs.filter(isRight).length
const others = tasks.filter((task) => best(task)).length
const alone = tasks.filter((task) => isRight(runOf('commute', task)) && !best(task)).length
console.log(
  `\n${tasks.length} tasks, ${seconds} s: commute ${decided}, the best other engine ${others}, commute alone ${alone}`,
)
const wrong = [...byEngine.values()].flat().filter(isWrong)
for (const { task, verdict, expected } of wrong) console.log(`WRONG ${task}: ${verdict} instead of ${expected}`)
process.exit(wrong.length > 0 ? 1 : 0)
