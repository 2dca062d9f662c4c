// The headers of the system, as its C compiler sees them: it is asked where it looks for them and what it predefines.
// The text is read by our own preprocessor, so that positions are those of the files.
import { createRequire } from 'node:module'
import type { SystemHeaders } from '../../frontend/c/index.js'

const require = createRequire(import.meta.url)

/** Of these ours are read: what they define (types of locks, macros of cleanup handlers and atomics) is modelled. */
const OWN = new Set([
  'assert.h',
  'pthread.h',
  'semaphore.h',
  'stdatomic.h',
  'threads.h',
  'immintrin.h',
  'x86intrin.h',
  'xmmintrin.h',
  'emmintrin.h',
])

const COMPILERS = ['cc', 'gcc', 'clang']

/** Programs that test these have another way without vectors, which is modelled. */
const VECTORS = /^#define __(?:MMX|SSE|SSSE|AVX|FXSR|SEG|CET|k8)\w* .*$/gm

export interface SystemCompiler {
  readonly command: string
  readonly headers: SystemHeaders
}

/** Undefined: there is none, or it does not work. */
export const systemCompiler = (dataModel: 'ilp32' | 'lp64', std: string | undefined): SystemCompiler | undefined => {
  for (const command of COMPILERS) {
    const headers = ask(command, [dataModel === 'ilp32' ? '-m32' : '-m64', `-std=${std ?? 'gnu17'}`])
    if (headers) return { command, headers }
  }
  return undefined
}

const ask = (command: string, options: readonly string[]): SystemHeaders | undefined => {
  const { spawnSync } = require('node:child_process') as typeof import('node:child_process')
  const { status, stdout, stderr } = spawnSync(command, ['-E', '-dM', '-v', ...options, '-x', 'c', '-'], {
    encoding: 'utf8',
    input: '',
    env: { ...process.env, LC_ALL: 'C' },
  })
  if (status !== 0) return undefined
  const [, listed] = /search starts here:\n#include <\.\.\.> search starts here:\n([\s\S]*?)End of search list/.exec(
    stderr,
  ) ?? [undefined, undefined]
  if (listed === undefined) return undefined
  const directories = listed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  // Assertions about the characters of a type are macros without the prefix in glibc: functions are what is modelled.
  return { directories, macros: `${stdout.replace(VECTORS, '')}\n#define __NO_CTYPE 1\n`, own: OWN }
}
