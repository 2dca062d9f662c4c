// Builds dist: the command line in a few files that are loaded when needed, and the engines' process. Hundreds of small
// modules would take longer to load than most programs to verify.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { copyAssets } from './assets.mjs'
import { writeTypes } from './types.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = `${root}dist/cli`
mkdirSync(outdir, { recursive: true })
copyAssets(root)
writeTypes(root)

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: 'linked',
  metafile: true,
  // Memory models are files of their own language, read as text.
  loader: { '.cat': 'text' },
  logLevel: 'warning',
}

const MODULE_URL = { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" }

// The engines are one script, because only for a script can V8 keep what it has compiled (engine-loader.ts). Its name
// tells its contents: V8 itself would take what was compiled of another script of the same length.
const engines = await build({
  ...common,
  entryPoints: { engine: 'src/run/engine-process.ts' },
  outdir,
  entryNames: '[name]-[hash]',
  // The parser's runtime is a part of the script, so that its compiled code is kept, too.
  alias: { 'web-tree-sitter': './node_modules/web-tree-sitter/web-tree-sitter.cjs' },
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': '__moduleUrl' },
  banner: MODULE_URL,
})
const namesOf = ({ metafile }) => Object.keys(metafile.outputs).map((path) => path.split('/').at(-1))
const script = namesOf(engines).find((name) => name.endsWith('.cjs'))

// A script, not a module: the loader of modules takes longer to start than most programs to verify.
const loader = await build({
  ...common,
  entryPoints: { 'engine-process': 'src/run/engine-loader.ts' },
  outdir,
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  define: { ENGINE_SCRIPT: JSON.stringify(script), 'import.meta.url': '__moduleUrl' },
  banner: MODULE_URL,
})

// What most calls need is one script; what it loads when it is needed are modules, built apart.
const parts = { library: 'src/api/index.ts' }
const partsApart = {
  name: 'parts apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined
      const source = relative(root, join(resolveDir, path)).replace(/\.js$/, '.ts')
      const name = source.replace(/^src\/(?:cli\/)?|\.ts$/g, '').replaceAll('/', '-')
      parts[name] = source
      return { path: `./${name}.mjs`, external: true }
    }),
}
const main = await build({
  ...common,
  entryPoints: { main: 'src/cli/main.ts' },
  outdir,
  format: 'cjs',
  define: { 'import.meta.url': '__moduleUrl' },
  banner: MODULE_URL,
  plugins: [partsApart],
})
writeFileSync(`${outdir}/package.json`, '{ "type": "commonjs" }\n')

const commandLine = await build({
  ...common,
  entryPoints: parts,
  outdir,
  outExtension: { '.js': '.mjs' },
  splitting: true,
  // All files in one folder: what they find relative to themselves is the same from each.
  chunkNames: '[name]-[hash]',
  format: 'esm',
})

// Parts of earlier builds, which nothing loads any more.
const built = new Set([...namesOf(engines), ...namesOf(loader), ...namesOf(main), ...namesOf(commandLine)])
for (const name of readdirSync(outdir))
  if (/js(?:\.map|\.[0-9a-f]+\.cache)?$/.test(name) && !built.has(name.replace(/\.[0-9a-f]+\.cache$/, '')))
    rmSync(`${outdir}/${name}`)

// The runtime of heddle test is compiled on the user's machine.
cpSync(`${root}src/native/runtime`, `${root}dist/runtime`, { recursive: true })

// npx needs the bit on the command line's entry.
chmodSync(`${outdir}/main.js`, 0o755)

// Runs of several kinds, after which the code that they compiled is kept. Without it everything works, only slower.
for (const engine of ['explicit', 'cegar', 'bmc'])
  spawnSync(process.execPath, [`${outdir}/main.js`, 'verify', 'examples/lost_update.c', '--engine', engine], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, HEDDLE_WRITE_CODE_CACHE: '1' },
    timeout: 30_000,
  })
