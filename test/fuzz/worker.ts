// One process of a fuzzing run: inputs FROM to TO through the front end, and for SECONDS through one engine after the other, a line of output before and after each, so that
// whoever watches knows which one it was that did not come back.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ENGINES } from '../../src/engine/index.js'
import { loadParser } from '../../src/frontend/c/index.js'
import { createSmt } from '../../src/smt/index.js'
import { corpusOf } from './corpus.js'
import { outcomeOf, type Verifier } from './front-end.js'
import { inputOf } from './inputs.js'

const [examples, folder, from, to, seconds] = process.argv.slice(2) as [string, string, string, string, string]
const require = createRequire(import.meta.url)
const wasm = (name: string): Uint8Array => readFileSync(require.resolve(name))
const parser = await loadParser({
  runtime: wasm('web-tree-sitter/web-tree-sitter.wasm'),
  grammar: wasm('tree-sitter-c/tree-sitter-c.wasm'),
})
const smt = await createSmt('auto')
/** Those that ask often enough whether to go on: redcomp waits for its solver, and esst is for other programs. */
const ASKING = ['explicit', 'cegar', 'bmc', 'impact']
const engines = await Promise.all(ENGINES.filter(({ name }) => ASKING.includes(name)).map((each) => each.load()))
const verifierOf = (i: number): Verifier | undefined =>
  Number(seconds) > 0 ? { engine: engines[i % engines.length]!, smt, seconds: Number(seconds) } : undefined
const corpus = corpusOf(examples, folder || undefined)
for (let i = Number(from); i < Number(to); i++) {
  process.stdout.write(`begin ${i}\n`)
  try {
    process.stdout.write(`end ${i} ${outcomeOf(inputOf(i, corpus), parser, verifierOf(i))}\n`)
  } catch (problem) {
    const { message, stack } = problem as Error
    const place = stack?.split('\n').find((line) => line.includes(' at ')) ?? ''
    process.stdout.write(`end ${i} CRASH ${message.split('\n')[0]} ${place.trim()}\n`)
  }
}
