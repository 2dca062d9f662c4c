import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findIn, hasCompiler, hasCxx, SKIPPED } from './harness.js'

const FOLDER = join(process.cwd(), 'examples/cpp')

/** What README.md says of each file. */
const expected = new Map(
  [...readFileSync(join(FOLDER, 'README.md'), 'utf8').matchAll(/^\| `(\w+\.cpp)` .*`FALSE\(([\w-]+)\)` \|$/gm)].map(
    ([, file, finding]) => [file!, finding!] as const,
  ),
)

describe.skipIf(!hasCompiler || !hasCxx)(`examples/cpp${hasCxx ? '' : ` (${SKIPPED})`}`, () => {
  it('README.md names every file', () => {
    expect([...expected.keys()].sort()).toEqual(
      readdirSync(FOLDER)
        .filter((f) => f.endsWith('.cpp'))
        .sort(),
    )
  })
  it.each([...expected])('%s with its bug', async (file, finding) => {
    const text = readFileSync(join(FOLDER, file), 'utf8')
    expect(await findIn(`#define BUG\n${text}`, {}, file)).toBe(finding)
  })
  it.each([...expected].slice(0, 2))('%s without it', async (file) => {
    expect(await findIn(readFileSync(join(FOLDER, file), 'utf8'), { maxRuns: 150 }, file)).toBe('nothing')
  })
})
