// Headers of the system and options of compilers: what a build's command line says reaches the preprocessor, whichever
// it is, and traces show the program's own text.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseArguments, VERIFY_OPTIONS } from '../../src/run/call/options.js'
import { requestFrom } from '../../src/run/call/request-from.js'
import { loadProgram } from '../../src/run/program/load.js'
import { systemCompiler } from '../../src/run/program/system-headers.js'

const folder = mkdtempSync(join(tmpdir(), 'heddle-headers-'))
const compiler = systemCompiler('lp64', undefined)

const write = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const load = (args: readonly string[]) => loadProgram(requestFrom(parseArguments(args, VERIFY_OPTIONS), Date.now()))

test('options of compilers', async () => {
  mkdirSync(join(folder, 'inc'), { recursive: true })
  write('inc/given.h', '#define FROM_SYSTEM 1\n')
  const before = write('before.h', '#define BEFORE 1\n')
  const file = write(
    'options.c',
    `#include <given.h>
#if !defined BEFORE || defined linux || !defined FROM_SYSTEM || A != 2
#error options are lost
#endif
int main(void) { return 0; }`,
  )
  const options = ['-isystem', join(folder, 'inc'), '-include', before, '-Ulinux', '-DA=2', '-std=gnu11']
  const ignored = ['-Wall', '-O2', '-g', '-fPIC', '-pthread', '-march=native', '-c', '-o', 'x.o', '-lpthread']
  const { program } = await load([file, ...options, ...ignored])
  expect(program.main.name).toBe('main')
})

test.runIf(compiler)('headers that ours do not have are those of the system', async () => {
  const file = write(
    'socket.c',
    `#include <stdio.h>
#include <pthread.h>
#include <sys/un.h>
#include <netinet/ip.h>
#include <netinet/in.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct sockaddr_un address;
int main(void) { pthread_mutex_lock(&m); printf("%d", AF_INET); return address.sun_path[0]; }`,
  )
  expect((await load([file])).headersOf).toBe(compiler!.command)
  await expect(load([file, '--headers', 'built-in'])).rejects.toThrow()
  const plain = write('plain.c', '#include <stdio.h>\nint main(void) { return 0; }')
  expect((await load([plain])).headersOf).toBeUndefined()
  expect((await load([plain, '--headers', 'system'])).headersOf).toBe(compiler!.command)
})

test.runIf(compiler)('--cpp is told what the command line says, and text comes from the right place', async () => {
  write('inc/lib.h', '#define DOUBLE(x) ((x) + (x))\n')
  const file = write(
    'cpp.c',
    `#include <stdlib.h>
#include <lib.h>
int x;
int main(void) {
  x = DOUBLE(ONE);
  return 0;
}`,
  )
  const { program } = await load([file, '--cpp', 'cc -E', '-I', join(folder, 'inc'), '-D', 'ONE=1'])
  const texts = program.main.edges.flatMap(({ text, position }) => (position?.line === 5 ? [text] : []))
  expect(new Set(texts)).toEqual(new Set(['x = ((1) + (1));']))
})

/** Every so many of the system's headers: those that a compiler reads on their own. */
const SAMPLE = 400

test.runIf(compiler)('headers of the system are read', async () => {
  const { stdout } = spawnSync('find', ['/usr/include', '-name', '*.h', '-not', '-path', '*/c++/*'], {
    encoding: 'utf8',
  })
  const headers = stdout.trim().split('\n').sort()
  const unread: string[] = []
  for (let i = 0; i < headers.length; i += SAMPLE) {
    const file = write('header.c', `#include "${headers[i]}"\nint main(void) { return 0; }\n`)
    if (spawnSync('cc', ['-std=gnu17', '-fsyntax-only', file]).status !== 0) continue
    await load([file, '--headers', 'system']).catch((error: Error) => unread.push(`${headers[i]}: ${error.message}`))
  }
  expect(unread).toEqual([])
})
