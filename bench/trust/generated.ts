// Proofs of generated programs, each checked: node scripts/run.mjs bench/trust/generated.ts [COUNT] [SEED]. What is rejected is a gap in an
// engine's reasoning, or in the checker's.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { loadParser } from '../../src/frontend/c/index.js'
import { createSmt } from '../../src/smt/index.js'
import { answer, CONFIGURATIONS, prove } from '../../test/check/certificates.js'
import { compileProgram } from '../../test/generate/harness.js'
import { generate } from '../../test/generate/index.js'

const require = createRequire(import.meta.url)
const wasm = (name: string): Uint8Array => readFileSync(require.resolve(name))
const [count, first] = [Number(process.argv[2] ?? 20), Number(process.argv[3] ?? 0)]
const parser = await loadParser({
  runtime: wasm('web-tree-sitter/web-tree-sitter.wasm'),
  grammar: wasm('tree-sitter-c/tree-sitter-c.wasm'),
})
const smt = await createSmt('auto')
const counts = new Map<string, number>()
for (let seed = first; seed < first + count; seed++) {
  const raw = compileProgram(parser, generate(seed))
  for (const configuration of CONFIGURATIONS) {
    const data = prove(raw, configuration, smt, 600)
    if (data === undefined) continue
    const said = answer(raw, data, smt)
    const name = `${configuration[0].name} ${JSON.stringify(configuration[1])}: ${said.split(':')[0]}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (said !== 'accepted') console.log(`seed ${seed}, ${name}: ${said}`)
  }
}
for (const [name, n] of [...counts].sort()) console.log(`${name} ${n}`)
