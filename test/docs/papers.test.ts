// docs/papers.md says where each algorithm of the papers is: the function is defined in the file that is named, once.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const rows = [
  ...readFileSync(`${root}docs/papers.md`, 'utf8').matchAll(/^\|[^|]*\| ([^|]+) \| `(\w+)` \| `(src\/[\w./-]+)` \|$/gm),
].map(([, what, name, file]) => [what!, name!, file!] as const)

/** A constant, or a method with its parameters and their types. */
const definitions = (text: string, name: string): number =>
  [...text.matchAll(new RegExp(`^(?:export )?const ${name} =|^ {2}(?:private )?${name}\\((?:\\w+: |\\)|$)`, 'gm'))]
    .length

describe('the papers', () => {
  test('all are in the table', () => {
    const wanted = ['Algorithms 1 and 2', 'Algorithm 3', 'Algorithm 4', 'EXPAND', 'CLOSE', 'COVER', 'REFINE']
    const rules = ['rule 1', 'rules 2 and 3', 'rule 4a', 'rule 4b', 'rule 4c', 'S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7']
    const texts = rows.map(([what]) => what)
    for (const each of [...wanted, ...rules, 'T1', 'T3', 'SCHED', 'rule E1', 'rule E2'])
      expect([each, texts.some((text) => text.startsWith(each))]).toEqual([each, true])
  })
  test.each(rows)('%s: %s in %s', (_, name, file) => {
    expect(definitions(readFileSync(root + file, 'utf8'), name)).toBe(1)
  })
})
