// Does a search over the queue survive the death of its workers? Starts a Redis of its own and workers that are killed
// (SIGKILL) at random, each about once in --kill-every seconds, and started again at once; compares with a run without.
//
//   node bench/queue/chaos.mjs search FILE.c [OPTIONS]      executions, blocked and digest are those of one process
//   node bench/queue/chaos.mjs tasks TASKS... [OPTIONS]     every verdict is the one of a run without the queue
//
//   --workers 4  --kill-every 1  --rounds 3  --restart-redis (killed and started again in the middle of each round)
//   --cpu (a worker's life is counted in processor time, its own and its children's: on a machine that others use, too)
//   --kill-coordinator (killed about once in five seconds and started again)  --seed 1  --timeout 300s  -- VERIFY OPTIONS
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const words = process.argv.slice(2)
const more = words.includes('--') ? words.splice(words.indexOf('--')).slice(1) : []
const option = (name, standard) => {
  const at = words.indexOf(`--${name}`)
  return at < 0 ? standard : words.splice(at, 2)[1]
}
const flag = (name) => {
  const at = words.indexOf(`--${name}`)
  if (at >= 0) words.splice(at, 1)
  return at >= 0
}
const settings = {
  workers: Number(option('workers', 4)),
  killEvery: Number(option('kill-every', 1)),
  rounds: Number(option('rounds', 3)),
  timeout: option('timeout', '300s'),
  isInProcessorTime: flag('cpu'),
  restartsRedis: flag('restart-redis'),
  killsCoordinator: flag('kill-coordinator'),
}
let state = Number(option('seed', 1)) >>> 0
const [kind, ...inputs] = words
if ((kind !== 'search' && kind !== 'tasks') || inputs.length === 0) {
  console.error('node bench/queue/chaos.mjs search FILE.c | tasks TASKS...')
  process.exit(2)
}

/** Numbers from 0 to 1: the same ones for the same seed. */
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const folder = mkdtempSync(join(tmpdir(), 'heddle-queue-'))
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
const port = await freePort()
const url = `redis://127.0.0.1:${port}`
const startRedis = () =>
  spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--save', ''], {
    stdio: 'ignore',
  })
let redis = startRedis()
const counts = { kills: 0, redis: 0, coordinator: 0 }
let isOver = false

/** What a process and those that it has started have used so far; Linux tells. */
const processorMs = (pid) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
    // User and system time, with those of children that have ended, in ticks of 10 ms.
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + 10 * Number(ticks), 0)
    return children.reduce((sum, child) => sum + processorMs(child), own)
  } catch {
    return 0
  }
}

/** One place for a worker: there is always one, never for long. */
const keepWorker = async () => {
  while (!isOver) {
    const worker = spawn(process.execPath, [MAIN, 'work', '--queue', url], { stdio: 'ignore' })
    const life = -Math.log(1 - random()) * settings.killEvery * 1000
    const began = Date.now()
    const age = () => (settings.isInProcessorTime ? processorMs(worker.pid) : Date.now() - began)
    while (age() < life && !isOver) await pause(settings.isInProcessorTime ? 50 : 20)
    worker.kill('SIGKILL')
    counts.kills++
  }
}

const restartRedis = async () => {
  if (!settings.restartsRedis) return
  await pause(3000)
  redis.kill('SIGKILL')
  await pause(500)
  redis = startRedis()
  counts.redis++
}

const textOf = (args, mayDie) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    const timer = mayDie && setTimeout(() => child.kill('SIGKILL'), -Math.log(1 - random()) * 5000)
    child.on('close', (_, signal) => {
      clearTimeout(timer)
      resolve(signal ? undefined : text)
    })
  })

/** The answer of the command line, however often it is killed on the way. */
const answerOf = async (args) => {
  for (;;) {
    const text = await textOf(args, settings.killsCoordinator)
    if (text !== undefined) return text
    counts.coordinator++
  }
}

const search = async (...options) => {
  const args = ['verify', ...inputs, '--engine', 'graphs', '--json', '--timeout', settings.timeout, ...more, ...options]
  const { verdict, reason, stats, certificate } = JSON.parse(await answerOf(args))
  const digest = certificate?.data?.digest
  return JSON.stringify({ verdict, reason, executions: stats.executions, blocked: stats.blocked, digest })
}

const tasks = async (...options) => {
  const out = mkdtempSync(join(folder, 'out-'))
  await answerOf(['bench', ...inputs, '--out', out, ...more, ...options])
  const [header, ...rows] = readFileSync(join(out, 'results.csv'), 'utf8').trim().split('\n')
  const columns = header.split(',')
  const [task, property, verdict] = ['task', 'property', 'verdict'].map((name) => columns.indexOf(name))
  return rows
    .map((row) => row.split(','))
    .map((row) => `${row[task]} ${row[property]} ${row[verdict]}`)
    .sort()
    .join('\n')
}

const run = kind === 'search' ? search : tasks
const isCoordinatorKilled = settings.killsCoordinator
settings.killsCoordinator = false
const reference = await run()
settings.killsCoordinator = isCoordinatorKilled
console.log(
  kind === 'search' ? `without the queue: ${reference}` : `without the queue: ${reference.split('\n').length} rows`,
)
let wrong = 0
for (let round = 1; round <= settings.rounds; round++) {
  Object.assign(counts, { kills: 0, redis: 0, coordinator: 0 })
  isOver = false
  const began = Date.now()
  const places = Array.from({ length: settings.workers }, keepWorker)
  const [answer] = await Promise.all([run('--queue', url), restartRedis()])
  isOver = true
  await Promise.all(places)
  const isSame = answer === reference
  if (!isSame) wrong++
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  console.log(
    `round ${round}: ${isSame ? 'the same' : 'DIFFERENT'} in ${seconds} s; killed: ${counts.kills} workers, ${counts.coordinator} coordinators, ${counts.redis} Redis`,
  )
  if (!isSame) console.log(differences(reference, answer))
}
redis.kill('SIGTERM')
await pause(300)
rmSync(folder, { recursive: true, force: true })
const left = spawnSync('sh', ['-c', `ps ax | grep -c '[-]-queue ${url}'`], { encoding: 'utf8' }).stdout.trim()
console.log(`${settings.rounds - wrong} of ${settings.rounds} rounds the same; ${left} processes left`)
process.exit(wrong > 0 ? 1 : 0)

function differences(a, b) {
  const [before, after] = [new Set(a.split('\n')), new Set(b.split('\n'))]
  return [
    ...[...before].filter((l) => !after.has(l)).map((l) => `- ${l}`),
    ...[...after].filter((l) => !before.has(l)).map((l) => `+ ${l}`),
  ].join('\n')
}
