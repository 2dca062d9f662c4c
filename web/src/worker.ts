// An engine in a worker of the page: the same front end, engines and solver as on the command line. A classic worker,
// because the solver's script starts threads of its own from its own address.

import { loadParser } from '../../src/frontend/c/index.js'
import { compileCooperative } from '../../src/frontend/cooperative/index.js'
import type { Request } from '../../src/run/call/request.js'
import { compileOptionsOf } from '../../src/run/program/compile-options.js'
import type { Loaded, LoadOptions } from '../../src/run/program/load.js'
import { outcomeOf } from '../../src/run/run-engine.js'
import type { EmscriptenModule } from '../../src/smt/index.js'
import type { FromWorker, Start } from './protocol.js'

declare const self: {
  onmessage: ((event: { data: Start }) => void) | null
  postMessage(message: FromWorker): void
  importScripts(address: string): void
  initZ3?: (settings: object) => Promise<EmscriptenModule>
}

const PROGRESS_MS = 150

const bytesOf = async (address: string): Promise<Uint8Array> => {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

const loader =
  (base: string) =>
  async (request: Request, { cut = false, look }: LoadOptions): Promise<Loaded> => {
    const [runtime, grammar] = await Promise.all([
      bytesOf(`${base}assets/web-tree-sitter.wasm`),
      bytesOf(`${base}assets/tree-sitter-c.wasm`),
    ])
    const parser = await loadParser({ runtime, grammar })
    const files = request.files.map((name) => ({ name, text: request.texts?.[name] ?? '' }))
    return compileCooperative(
      files,
      compileOptionsOf(request, { cut, look, readFile: () => undefined }),
      parser,
      undefined,
    )
  }

const loadSolver = (base: string) => async (): Promise<EmscriptenModule> => {
  if (typeof SharedArrayBuffer === 'undefined')
    throw new Error('the page is not cross-origin isolated, so that the solver cannot run: try the engine explicit')
  const script = `${base}z3/z3-built.js`
  self.importScripts(script)
  return self.initZ3!({
    locateFile: (file: string) => `${base}z3/${file}`,
    mainScriptUrlOrBlob: script,
    printErr: () => undefined,
  })
}

const serve = async ({ request, base }: Start): Promise<void> => {
  let shown = 0
  const progress = (phase: string, counts: Readonly<Record<string, number>>): void => {
    const now = Date.now()
    if (now - shown < PROGRESS_MS) return
    shown = now
    self.postMessage({ type: 'progress', progress: { phase, counts } })
  }
  const outcome = await outcomeOf(request, {
    env: {
      stopped: () => (Date.now() >= request.deadline ? 'timeout' : undefined),
      write: () => undefined,
      progress,
    },
    load: loader(base),
    onFacts: (facts) => self.postMessage({ type: 'facts', facts }),
    loadWasm: loadSolver(base),
  })
  self.postMessage({ type: 'outcome', outcome })
}

self.onmessage = ({ data }) => {
  serve(data).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    self.postMessage({ type: 'outcome', outcome: { kind: 'ended', reason: `engine failed: ${reason}` } })
  })
}
