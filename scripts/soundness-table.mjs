// The table in docs/soundness.md: each rule, where it is in the code, and the test that fails without it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BEGIN = '<!-- written by npm run mutate -->'
const END = '<!-- end -->'

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
const rowBegin = ({ rule, what, file }) => `| ${cell(rule)} | ${cell(what)} | ${file} | `

const parts = (root) => {
  const text = readFileSync(join(root, 'docs/soundness.md'), 'utf8')
  const [before, rest] = text.split(BEGIN)
  const [table, after] = rest.split(END)
  return { before, rows: table.split('\n'), after }
}

const lastCell = (rows, mutation) => {
  const begin = rowBegin(mutation)
  return rows
    .find((row) => row.startsWith(begin))
    ?.slice(begin.length)
    .replace(/ \|$/, '')
}

const outcomeText = (outcome, open) => {
  if (outcome.kind === 'noticed') return cell(outcome.by)
  return open ? `none: ${cell(open)}` : `**${outcome.kind}**`
}

/** Whether the table names a test that fails without the rule. */
export const heldInTable = (root) => {
  const { rows } = parts(root)
  return (mutation) => {
    const known = lastCell(rows, mutation)
    return known !== undefined && !known.startsWith('**')
  }
}

/** `results`: outcomes of this run; the others stay as they are in the table. */
export const writeTable = (root, mutations, results) => {
  const { before, rows, after } = parts(root)
  const written = mutations.map((m) => {
    const outcome = results.get(m)
    const known = lastCell(rows, m) ?? '**not run**'
    const kept = known === '**survived**' ? outcomeText({ kind: 'survived' }, m.open) : known
    const text = outcome ? outcomeText(outcome, m.open) : kept
    return `${rowBegin(m)}${text} |`
  })
  const head = ['| rule | what is taken out | where | first test that fails then |', '|---|---|---|---|']
  writeFileSync(
    join(root, 'docs/soundness.md'),
    `${before}${BEGIN}\n${[...head, ...written].join('\n')}\n${END}${after}`,
  )
}
