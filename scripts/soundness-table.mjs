// The table in docs/soundness.md: each rule, where it is in the code, and the test that fails without it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BEGIN = '<!-- written by npm run mutate -->'
const END = '<!-- end -->'

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const held = (outcome, open) => {
  if (outcome?.kind === 'noticed') return cell(outcome.by)
  return open ? `none: ${cell(open)}` : `**${outcome?.kind ?? 'not run'}**`
}

export const writeTable = (root, entries) => {
  const path = join(root, 'docs/soundness.md')
  const text = readFileSync(path, 'utf8')
  const rows = entries.map(
    ({ rule, what, file, outcome, open }) => `| ${rule} | ${cell(what)} | ${file} | ${held(outcome, open)} |`,
  )
  const table = [
    '| rule | what is taken out | where | first test that fails then |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
  const [before, rest] = text.split(BEGIN)
  const after = rest.split(END)[1]
  writeFileSync(path, `${before}${BEGIN}\n${table}\n${END}${after}`)
}
