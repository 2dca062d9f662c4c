// Every command of the tutorial, run in a folder that holds the tutorial's programs: it prints what the tutorial shows.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'heddle-tutorial-'))
const hasCompiler = spawnSync('cc', ['--version']).status === 0

interface Block {
  readonly language: string
  readonly name: string
  readonly text: string
}

const blocks: readonly Block[] = [
  ...readFileSync(join(root, 'docs/tutorial.md'), 'utf8').matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms),
].map(([, language, name = '', text]) => ({ language: language!, name, text: text! }))

for (const { language, name, text } of blocks) if (language === 'c') writeFileSync(join(folder, name), text)

/** The shown lines begin lines of the output, in this order. */
const missingIn = (output: string, shown: string): string | undefined => {
  const lines = output.split('\n')
  let at = 0
  for (const wanted of shown.trimEnd().split('\n')) {
    const found = lines.findIndex((line, i) => i >= at && line.startsWith(wanted))
    if (found < 0) return wanted
    at = found + 1
  }
  return undefined
}

const steps = blocks.flatMap((block, i) => {
  if (block.language !== 'sh') return []
  const next = blocks[i + 1]
  return [{ commands: block.text.trimEnd(), shown: next?.language === 'text' ? next.text : '' }]
})

describe('the tutorial', () => {
  test('has programs, commands and what they print', () => {
    expect(blocks.filter(({ language }) => language === 'c')).toHaveLength(4)
    expect(steps.filter(({ shown }) => shown !== '')).toHaveLength(9)
  })
  test.each(steps)('$commands', ({ commands, shown }) => {
    if (commands.includes('--native') && !hasCompiler) return
    const script = commands.replaceAll('npx heddle', `node ${join(root, 'dist/cli/main.js')}`)
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' })
    expect(stderr).not.toContain('error:')
    expect(missingIn(stdout, shown)).toBeUndefined()
    expect(stdout).toMatch(/^VERDICT: |^CHECK: |^REPLAYED/m)
  })
})
