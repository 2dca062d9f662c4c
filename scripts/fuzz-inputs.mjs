// Bundles test/fuzz and runs it: npm run fuzz:inputs -- [--count N] [--from N] [--folder DIR] [--cli N] [--keep DIR]
import { rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { helpFrom } from './help.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
helpFrom(`${root}test/fuzz/run.ts`)
const outdir = `${root}node_modules/.cache/heddle/fuzz-inputs-${process.pid}`
await build({
  entryPoints: [`${root}test/fuzz/run.ts`, `${root}test/fuzz/worker.ts`],
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  loader: { '.cat': 'text' },
  outdir,
  outExtension: { '.js': '.mjs' },
  logLevel: 'error',
})
process.on('exit', () => rmSync(outdir, { recursive: true, force: true }))
process.argv.push('--root', root, '--worker', `${outdir}/worker.mjs`)
await import(pathToFileURL(`${outdir}/run.mjs`).href)
