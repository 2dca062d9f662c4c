// Bundles generated.ts and runs it.
import { rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const outfile = `${root}node_modules/.cache/heddle/generated-${process.pid}.mjs`
const entryPoints = [`${root}bench/trust/generated.ts`]
await build({
  entryPoints,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile,
  logLevel: 'error',
})
process.on('exit', () => rmSync(outfile, { force: true }))
await import(pathToFileURL(outfile).href)
