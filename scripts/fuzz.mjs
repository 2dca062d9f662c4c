// Bundles test/generate/fuzz.ts and runs it: node scripts/fuzz.mjs engines|sequential [--count N] [--seed N] [--states N]
import { mkdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const outfile = `${root}node_modules/.cache/heddle/fuzz.mjs`
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
await import(pathToFileURL(outfile).href)
