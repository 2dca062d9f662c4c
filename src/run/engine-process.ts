// The process in which an engine runs: front end, engine, replay of what it found. The request comes on standard
// input; progress and the outcome go as lines of JSON to file descriptor 3. Everything here may be killed at any time.
// Threads of the process that help with a search (crew/threads.ts) begin here, too.
import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import { isMainThread, workerData } from 'node:worker_threads'
import type { Crew, Message as CrewMessage, Helper } from '../engine/crew.js'
import type { Env } from '../engine/index.js'
import { inconclusive, TIMEOUT } from '../verdict/reason.js'
import type { Message, Request, Usage } from './call/request.js'
import { HelperProcess } from './crew/helper-process.js'
import { HelperThread } from './crew/helper-thread.js'
import { leadInThread, QueueLeader } from './crew/queue.js'
import type { ThreadData } from './crew/thread-messages.js'
import { Threads, threadsFor } from './crew/threads.js'
import { loadProgram } from './program/load.js'
import { outcomeOf } from './run-engine.js'

const send = (message: Message | CrewMessage): void => {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(3, bytes, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

const usageNow = (): Usage => {
  const { user, system } = process.cpuUsage()
  return { memoryMb: process.memoryUsage.rss() / (1 << 20), cpuMs: (user + system) / 1000 }
}

const PROGRESS_MS = 150

/** Who searches together with this process. `texts`: of all files that were read. */
const crewFor = (request: Request, texts: Readonly<Record<string, string>>): Crew | undefined => {
  if (request.queue !== undefined && request.engine === 'graphs') {
    const { queue, ...rest } = request
    return new QueueLeader(queue, () => ({ ...rest, texts: { ...texts, ...request.texts } }))
  }
  const threads = threadsFor(request)
  return threads > 1 ? new Threads(request, threads) : undefined
}

const environment = (request: Request, crew: Crew | undefined): Env => {
  const parent = process.ppid
  let shown = 0
  return {
    ...(crew && { crew }),
    stopped: () => {
      if (process.ppid !== parent) process.exit(3)
      return Date.now() >= request.deadline ? TIMEOUT : undefined
    },
    known: (fact) => send({ type: 'known', fact }),
    write: (file, text) => writeFileSync(file, text),
    progress: (phase, counts) => {
      const now = Date.now()
      if (now - shown < PROGRESS_MS) return
      shown = now
      send({ type: 'progress', progress: { phase, counts }, usage: usageNow() })
    },
  }
}

const serve = async (): Promise<never> => {
  const request = JSON.parse(readFileSync(0, 'utf8')) as Request
  const kept = request.proofs === undefined ? undefined : (await import('./kept/results.js')).keptResultsOf(request)
  const texts: Record<string, string> = {}
  const onRead = (file: string, text: string): void => {
    texts[file] = text
  }
  const outcome = await outcomeOf(request, {
    env: environment(request, crewFor(request, texts)),
    load: (wanted, options) => loadProgram(wanted, { ...options, onRead }),
    loadModel: async (name) => (await import('./program/memory-models.js')).loadModel(name),
    ...(kept && { kept }),
    onFacts: (facts, warnings) => send({ type: 'facts', facts, warnings }),
  })
  send({ type: 'outcome', outcome })
  process.exit(outcome.kind === 'report' ? 0 : 2)
}

/** The same engine on the same program; the leader has the result, and must not wait for one who cannot go on. */
const help = async (request: Request, crew: Helper): Promise<void> => {
  let reason = 'one who was to help has ended'
  try {
    await outcomeOf(request, {
      env: { stopped: () => undefined, progress: () => {}, crew },
      load: loadProgram,
      loadModel: async (name) => (await import('./program/memory-models.js')).loadModel(name),
      onFacts: () => {},
    })
  } catch (error) {
    reason = `one who was to help failed: ${String(error)}`
  }
  crew.send({ kind: 'failed', reason: inconclusive(reason) })
}

const begin = async (): Promise<void> => {
  if (isMainThread) {
    if (!process.argv.includes('--jobs')) return serve()
    const crew = new HelperProcess(send)
    await help(crew.request, crew)
    process.exit(3)
  }
  const data = workerData as ThreadData
  return data.kind === 'helper' ? help(data.request, new HelperThread(data)) : leadInThread(data)
}

void begin()
