// Packs the VS Code extension: bundles it with its client library, then calls vsce (npm fetches it for this call).
import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}editors/vscode`
await build({
  absWorkingDir: root,
  entryPoints: [`${folder}/extension.ts`],
  outfile: `${folder}/dist/extension.js`,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  external: ['vscode'],
})
copyFileSync(`${root}LICENSE`, `${folder}/LICENSE`)
const args = ['--yes', '@vscode/vsce', 'package', '--no-dependencies', '--allow-missing-repository']
execFileSync('npx', args, { cwd: folder, stdio: 'inherit' })
