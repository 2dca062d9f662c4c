// Clients by `heddle harness` for the libraries of this folder and their mutants: node bench/harness/run.mjs [--only TEXT]
// [--timeout TIME] [--engine NAME] [--calls N] [--kind harmful|harmless]. A mutant is found if one of the properties is violated.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CALLED, MUTANTS } from './mutants.mjs'

const HEDDLE = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const HERE = fileURLToPath(new URL('.', import.meta.url))
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    timeout: { type: 'string', default: '60s' },
    engine: { type: 'string', default: 'auto' },
    calls: { type: 'string', default: '2' },
    kind: { type: 'string' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'heddle-mutants-'))

/** The text with pairs of texts replaced inside one function. */
export const mutate = (text, name, changes) => {
  const from = text.search(new RegExp(`^\\w.*\\b${name}\\(`, 'm'))
  const to = text.indexOf('\n}\n', from) + 1
  let body = text.slice(from, to)
  for (let i = 0; i < changes.length; i += 2) {
    if (!body.includes(changes[i])) throw new Error(`${name} has no ${JSON.stringify(changes[i])}`)
    body = body.replace(changes[i], changes[i + 1])
  }
  return text.slice(0, from) + body + text.slice(to)
}

const client = (library, ...options) =>
  execFileSync('node', [HEDDLE, 'harness', `${library}.h`, `${library}.c`, '--calls', values.calls, ...options], {
    cwd: folder,
    encoding: 'utf8',
  })

const verdict = (file, library, property) => {
  const options = ['--property', property, '--timeout', values.timeout, '--engine', values.engine, '--quiet']
  const args = [HEDDLE, 'verify', file, `${library}.c`, ...options]
  return spawnSync('node', args, { cwd: folder, encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .at(-1)
    .replace('VERDICT: ', '')
}

/** The largest search last. */
const CHECKS = [
  ['client.c', 'no-data-race'],
  ['client.c', 'assert'],
  ['client.c', 'no-deadlock'],
  ['client.c', 'valid-memsafety'],
  ['linear.c', 'assert'],
]

const judge = (library, text) => {
  writeFileSync(join(folder, `${library}.c`), text)
  const called = (which) => (CALLED[library] ? ['--functions', CALLED[library][which].join(',')] : [])
  writeFileSync(join(folder, 'linear.c'), client(library, '--linearizable', ...called('linear')))
  writeFileSync(join(folder, 'client.c'), client(library, ...called('client')))
  const answers = []
  for (const [file, property] of CHECKS) {
    answers.push(verdict(file, library, property))
    if (answers.at(-1).startsWith('FALSE')) break
  }
  return answers
}

try {
  console.log('| library | mutant | harmful | answers | s |\n|---|---|---|---|---|')
  const counts = { found: 0, harmful: 0, reported: 0, harmless: 0 }
  for (const [library, mutants] of Object.entries(MUTANTS)) {
    const text = readFileSync(join(HERE, `${library}.c`), 'utf8')
    writeFileSync(join(folder, `${library}.h`), readFileSync(join(HERE, `${library}.h`)))
    for (const [what, name, changes, harmful] of [['as it is', '', [], false], ...mutants]) {
      if (values.only !== undefined && !`${library} ${what}`.includes(values.only)) continue
      if (values.kind !== undefined && harmful !== (values.kind === 'harmful')) continue
      const began = Date.now()
      const answers = judge(library, changes.length > 0 ? mutate(text, name, changes) : text)
      const isFound = answers.at(-1).startsWith('FALSE')
      counts[harmful ? 'harmful' : 'harmless']++
      if (isFound) counts[harmful ? 'found' : 'reported']++
      const seconds = ((Date.now() - began) / 1000).toFixed(1)
      console.log(`| ${library} | ${what} | ${harmful ? 'yes' : 'no'} | ${answers.join(', ')} | ${seconds} |`)
    }
  }
  const { found, harmful, reported, harmless } = counts
  console.log(`\n${found} of ${harmful} harmful ones found, ${reported} of ${harmless} harmless ones reported`)
  if (reported > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
