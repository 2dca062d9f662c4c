// An engine in several configurations over SV-COMP tasks, one process a run, limited by processor time. Runs are kept as
// lines of JSON: what was interrupted goes on where it stopped.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Of the folders and those below, in alphabetical order. */
export const unreachCallTasks = (folders) =>
  folders
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file))))
    .filter((file) => file.endsWith('.yml') && readFileSync(file, 'utf8').includes('unreach-call.prp'))
    .sort()

export const nameOf = (configuration) => Object.entries(configuration).map(([key, value]) => `${key}=${value}`)
export const isRight = ({ verdict, expected }) => verdict !== 'unknown' && verdict === expected
export const isWrong = ({ verdict, expected }) => verdict !== 'unknown' && verdict !== expected

const bundled = async () => {
  const outfile = join(root, `node_modules/.cache/heddle/task-${process.pid}.mjs`)
  await build({
    ...{ absWorkingDir: root, entryPoints: ['bench/task.ts'], outfile, bundle: true },
    ...{ platform: 'node', format: 'esm', packages: 'external', logLevel: 'error', loader: { '.cat': 'text' } },
  })
  process.on('exit', () => rmSync(outfile, { force: true }))
  return outfile
}

export const runAll = async (engine, tasks, configurations, seconds, log) => {
  const bundle = await bundled()
  const runs = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').filter(Boolean).map(JSON.parse) : []
  const done = new Set(runs.map(({ task, configuration }) => `${task} ${configuration}`))
  for (const task of tasks)
    for (const configuration of configurations) {
      const name = nameOf(configuration).join(' ')
      if (done.has(`${task} ${name}`)) continue
      const command = [process.execPath, bundle, engine, task, String(seconds), ...nameOf(configuration)]
      // A question to the solver may take longer than the limit: then the process is ended.
      const limited = `ulimit -t ${seconds + 1}; exec "$0" "$@"`
      const { stdout } = spawnSync('sh', ['-c', limited, ...command], { encoding: 'utf8' })
      const run = stdout.trim() ? JSON.parse(stdout) : { verdict: 'unknown', reason: 'ended', seconds, stats: {} }
      runs.push({ task, configuration: name, options: configuration, ...run })
      appendFileSync(log, `${JSON.stringify(runs.at(-1))}\n`)
      console.error(
        `${runs.length}/${tasks.length * configurations.length} ${task} ${name} ${run.verdict} ${run.reason}`,
      )
    }
  return runs
}
