// Builds dist: the command line in a few files that are loaded when needed, and the engines' process. Hundreds of small
// modules would take longer to load than most programs to verify.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
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

// The engines are one script, because only for a script can V8 keep what it has compiled (engine-loader.ts). Its name
// tells its contents: V8 itself would take what was compiled of another script of the same length.
const engines = await build({
  ...common,
  entryPoints: { engine: 'src/run/engine-process.ts' },
  outdir,
  entryNames: '[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': '__moduleUrl' },
  banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
})
const namesOf = ({ metafile }) => Object.keys(metafile.outputs).map((path) => path.split('/').at(-1))
const script = namesOf(engines).find((name) => name.endsWith('.cjs'))

const commandLine = await build({
  ...common,
  entryPoints: {
    main: 'src/cli/main.ts',
    library: 'src/api/index.ts',
    'engine-process': 'src/run/engine-loader.ts',
  },
  outdir,
  splitting: true,
  // All files in one folder: what they find relative to themselves is the same from each.
  chunkNames: '[name]-[hash]',
  format: 'esm',
  define: { ENGINE_SCRIPT: JSON.stringify(script) },
})

// Parts of earlier builds, which nothing loads any more.
const built = new Set([...namesOf(engines), ...namesOf(commandLine)])
for (const name of readdirSync(outdir))
  if (/-[A-Z0-9]{8}\.c?js(?:\.map|\.cache)?$/.test(name) && !built.has(name)) rmSync(`${outdir}/${name}`)

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
