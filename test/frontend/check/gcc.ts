// What the machine's C compiler says, where there is one.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const works = (flags: readonly string[]): boolean => {
  try {
    return runC('int printf(const char *, ...); int main(void) { printf("ok"); return 0; }', flags) === 'ok'
  } catch {
    return false
  }
}

/** Compiles, runs, and returns standard output. */
export const runC = (text: string, flags: readonly string[] = []): string => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-'))
  try {
    const source = join(folder, 'a.c')
    writeFileSync(source, text)
    execFileSync('cc', ['-w', '-fwrapv', '-std=gnu11', ...flags, '-o', join(folder, 'a'), source], { stdio: 'pipe' })
    return execFileSync(join(folder, 'a'), { encoding: 'utf8', timeout: 20_000 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the compiler has to complain about, '' if nothing. */
export const compiles = (text: string, flags: readonly string[] = []): string => {
  const { stderr, status } = spawnSync('cc', ['-w', '-std=gnu11', '-fsyntax-only', ...flags, '-x', 'c', '-'], {
    input: text,
    encoding: 'utf8',
  })
  return status === 0 ? '' : stderr || 'no compiler'
}

export const HAS_CC = works([])
export const HAS_CC_32 = HAS_CC && compiles('int x;', ['-m32']) === ''
