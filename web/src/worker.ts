// An engine in a worker of the page: the same front end, engines and solver as on the command line. A classic worker,
// because the solver's script starts threads of its own from its own address.

import { type CParser, loadParser } from '../../src/frontend/c/index.js'
import { compileCooperative } from '../../src/frontend/cooperative/index.js'
import type { Request } from '../../src/run/call/request.js'
import { compileOptionsOf } from '../../src/run/program/compile-options.js'
import type { Loaded, LoadOptions } from '../../src/run/program/load.js'
import { outcomeOf } from '../../src/run/run-engine.js'
import type { EmscriptenModule } from '../../src/smt/index.js'
import { TIMEOUT } from '../../src/verdict/reason.js'
import type { FromWorker, Start } from './protocol.js'

declare const self: {
  onmessage: ((event: { data: Start }) => void) | null
  postMessage(message: FromWorker): void
  importScripts(address: string): void
  readonly location: { readonly href: string }
  initZ3?: (settings: object) => Promise<EmscriptenModule>
}

const PROGRESS_MS = 150

const bytesOf = async (address: string): Promise<Uint8Array> => {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

/** Where the page's files are. */
const BASE = new URL('.', self.location.href).href

const parserFromPage = async (): Promise<CParser> => {
  const [runtime, grammar] = await Promise.all([
    bytesOf(`${BASE}assets/web-tree-sitter.wasm`),
    bytesOf(`${BASE}assets/tree-sitter-c.wasm`),
  ])
  return loadParser({ runtime, grammar })
}

/** Begun before anything is asked: a worker may wait for its first program. */
const parser = parserFromPage()
// Whoever needs the parser is told.
parser.catch(() => {})

const load = async (request: Request, { cut = false, look }: LoadOptions): Promise<Loaded> => {
  const files = request.files.map((name) => ({ name, text: request.texts?.[name] ?? '' }))
  const options = compileOptionsOf(request, { cut, look, readFile: () => undefined })
  return compileCooperative(files, options, await parser, undefined)
}

const loadSolver = async (): Promise<EmscriptenModule> => {
  if (typeof SharedArrayBuffer === 'undefined')
    throw new Error('the page is not cross-origin isolated, so that the solver cannot run: try the engine explicit')
  const script = `${BASE}z3/z3-built.js`
  self.importScripts(script)
  const solver = await self.initZ3!({
    locateFile: (file: string) => `${BASE}z3/${file}`,
    mainScriptUrlOrBlob: script,
    printErr: () => undefined,
  })
  await startTimers(solver)
  return solver
}

/** Limits of time may nest: a query's, and those of the tactics that it tries. */
const TIMERS = 3

/**
 * The solver keeps a limit of time by a thread of its own, for which it waits when the query has ended. A browser starts
 * a thread only when the worker that asked for it is idle, which it is not during a query: threads have to be there.
 */
const startTimers = async ({ PThread }: EmscriptenModule): Promise<void> => {
  if (!PThread) return
  while (PThread.unusedWorkers.length < TIMERS) PThread.allocateUnusedWorker()
  await Promise.all(PThread.unusedWorkers.map((worker) => PThread.loadWasmModuleToWorker(worker)))
}

const serve = async ({ request }: Start): Promise<void> => {
  let shown = 0
  const progress = (phase: string, counts: Readonly<Record<string, number>>): void => {
    const now = Date.now()
    if (now - shown < PROGRESS_MS) return
    shown = now
    self.postMessage({ type: 'progress', progress: { phase, counts } })
  }
  const outcome = await outcomeOf(request, {
    env: {
      stopped: () => (Date.now() >= request.deadline ? TIMEOUT : undefined),
      write: () => undefined,
      progress,
    },
    load,
    onFacts: (facts) => self.postMessage({ type: 'facts', facts }),
    loadWasm: loadSolver,
  })
  self.postMessage({ type: 'outcome', outcome })
}

self.onmessage = ({ data }) => {
  serve(data).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error)
    self.postMessage({
      type: 'outcome',
      outcome: { kind: 'ended', reason: { kind: 'failure', what: 'engine failed', text } },
    })
  })
}
