// Many sequential programs on the machine at once: each is a file with its own `compute`, all go to the compiler in one
// call and are linked into one program, which runs each in a process of its own.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SequentialProgram } from './sequential.js'

/** What each program computes, as text; undefined if it does not come to an end. */
export const machineResults = (programs: readonly SequentialProgram[]): readonly (string | undefined)[] => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-batch-'))
  try {
    const files = programs.map(({ definitions }, i) => {
      writeFileSync(join(folder, `p${i}.c`), `#define compute compute_${i}\n${definitions}`)
      return `p${i}.c`
    })
    const options = { cwd: folder, stdio: 'pipe', maxBuffer: 1 << 26 } as const
    compileAll(folder, files)
    const results = new Map<string, string>()
    for (const line of execFileSync(join(folder, 'all'), { ...options, encoding: 'utf8', timeout: 120_000 }).split(
      '\n',
    )) {
      const [number, result] = line.split(' ')
      if (result !== undefined) results.set(number!, result)
    }
    return programs.map((_, i) => results.get(String(i)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Those that the compiler itself crashes on are left out. */
const compileAll = (folder: string, files: readonly string[]): void => {
  writeFileSync(join(folder, 'main.c'), driver(files))
  const flags = ['-fwrapv', '-O0', '-w', '-pthread', '-o', 'all']
  const { status, stderr } = spawnSync('cc', [...flags, 'main.c', ...files], { cwd: folder, encoding: 'utf8' })
  if (status === 0) return
  const crashed = new Set([...stderr.matchAll(/^(p\d+\.c):.*internal compiler error/gm)].map((match) => match[1]!))
  if (crashed.size === 0) throw new Error(stderr.slice(0, 2000))
  compileAll(
    folder,
    files.filter((file) => !crashed.has(file)),
  )
}

const driver = (files: readonly string[]): string => {
  const numbers = files.map((file) => file.slice(1, -2))
  return `#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
${numbers.map((n) => `unsigned long long compute_${n}(void);`).join('\n')}
static const struct { int number; unsigned long long (*compute)(void); } all[] = {
${numbers.map((n) => `  { ${n}, compute_${n} },`).join('\n')}
};
int main(void) {
  for (unsigned i = 0; i < ${numbers.length}; i++) {
    if (fork() == 0) {
      alarm(5);
      printf("%d %llu\\n", all[i].number, all[i].compute());
      fflush(stdout);
      _exit(0);
    }
    wait(0);
  }
  return 0;
}
`
}
