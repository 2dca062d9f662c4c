// The process in which an engine runs: front end, engine, replay of what it found. The request comes on standard
// input; progress and the outcome go as lines of JSON to file descriptor 3. Everything here may be killed at any time.
import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import type { Env } from '../engine/index.js'
import type { Message, Request, Usage } from './call/request.js'
import { loadProgram } from './program/load.js'
import { outcomeOf } from './run-engine.js'

const send = (message: Message): void => {
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

const environment = (request: Request): Env => {
  const parent = process.ppid
  let shown = 0
  return {
    stopped: () => {
      if (process.ppid !== parent) process.exit(3)
      return Date.now() >= request.deadline ? 'timeout' : undefined
    },
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
  const outcome = await outcomeOf(request, {
    env: environment(request),
    load: loadProgram,
    loadModel: async (name) => (await import('./program/memory-models.js')).loadModel(name),
    ...(kept && { kept }),
    onFacts: (facts, warnings) => send({ type: 'facts', facts, warnings }),
  })
  send({ type: 'outcome', outcome })
  process.exit(0)
}

void serve()
