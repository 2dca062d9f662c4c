// The package as npm installs it: packed, installed into an empty folder, called, imported from JavaScript and TypeScript.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const MEGABYTE = 1_000_000

const sizeOf = (path: string): number => {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.size
  return readdirSync(path).reduce((sum, entry) => sum + sizeOf(join(path, entry)), 0)
}

describe('the package', () => {
  it('packs small, installs small without scripts, and works from JavaScript and TypeScript', {
    timeout: 120_000,
  }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-package-'))
    const run = (command: string, ...args: string[]): string =>
      execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const tarball = execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    expect(sizeOf(join(folder, tarball))).toBeLessThan(3 * MEGABYTE)

    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
    run('npm', 'install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`)
    expect(sizeOf(join(folder, 'node_modules'))).toBeLessThan(60 * MEGABYTE)

    cpSync(join(root, 'examples/counter_mutex.c'), join(folder, 'counter.c'))
    expect(run('npx', 'heddle', 'verify', 'counter.c')).toMatch(/VERDICT: TRUE\n$/)

    const program = `const result: VerifyResult = await verify('counter.c')\nconsole.log(result.verdict, result.version)\n`
    const js = program.replace(': VerifyResult', '')
    writeFileSync(join(folder, 'use.mjs'), `import { verify } from 'heddle'\n${js}`)
    expect(run('node', 'use.mjs')).toBe('true 1\n')

    writeFileSync(join(folder, 'use.ts'), `import { type VerifyResult, verify } from 'heddle'\n${program}`)
    const config = {
      compilerOptions: { module: 'NodeNext', target: 'ES2022', strict: true, noEmit: true, types: ['node'] },
      files: ['use.ts'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
    symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
    symlinkSync(join(root, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'))
    expect(run('node', join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json')).toBe('')
  })
})
