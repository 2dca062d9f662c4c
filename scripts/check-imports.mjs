// The import direction of docs/architecture.md, enforced: the table there is read, and a folder may import itself and
// what its row lists. An engine's folder imports no other engine. Only the rooms named below may import node: modules.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const src = join(root, 'src')

const NODE_ALLOWED = [
  /^(?:cli|run)\//,
  /^lsp\/server/,
  /^api\/commands/,
  /^native\/process\//,
  /^smt\/(?:z3\/native|smtlib\/)/,
]

/** Rows of the table: the folder, and the folders that it may import. `src/engine/NAME` is what all engines share. */
const rows = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, folder, imports] = /^\| `src\/([\w/-]+)` \|.*\| ([^|]+) \|$/.exec(line) ?? []
    if (!folder || !imports) return []
    const may = imports === 'nothing of ours' ? [] : imports.split(', ')
    return [[folder.replace('/NAME', ''), new Set(may)]]
  })
const allowed = new Map(rows)

/** The row with the longest name that a file is under. */
const roomOf = (file) =>
  [...allowed.keys()].filter((room) => file.startsWith(`${room}/`)).sort((a, b) => b.length - a.length)[0]
const engineOf = (file) => /^engine\/([\w-]+)\//.exec(file)?.[1]

const problems = []
for (const [room, may] of allowed)
  for (const to of may)
    if (!allowed.has(to)) problems.push(`docs/architecture.md: ${room} may import ${to}, which has no row`)

const files = readdirSync(src, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.ts'))
for (const file of files) {
  const room = roomOf(file)
  if (room === undefined) problems.push(`src/${file}: its folder has no row in docs/architecture.md`)
  const text = readFileSync(join(src, file), 'utf8')
  for (const [, target] of text.matchAll(/(?:from|import\(|^import)\s*'([^']+)'/gm)) {
    if (target.startsWith('node:') && !NODE_ALLOWED.some((place) => place.test(file)))
      problems.push(`src/${file}: imports ${target}, which only ${NODE_ALLOWED.join(', ')} may`)
    if (!target.startsWith('.')) continue
    const to = relative(src, resolve(dirname(join(src, file)), target))
    if (to.startsWith('..')) continue
    const toRoom = roomOf(to)
    if (room !== toRoom && !allowed.get(room)?.has(toRoom))
      problems.push(`src/${file}: ${room} may not import ${toRoom} (${target})`)
    const engine = engineOf(file)
    const other = engineOf(to)
    if (engine && other && engine !== other)
      problems.push(`src/${file}: the engine ${engine} may not import the engine ${other} (${target})`)
  }
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`import direction: ${files.length} files, no violation`)
