// The C compiler of the machine as a second opinion; tests that need it are skipped where there is none.
import { execFileSync } from 'node:child_process'

const run = (args: readonly string[], input: string): string | undefined => {
  try {
    return execFileSync('cc', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'], maxBuffer: 1 << 26 })
  } catch {
    return undefined
  }
}

export const hasCompiler = run(['-E', '-P', '-x', 'c', '-'], 'int x;') !== undefined

/** The text after preprocessing, without line markers; undefined if the compiler refuses it. */
export const compilerPreprocess = (text: string): string | undefined => run(['-E', '-P', '-x', 'c', '-'], text)
