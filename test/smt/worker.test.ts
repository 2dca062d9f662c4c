import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInterrupt, probe } from '../../src/smt/index.js'
import { hasNative, libraryKinds } from './backends.js'

// A worker that solves pigeon holes, which no solver of this kind can do in time: easy first, then hard.
const source = (kind: string) => `
  import { parentPort } from 'node:worker_threads'
  import { BOOL_SORT, and, not, or, variable } from './src/logic/index.js'
  import { createSmt } from './src/smt/index.js'
  const pigeons = (holes) => {
    const numbers = (n) => Array.from({ length: n }, (_, i) => i)
    const at = (p, h) => variable('at_' + p + '_' + h, BOOL_SORT)
    return and(numbers(holes + 1).map((p) => or(numbers(holes).map((h) => at(p, h)))),
      numbers(holes).flatMap((h) => numbers(holes + 1).flatMap((p) => numbers(p).map((q) => not(and(at(p, h), at(q, h)))))))
  }
  const smt = await createSmt('${kind}')
  const easy = smt.solver()
  easy.add(pigeons(4))
  parentPort.postMessage({ easy: easy.check(), address: smt.addressOfContext })
  const hard = smt.solver()
  hard.add(pigeons(14))
  parentPort.postMessage({ starting: true })
  parentPort.postMessage({ hard: hard.check() })
`
const root = fileURLToPath(new URL('../..', import.meta.url))
const directory = fileURLToPath(new URL(`../../node_modules/.heddle-test-${process.pid}`, import.meta.url))

const startWorker = async (kind: string): Promise<Worker> => {
  const outfile = `${directory}/${kind}.mjs`
  await build({
    stdin: { contents: source(kind), resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['koffi', 'z3-solver'],
    outfile,
    logLevel: 'error',
  })
  return new Worker(outfile)
}

const message = (worker: Worker): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })

describe('in a worker', () => {
  beforeAll(() => void mkdirSync(directory, { recursive: true }))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  it.skipIf(!hasNative)('a native check is interrupted from outside', async () => {
    const interrupt = (await createInterrupt())!
    const worker = await startWorker('native')
    const { easy, address } = await message(worker)
    expect(easy).toBe('unsat')
    expect(await message(worker)).toEqual({ starting: true })
    const answer = message(worker)
    // The check begins just after the message: interrupt until it answers.
    const timer = setInterval(() => interrupt(address as bigint), 50)
    expect((await answer)['hard']).toBe('unknown')
    clearInterval(timer)
    await worker.terminate()
  })

  it('a WASM check ends with its worker', async () => {
    const worker = await startWorker('wasm')
    expect((await message(worker))['easy']).toBe('unsat')
    await worker.terminate()
  })
})

it('the probe finds what the tests find', async () => {
  const found = (await probe()).filter((each) => each.found).map((each) => each.kind)
  expect(found).toEqual(libraryKinds)
})
