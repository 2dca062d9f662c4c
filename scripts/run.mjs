// Bundles a TypeScript file and runs it: node scripts/run.mjs FILE.ts [ARGUMENTS...]. With --help it prints the comment
// that the file begins with.
import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { helpFrom } from './help.mjs'

const cache = fileURLToPath(new URL('../node_modules/.cache/heddle', import.meta.url))
const [file] = process.argv.splice(2, 1)
helpFrom(file)
/** One file per run, because several may run at the same time. */
const outfile = `${cache}/run-${process.pid}.mjs`
mkdirSync(cache, { recursive: true })
await build({
  entryPoints: [resolve(file)],
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile,
  loader: { '.cat': 'text' },
  logLevel: 'error',
})
process.on('exit', () => rmSync(outfile, { force: true }))
await import(pathToFileURL(outfile).href)
