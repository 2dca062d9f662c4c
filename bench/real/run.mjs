// Real projects, as a user would try them: `node bench/real/run.mjs FOLDER... [--only TEXT] [--timeout TIME] [--bare] [--keep FOLDER]`
// runs every line of every `cmd` file found in the folders (a label and the arguments of `heddle verify`, run in the
// file's own folder) and prints a table beside what `expected` says of the label. --bare leaves out -D and --cpp: what a
// project needs beyond its own command line should come from us. --keep writes what each line printed into the folder.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const HEDDLE = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

const args = process.argv.slice(2)
const take = (name) => {
  const at = args.indexOf(name)
  return at < 0 ? undefined : args.splice(at, 2)[1]
}
const only = take('--only')
const timeout = take('--timeout')
const keep = take('--keep')
if (keep !== undefined) mkdirSync(keep, { recursive: true })
const isBare = args.includes('--bare')
const folders = args.filter((arg) => !arg.startsWith('--'))

const wordsOf = (line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain)

const linesOf = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line) =>
          line.includes(':') ? [[line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]] : [],
        )
    : []

/** Folders with a `cmd` file, at any depth. */
const casesIn = (folder) => [
  ...(existsSync(join(folder, 'cmd')) ? [folder] : []),
  ...readdirSync(folder).flatMap((name) =>
    statSync(join(folder, name)).isDirectory() ? casesIn(join(folder, name)) : [],
  ),
]

/** Without -D and --cpp; directories that the command of --cpp was given stay. */
const bare = (words) => {
  const directories = words.flatMap((word, i) => (words[i - 1] === '--cpp' ? (word.match(/-I\S+/g) ?? []) : []))
  const kept = words.filter((word, i) => !['-D', '--cpp'].includes(word) && !['-D', '--cpp'].includes(words[i - 1]))
  return [...kept, ...directories]
}

const argumentsOf = (line) => {
  const words = isBare ? bare(wordsOf(line)) : wordsOf(line)
  const at = words.indexOf('--timeout')
  if (timeout !== undefined && at >= 0) words[at + 1] = timeout
  return words
}

const propertyOf = (words) => (words.includes('--property') ? words[words.indexOf('--property') + 1] : 'assert')

console.log('| case | property | verdict | s | expected |\n|---|---|---|---|---|')
let decided = 0
let total = 0
for (const folder of folders.flatMap((each) => casesIn(resolve(each)))) {
  const expected = new Map(linesOf(join(folder, 'expected')))
  for (const [label, line] of linesOf(join(folder, 'cmd'))) {
    const name = `${folder.split('/').at(-1)}/${label}`
    if (only !== undefined && !name.includes(only)) continue
    const words = argumentsOf(line)
    const began = Date.now()
    const { stdout, stderr } = spawnSync('node', [HEDDLE, 'verify', ...words], { cwd: folder, encoding: 'utf8' })
    const seconds = ((Date.now() - began) / 1000).toFixed(1)
    if (keep !== undefined) writeFileSync(join(keep, `${name.replace('/', '-')}.txt`), `${stdout}\n${stderr}`)
    const last = stdout.trim().split('\n').at(-1)?.replace('VERDICT: ', '')
    const verdict = last || `input error: ${stderr.trim().split('\n')[0]}`
    total++
    if (/^(TRUE|FALSE)/.test(verdict)) decided++
    console.log(`| ${name} | ${propertyOf(words)} | ${verdict} | ${seconds} | ${(expected.get(label) ?? '').trim()} |`)
  }
}
console.log(`\n${decided} of ${total} decided`)
