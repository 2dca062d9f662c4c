// Bundles a script of this folder and runs it: node bench/esst/run.mjs agreement|tables|sequential [ARGUMENTS]
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [script] = process.argv.splice(2, 1)
/** One file a run: several may go on at the same time. */
const outfile = `${root}node_modules/.cache/heddle/esst-${process.pid}.mjs`
mkdirSync(`${root}node_modules/.cache/heddle`, { recursive: true })
await build({
  entryPoints: [`${root}bench/esst/${script}.ts`],
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile,
  logLevel: 'error',
})
process.on('exit', () => rmSync(outfile, { force: true }))
await import(pathToFileURL(outfile).href)
