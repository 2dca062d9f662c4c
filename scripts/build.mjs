// Builds dist: the command line and the engines' process, each one file with what both share and each engine in files
// of their own, loaded when needed. Hundreds of small modules would take longer to load than most programs to verify.
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = `${root}dist/cli`
mkdirSync(outdir, { recursive: true })

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/cli/main.ts', 'src/cli/engine-process.ts'],
  outdir,
  bundle: true,
  splitting: true,
  // All files in one folder: what they find relative to themselves is the same from each.
  chunkNames: '[name]-[hash]',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  sourcemap: 'linked',
  metafile: true,
  logLevel: 'warning',
})

// Parts of earlier builds, which nothing loads any more.
const built = new Set(Object.keys(metafile.outputs).map((path) => path.split('/').at(-1)))
for (const name of readdirSync(outdir))
  if (/-[A-Z0-9]{8}\.js(?:\.map)?$/.test(name) && !built.has(name)) rmSync(`${outdir}/${name}`)

// npx needs the bit on the command line's entry.
chmodSync(`${outdir}/main.js`, 0o755)
