// The language server in a real editor. Skipped where there is no Neovim; CI installs it (scripts/ci-tools.sh).
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const hasNeovim = spawnSync('nvim', ['--version']).status === 0

describe('Neovim', () => {
  it.runIf(process.env['CI'])('is installed in CI', () => expect(hasNeovim).toBe(true))

  it.runIf(hasNeovim)('shows the violation and walks through its interleaving', { timeout: 60_000 }, () => {
    const file = pathOf('examples/lost_update.c')
    const stdout = execFileSync('nvim', ['--headless', '--clean', '-c', `luafile ${pathOf('test/lsp/neovim.lua')}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...process.env,
        HEDDLE_EDITORS: pathOf('editors/neovim'),
        HEDDLE_NODE: process.execPath,
        HEDDLE_MAIN: pathOf('dist/cli/main.js'),
        HEDDLE_FILE: file,
      },
    })
    const answer = JSON.parse(stdout.trim().split('\n').at(-1)!)
    const lines = readFileSync(file, 'utf8').split('\n')
    expect(answer).toMatchObject({ found: true, line: lines.findIndex((l) => l.includes('assert(')) + 1 })
    expect(answer.message).toContain('assertion can fail')
    // The interleaving begins where main starts its threads, and ends at the assertion.
    expect(lines[answer.first - 1]).toMatch(/pthread|int/)
    expect(answer.last).toBe(answer.line)
    expect(answer.steps).toBeGreaterThan(4)
  })
})
