// The import direction of docs/architecture.md, enforced: a folder may import itself and what is listed.
// Only src/cli and the native and process adapters of src/smt may import node: modules.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const src = join(root, 'src')

const allowed = {
  certificate: [],
  logic: [],
  smt: ['logic'],
  xcfa: ['logic'],
  'frontend/c': ['xcfa', 'logic'],
  'frontend/cooperative': ['frontend/c', 'xcfa', 'logic'],
  'frontend/litmus': [],
  'memory-model': [],
  semantics: ['xcfa', 'logic'],
  symbolic: ['logic', 'xcfa', 'semantics'],
  reduction: ['xcfa', 'logic', 'smt', 'symbolic'],
  arg: ['xcfa'],
  property: ['xcfa', 'semantics', 'logic', 'reduction'],
  check: ['certificate', 'logic', 'smt', 'xcfa', 'semantics'],
  verdict: ['memory-model', 'certificate', 'logic', 'smt', 'xcfa', 'semantics', 'reduction', 'property'],
  engine: [
    'certificate',
    'logic',
    'smt',
    'xcfa',
    'frontend/c',
    'frontend/cooperative',
    'frontend/litmus',
    'memory-model',
    'semantics',
    'reduction',
    'symbolic',
    'arg',
    'property',
    'verdict',
  ],
  lsp: ['api', 'property'],
  native: ['verdict'],
  project: [],
  output: ['memory-model', 'verdict', 'semantics', 'property', 'xcfa', 'logic'],
}
const nodeAllowed = (file) =>
  file.startsWith('cli/') ||
  file.startsWith('run/') ||
  file.startsWith('lsp/server') ||
  file.startsWith('api/commands') ||
  file.startsWith('native/process/') ||
  /^smt\/(z3\/native|smtlib\/)/.test(file)

const folderOf = (file) => {
  const parts = file.split('/')
  return parts[0] === 'frontend' ? `frontend/${parts[1]}` : parts[0]
}

const files = readdirSync(src, { recursive: true })
  .map(String)
  .filter((f) => f.endsWith('.ts'))
const problems = []
for (const file of files) {
  const text = readFileSync(join(src, file), 'utf8')
  const folder = folderOf(file)
  for (const [, target] of text.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
    if (target.startsWith('node:')) {
      if (!nodeAllowed(file))
        problems.push(
          `src/${file}: imports ${target}; only src/cli, src/native/process and the native and process adapters of src/smt may`,
        )
    } else if (target.startsWith('.')) {
      const to = folderOf(relative(src, resolve(dirname(join(src, file)), target)))
      const may = allowed[folder]
      if (may && to !== folder && !may.includes(to))
        problems.push(`src/${file}: ${folder} may not import ${to} (${target})`)
    }
  }
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`import direction: ${files.length} files, no violation`)
