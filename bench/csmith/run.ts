// Random C programs of csmith: the checksum that our execution comes to, beside those of gcc at -O0 and -O2.
//   node scripts/run.mjs bench/csmith/run.ts [COUNT] [FIRST_SEED] [--seconds S] [CSMITH OPTIONS...]
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile, loadParser } from '../../src/frontend/c/index.js'
import { type Run, runSequential } from '../../src/semantics/index.js'

const SMALL = ['--max-funcs', '3', '--max-block-depth', '3', '--max-expr-complexity', '6', '--no-float', '--no-argc']
/** Where Debian's libcsmith-dev has csmith.h. */
const INCLUDE = ['/usr/include/csmith', '/usr/include/csmith-2.3.0', '/usr/local/include'].find((folder) =>
  existsSync(join(folder, 'csmith.h')),
)

const args = process.argv.slice(2)
const timeAt = args.indexOf('--seconds')
/** For each run of a compiled program; ours gets three times as long. */
const SECONDS = timeAt < 0 ? 10 : Number(args.splice(timeAt, 2)[1])
const [count = '100', first = '1', ...given] = args
const options = given.length > 0 ? given : SMALL
if (!INCLUDE || spawnSync('csmith', ['--version']).status !== 0) {
  console.error('csmith and libcsmith-dev are not installed')
  process.exit(2)
}
const require = createRequire(import.meta.url)
const parser = await loadParser({
  runtime: readFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm')),
  grammar: readFileSync(require.resolve('tree-sitter-c/tree-sitter-c.wasm')),
})
const folder = mkdtempSync(join(tmpdir(), 'heddle-csmith-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const native = (source: string, level: string): string | undefined => {
  const binary = join(folder, 'program')
  if (spawnSync('gcc', ['-w', level, `-I${INCLUDE}`, source, '-o', binary]).status !== 0) return undefined
  const { stdout, status } = spawnSync(binary, [], { timeout: SECONDS * 1000, encoding: 'utf8' })
  return status === 0 ? /checksum = ([0-9A-F]+)/.exec(stdout)?.[1] : undefined
}

class Looked extends Error {}

const readFile = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

const ours = (source: string): { readonly checksum?: string; readonly run?: Run; readonly problem?: string } => {
  let checksum: string | undefined
  let run: Run | undefined
  const call = ([value]: readonly unknown[]): void => {
    checksum = value === undefined ? 'not known' : Number(value).toString(16).toUpperCase()
  }
  const end = Date.now() + SECONDS * 3000
  try {
    const files = [{ name: source, text: readFileSync(source, 'utf8') }]
    const look = (unit: Parameters<typeof runSequential>[0]): void => {
      const stopped = (): string | undefined => (Date.now() > end ? 'timeout' : undefined)
      run = runSequential(unit, {
        property: 'assert',
        stopped,
        firstChoices: true,
        observe: { name: 'platform_main_end', call },
      })
      throw new Looked()
    }
    compile(files, { dataModel: 'lp64', includeDirs: [INCLUDE!], readFile, look }, parser)
  } catch (error) {
    if (!(error instanceof Looked)) return { problem: String((error as Error).message).split('\n')[0]! }
  }
  return { ...(checksum !== undefined && { checksum }), ...(run && { run }) }
}

const counts = new Map<string, number>()
const note = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
let wrong = 0
const tell = (): void => {
  for (const [what, times] of [...counts].sort((a, b) => b[1] - a[1]))
    console.log(`${String(times).padStart(5)} ${what}`)
}
process.on('SIGTERM', () => {
  tell()
  process.exit(3)
})
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const source = join(folder, 'program.c')
  execFileSync('csmith', [...options, '--seed', String(seed), '--output', source])
  const plain = native(source, '-O0')
  const optimised = native(source, '-O2')
  if (plain === undefined || plain !== optimised) {
    note('gcc itself: no end, or other checksums at -O0 and -O2')
    continue
  }
  const { checksum, run, problem } = ours(source)
  await new Promise((resolve) => setImmediate(resolve))
  if (checksum === plain) note('equal')
  else if (checksum !== undefined && checksum !== 'not known') {
    wrong++
    note('WRONG')
    console.log(`seed ${seed}: ${checksum} here, ${plain} by gcc`)
  } else note(problem ?? (run?.kind === 'gave up' ? run.reason : (run?.kind ?? 'no checksum')))
}
tell()
process.exit(wrong > 0 ? 1 : 0)
