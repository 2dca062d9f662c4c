// Certificates of labelled graphs, changed at random so that the proof is broken: each must be rejected.
// node scripts/run.mjs bench/trust/certificates.ts [COUNT]
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { loadParser } from '../../src/frontend/c/index.js'
import { createSmt } from '../../src/smt/index.js'
import { answer, breaking, CONFIGURATIONS, PROGRAMS, prove, seeded } from '../../test/check/certificates.js'
import { compileProgram } from '../../test/generate/harness.js'

const require = createRequire(import.meta.url)
const wasm = (name: string): Uint8Array => readFileSync(require.resolve(name))
const wanted = Number(process.argv[2] ?? 200)
const parser = await loadParser({
  runtime: wasm('web-tree-sitter/web-tree-sitter.wasm'),
  grammar: wasm('tree-sitter-c/tree-sitter-c.wasm'),
})
const smt = await createSmt('auto')
const random = seeded(1)
const counts = new Map<string, number>()
const proofs = PROGRAMS.flatMap(([name, safe]) => {
  const raw = compileProgram(parser, safe)
  return CONFIGURATIONS.flatMap((configuration) => {
    const data = prove(raw, configuration, smt)
    if (data === undefined) return []
    const title = `${name}, ${configuration[0].name} ${JSON.stringify(configuration[1])}`
    console.log(`${title}: ${answer(raw, data, smt)}`)
    return [{ title, raw, data, changed: breaking(raw, data, smt) }]
  })
})
let [broken, tried] = [0, 0]
while (broken < wanted && tried < 100 * wanted) {
  tried++
  const { title, raw, changed } = proofs[Math.floor(random() * proofs.length)]!
  const change = changed(random)
  if (!change) continue
  broken++
  const said = answer(raw, change.certificate, smt)
  const kind = `${change.what.replace(/^node \d+: /, '').replace(/ \d+$/, '')}: ${said.split(':')[0]}`
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
  if (broken % 20 === 0) console.log(`${broken} of ${tried}: ${JSON.stringify([...counts])}`)
  if (!said.startsWith('rejected')) console.log(`NOT REJECTED: ${title}: ${change.what}: ${said}`)
}
console.log(`${proofs.length} proofs; of ${tried} changes ${broken} break their proof:`)
for (const [kind, count] of [...counts].sort()) console.log(`  ${kind} ${count}`)
