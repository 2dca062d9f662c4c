// Many sequential programs on the machine at once: each is a file with its own `compute`, all go to the compiler in one
// call and are linked into one program, which runs each in a process of its own.
import { execFileSync } from 'node:child_process'
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
    writeFileSync(join(folder, 'main.c'), driver(programs.length))
    const options = { cwd: folder, stdio: 'pipe', maxBuffer: 1 << 26 } as const
    execFileSync('cc', ['-fwrapv', '-O0', '-w', '-pthread', '-o', 'all', 'main.c', ...files], options)
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

const driver = (count: number): string => `#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
${Array.from({ length: count }, (_, i) => `unsigned long long compute_${i}(void);`).join('\n')}
static unsigned long long (*const all[])(void) = { ${Array.from({ length: count }, (_, i) => `compute_${i}`).join(', ')} };
int main(void) {
  for (int i = 0; i < ${count}; i++) {
    if (fork() == 0) {
      alarm(5);
      printf("%d %llu\\n", i, all[i]());
      fflush(stdout);
      _exit(0);
    }
    wait(0);
  }
  return 0;
}
`
