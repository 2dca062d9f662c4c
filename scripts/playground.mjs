// Builds the playground into dist-playground: the page by Vite, the engines' worker as one classic script, grammars and
// solver beside them, and the service worker with the list of all of it. With --serve it serves the folder afterwards.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as bundle } from 'esbuild'
import { build, preview } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'dist-playground')
const configFile = join(root, 'web/vite.config.ts')

await build({ configFile, logLevel: 'warn' })
await bundle({
  absWorkingDir: root,
  entryPoints: ['web/src/worker.ts'],
  outfile: join(out, 'worker.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  // Parts for Node alone, which a browser never reaches.
  external: ['node:*', 'koffi', 'z3-solver/*', 'module', 'fs', 'fs/promises', 'path', 'url'],
  define: { 'import.meta.url': 'self.location.href' },
  loader: { '.cat': 'text' },
  logLevel: 'error',
})
const copies = [
  ['node_modules/web-tree-sitter/web-tree-sitter.wasm', 'assets/web-tree-sitter.wasm'],
  ['node_modules/tree-sitter-c/tree-sitter-c.wasm', 'assets/tree-sitter-c.wasm'],
  ['node_modules/z3-solver/build/z3-built.js', 'z3/z3-built.js'],
  ['node_modules/z3-solver/build/z3-built.wasm', 'z3/z3-built.wasm'],
]
for (const [from, to] of copies) {
  mkdirSync(join(out, to, '..'), { recursive: true })
  cpSync(join(root, from), join(out, to))
}

const files = readdirSync(out, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(out, join(entry.parentPath ?? entry.path, entry.name)))
  .sort()
const hash = createHash('sha256')
for (const file of files) hash.update(readFileSync(join(out, file)))
const worker = readFileSync(join(root, 'web/service-worker.js'), 'utf8')
  .replace('HEDDLE_BUILD', hash.digest('hex').slice(0, 12))
  .replace('HEDDLE_FILES', JSON.stringify(['./', ...files]))
writeFileSync(join(out, 'service-worker.js'), worker)
console.log(`playground: ${files.length} files in dist-playground`)

if (process.argv.includes('--serve')) (await preview({ configFile })).printUrls()
