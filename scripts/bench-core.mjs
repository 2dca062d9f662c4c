// Bundles bench/core and runs it from the project's root: npm run bench:core [-- FILE.i]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
await build({
  absWorkingDir: root,
  entryPoints: ['run', 'front-end', 'explore', 'solver'].map((name) => `bench/core/${name}.ts`),
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  loader: { '.cat': 'text' },
  outdir: 'bench/out',
  outExtension: { '.js': '.mjs' },
  logLevel: 'error',
})
const { status } = spawnSync(process.execPath, ['bench/out/run.mjs', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
