// Writes dist/types: the declarations that the library's door needs, and no others.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

export const writeTypes = (root) => {
  const all = mkdtempSync(join(tmpdir(), 'heddle-types-'))
  try {
    const args = ['-p', 'tsconfig.build.json', '--declaration', '--emitDeclarationOnly', '--sourceMap', 'false']
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    // Declarations come out in spite of errors, which are the business of `npm run typecheck`.
    spawnSync(process.execPath, [tsc, ...args, '--outDir', all], { cwd: root, stdio: 'ignore' })
    rmSync(join(root, 'dist/types'), { recursive: true, force: true })
    for (const file of closure(join(all, 'api/index.d.ts'))) cpSync(file, join(root, 'dist/types', relative(all, file)))
  } finally {
    rmSync(all, { recursive: true, force: true })
  }
}

/** A declaration file and all that it imports. */
const closure = (file, seen = new Set()) => {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.js['"]/g))
    closure(join(dirname(file), `${target}.d.ts`), seen)
  return seen
}
