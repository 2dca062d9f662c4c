// Our headers and models are C that a compiler accepts, with glibc's sizes, in both data models.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  header,
  headerNames,
  initialise,
  model,
  modelNames,
  OWNED_TYPES,
} from '../../../src/frontend/c/library/index.js'

const hasCompiler = spawnSync('cc', ['--version']).status === 0

/** What a compiler needs to know of the intrinsics to check a model's types. */
const INTRINSICS = `
extern void __heddle_atomic_begin(void), __heddle_atomic_end(void), __heddle_await(int), __heddle_spurious(void);
extern void __heddle_sync(const char *, ...), __heddle_join(unsigned int), __heddle_thread_exit(void), __heddle_exit(void);
extern void __heddle_assume(int), __heddle_undefined(const char *), __heddle_assert_fail(const char *);
extern void __heddle_reach_error(void), __heddle_free(void *), __heddle_unsupported(const char *), __heddle_note(const char *), __heddle_limit(const char *);
extern unsigned int __heddle_self(void), __heddle_thread_count(void), __heddle_nondet_range(unsigned int, unsigned int);
extern unsigned int __heddle_start(void *, void *);
extern int __heddle_choice(void), __heddle_error_number(void), __heddle_option(const char *), __heddle_nondet_int(void);
extern unsigned long __heddle_nondet_ulong(void);
extern void *__heddle_allocate(unsigned long, int);
extern void *__heddle_allocate_aligned(unsigned long, int, unsigned long);
extern void *__heddle_allocate_argument(unsigned long, int);
#define __heddle_thread_address(pointer, thread) ((void)(thread), (pointer))
`

describe.skipIf(!hasCompiler)('headers and models as C', () => {
  let folder: string
  const compile = (text: string, ...options: string[]): string => {
    const result = spawnSync('cc', ['-fsyntax-only', '-nostdinc', `-I${folder}`, ...options, '-x', 'c', '-'], {
      input: text,
    })
    return result.stderr.toString()
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-headers-'))
    for (const name of headerNames()) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), header(name)!)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  for (const name of headerNames())
    for (const model of ['-m64', '-m32'])
      it(`<${name}> compiles by itself and twice (${model})`, () => {
        expect(compile(`#include <${name}>\n#include <${name}>\nint x;\n`, '-Wall', '-Werror', model)).toBe('')
      })

  it('all headers compile together', () => {
    expect(
      compile(
        headerNames()
          .map((name) => `#include <${name}>\n`)
          .join(''),
        '-Wall',
        '-Werror',
      ),
    ).toBe('')
  })

  const files = new Map(modelNames().map((name) => [model(name)!.file, model(name)!.text]))
  for (const [file, text] of files)
    for (const dataModel of ['-m64', '-m32'])
      it(`${file} compiles (${dataModel})`, () => {
        const options = ['-Wall', '-Werror', '-Wno-nonnull', '-fno-builtin', '-Wno-int-to-pointer-cast', dataModel]
        expect(compile(INTRINSICS + text, ...options)).toBe('')
      })

  it('defines exactly the names that the compiler sees defined', () => {
    for (const [file, text] of files) {
      const source = join(folder, 'model.c')
      writeFileSync(source, INTRINSICS + text)
      execFileSync('cc', [
        '-c',
        '-w',
        '-fno-builtin',
        '-nostdinc',
        `-I${folder}`,
        source,
        '-o',
        join(folder, 'model.o'),
      ])
      const symbols = execFileSync('nm', ['--defined-only', '-g', join(folder, 'model.o')])
        .toString()
        .trim()
        .split('\n')
      const defined = symbols.map((line) => line.split(' ').at(-1)!).sort()
      expect(modelNames().filter((name) => model(name)!.file === file)).toEqual(defined)
    }
  })

  // From glibc's bits/pthreadtypes-arch.h and bits/semaphore.h for x86-64 and i386.
  const SIZES: Record<string, readonly [number, number]> = {
    pthread_t: [8, 4],
    pthread_attr_t: [56, 36],
    pthread_mutex_t: [40, 24],
    pthread_mutexattr_t: [4, 4],
    pthread_cond_t: [48, 48],
    pthread_condattr_t: [4, 4],
    pthread_rwlock_t: [56, 32],
    pthread_rwlockattr_t: [8, 8],
    pthread_barrier_t: [32, 20],
    pthread_barrierattr_t: [4, 4],
    pthread_spinlock_t: [4, 4],
    pthread_once_t: [4, 4],
    pthread_key_t: [4, 4],
    sem_t: [32, 16],
    thrd_t: [8, 4],
    mtx_t: [40, 24],
    cnd_t: [48, 48],
    tss_t: [4, 4],
    once_flag: [4, 4],
  }
  it('owned types have the sizes of glibc', () => {
    expect(Object.keys(SIZES).sort()).toEqual([...OWNED_TYPES].sort())
    for (const [index, option] of ['-m64', '-m32'].entries()) {
      const asserts = Object.entries(SIZES).map(
        ([type, sizes]) => `_Static_assert(sizeof(${type}) == ${sizes[index]}, "${type}");`,
      )
      expect(compile(`#include <heddle/types.h>\n${asserts.join('\n')}\n`, option)).toBe('')
    }
  })

  it('constants agree with the system headers where there are some', () => {
    const names = [
      'EBUSY',
      'EDEADLK',
      'EPERM',
      'ETIMEDOUT',
      'EAGAIN',
      'EINVAL',
      'INT_MAX',
      'LONG_MIN',
      'SIZE_MAX',
      'RAND_MAX',
    ]
    names.push(
      'PTHREAD_MUTEX_RECURSIVE',
      'PTHREAD_MUTEX_ERRORCHECK',
      'PTHREAD_BARRIER_SERIAL_THREAD',
      'EOF',
      'UINT64_MAX',
    )
    const includes = ['errno', 'limits', 'stdint', 'stdlib', 'pthread', 'stdio']
      .map((h) => `#include <${h}.h>\n`)
      .join('')
    const values = (options: readonly string[]): string => {
      const text = `#define _GNU_SOURCE\n${includes}${names.map((n) => `long long v_${n} = (long long)(${n});`).join('\n')}\n`
      return execFileSync('cc', [...options, '-S', '-o', '-', '-x', 'c', '-'], { input: text }).toString()
    }
    const data = (assembly: string): readonly string[] =>
      assembly.split('\n').filter((line) => /^v_|\.quad|\.zero/.test(line))
    expect(data(values(['-nostdinc', `-I${folder}`]))).toEqual(data(values([])))
  })
})

describe('static initialisers', () => {
  it('reads the kind of a mutex where glibc has it', () => {
    expect(initialise('pthread_mutex_t', [[0n, 0n, 0n, 0n, 0n, 0n, 0n, [0n, 0n]]])).toEqual([])
    const recursive = [{ field: '__kind', value: 1n }]
    expect(initialise('pthread_mutex_t', [[0n, 0n, 0n, 0n, 1n, 0n, 0n, [0n, 0n]]])).toEqual(recursive)
    expect(initialise('pthread_mutex_t', [[0n, 0n, 0n, 1n, 0n, [0n]]])).toEqual(recursive)
  })
  it('treats an adaptive mutex as a normal one', () => {
    expect(initialise('pthread_mutex_t', [[0n, 0n, 0n, 0n, 3n, 0n, 0n, [0n, 0n]]])).toEqual([
      { field: '__kind', value: 0n },
    ])
  })
  it('reads our own form by position', () => {
    const fields = [0n, 0n, 2n].map((value, index) => ({ field: ['__owner', '__count', '__kind'][index], value }))
    expect(initialise('pthread_mutex_t', [0n, 0n, 2n])).toEqual(fields)
  })
  it('refuses a mutex that begins locked', () => {
    expect(initialise('pthread_mutex_t', [[1n, 0n, 0n, 0n, 0n, 0n, 0n, [0n, 0n]]])).toBeUndefined()
  })
  it('knows the zeros of conditions and read-write locks', () => {
    expect(initialise('pthread_cond_t', [[[0n], [0n], [0n, 0n], [0n, 0n], 0n, 0n, [0n, 0n]]])).toEqual([])
    expect(initialise('pthread_rwlock_t', [[0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, [0n, 0n], 0n, 0n]])).toEqual([])
  })
})
