// Bundles test/generate/fuzz.ts and runs it: node scripts/fuzz.mjs engines|sequential [--count N] [--seed N] [--states N]
// and for one engine: --engine NAME [--property P]... [--grid KEY=V1,V2]... [--arith A] [--seconds N] [--combinations N]
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
/** One file a run: several may go on at the same time. */
const outfile = `${root}node_modules/.cache/heddle/fuzz-${process.pid}.mjs`
mkdirSync(`${root}node_modules/.cache/heddle`, { recursive: true })
await build({
  entryPoints: [`${root}test/generate/fuzz.ts`],
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile,
  logLevel: 'error',
})
process.on('exit', () => rmSync(outfile, { force: true }))
await import(pathToFileURL(outfile).href)
