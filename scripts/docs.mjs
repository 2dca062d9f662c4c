// npm run docs: writes the pages of docs/ that come from tables in the source.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const outfile = `${root}node_modules/.cache/heddle/docs-${process.pid}.mjs`
mkdirSync(`${root}node_modules/.cache/heddle`, { recursive: true })
const entryPoints = [`${root}src/cli/options-page.ts`]
await build({
  entryPoints,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  loader: { '.cat': 'text' },
  outfile,
  logLevel: 'error',
})
process.on('exit', () => rmSync(outfile, { force: true }))
const { optionsPage } = await import(pathToFileURL(outfile).href)
writeFileSync(`${root}docs/options.md`, optionsPage())
