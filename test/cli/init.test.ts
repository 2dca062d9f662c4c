// heddle init: a project of ours with two libraries and three executables, from CMake (where it is installed) to verdicts.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { readProjectFile } from '../../src/project/index.js'

const HEDDLE = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'heddle-init-'))
afterAll(() => rmSync(folder, { recursive: true }))

const heddle = (...args: readonly string[]) => spawnSync('node', [HEDDLE, ...args], { cwd: folder, encoding: 'utf8' })
const lastLine = (...args: readonly string[]) =>
  heddle(...args)
    .stdout.trim()
    .split('\n')
    .at(-1)
const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).status === 0

const MAIN = `#include <assert.h>
#include <queue.h>
static void *push(void *arg) { queue_push(2); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, push, 0);
  CHECK queue_push(1);
  pthread_join(t, 0);
  assert(queue_length == WANTED);
  return 0;
}
`
const FILES: Readonly<Record<string, string>> = {
  'CMakeLists.txt': `cmake_minimum_required(VERSION 3.13)
    project(two_libraries C)
    find_package(Threads REQUIRED)
    add_library(limit STATIC limit/limit.c)
    target_include_directories(limit PUBLIC limit)
    target_compile_definitions(limit PRIVATE LIMIT=1)
    add_library(queue STATIC queue/queue.c)
    target_include_directories(queue PUBLIC queue/include)
    target_link_libraries(queue PUBLIC limit Threads::Threads)
    foreach(name good bad racy)
      add_executable(\${name} app/\${name}.c)
      target_link_libraries(\${name} queue)
    endforeach()
    target_compile_definitions(good PRIVATE WANTED=1)
    target_compile_definitions(bad PRIVATE WANTED=2)
    target_compile_definitions(racy PRIVATE WANTED=1)`,
  'limit/limit.h': 'int limit(void);\n',
  'limit/limit.c': '#include "limit.h"\nint limit(void) { return LIMIT; }\n',
  'queue/include/queue.h': '#include <pthread.h>\nint queue_push(int value);\nextern int queue_length;\n',
  'queue/queue.c': `#include <queue.h>
#include <limit.h>
int queue_length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int queue_push(int value) {
  pthread_mutex_lock(&lock);
  int pushed = queue_length < limit();
  if (pushed) queue_length++;
  pthread_mutex_unlock(&lock);
  return pushed ? value : -1;
}
`,
  'app/good.c': MAIN.replace('CHECK', ''),
  'app/bad.c': MAIN.replace('CHECK', ''),
  'app/racy.c': MAIN.replace('CHECK', 'if (queue_length == 0)'),
}

const writeFiles = (): void => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

describe.runIf(isInstalled('cmake'))('a project that CMake builds', () => {
  writeFiles()

  test('its programs are entries, and a file that is there is not replaced', () => {
    expect(heddle('init').status).toBe(0)
    const { build, entries } = JSON.parse(readFileSync(join(folder, 'heddle.json'), 'utf8'))
    expect(build).toBe('build-heddle')
    expect(entries.map(({ name, file }: { name: string; file: string }) => `${name} ${file}`).sort()).toEqual([
      'bad app/bad.c',
      'good app/good.c',
      'racy app/racy.c',
    ])
    expect(heddle('init')).toMatchObject({ status: 2, stderr: expect.stringContaining('--force') })
  })

  test('verify decides its entries, each with the libraries and options of its build', () => {
    expect(lastLine('verify', '--property', 'assert')).toBe('VERDICT: FALSE(bad)')
    expect(lastLine('verify', '--only', 'racy', '--property', 'no-data-race')).toBe('VERDICT: FALSE(no-data-race)')
    expect(heddle('verify', '--only', 'none').stderr).toContain('--only none: the project has')
    expect(lastLine('verify', '-p', 'build-heddle', '--file', 'app/good.c')).toBe('VERDICT: TRUE')
  })

  test('test runs one of them', () => {
    expect(lastLine('test', '--only', 'bad', '--property', 'assert')).toBe('VERDICT: FALSE(assert)')
  })

  test('functions that the build takes from elsewhere get stubs', () => {
    writeFileSync(
      join(folder, 'queue/queue.c'),
      `int device_ready(int port);\n${FILES['queue/queue.c']!.replace('limit()', 'limit() + 0 * device_ready(1)')}`,
    )
    expect(heddle('init', '--force').status).toBe(0)
    expect(readFileSync(join(folder, 'heddle-stubs.c'), 'utf8')).toContain('int device_ready(int')
    expect(readFileSync(join(folder, 'heddle.json'), 'utf8')).toContain('"heddle-stubs.c"')
    expect(lastLine('verify', '--only', 'good', '--property', 'assert')).toBe('VERDICT: TRUE')
  })
})

/** A folder of its own with one program that holds, and the file that its build reads. */
const projectWith = (name: string, text: string): string => {
  const root = join(folder, name.replace('.', '-'))
  mkdirSync(root)
  writeFileSync(join(root, 'main.c'), '#include <assert.h>\nint main(void) { assert(ANSWER == 42); return 0; }\n')
  writeFileSync(join(root, name), text)
  return root
}

test.runIf(isInstalled('meson') && isInstalled('ninja'))('a project that Meson builds', () => {
  const root = projectWith('meson.build', "project('answer', 'c')\nexecutable('a', 'main.c', c_args: '-DANSWER=42')\n")
  expect(heddle('init', root).status).toBe(0)
  expect(lastLine('verify', '--project', join(root, 'heddle.json'), '--property', 'assert')).toBe('VERDICT: TRUE')
})

test.runIf(isInstalled('bear') && isInstalled('make'))('a project with a Makefile', () => {
  const root = projectWith('Makefile', 'a: main.c\n\t$(CC) -DANSWER=42 -o a main.c\n')
  expect(heddle('init', root).status).toBe(0)
  expect(lastLine('verify', '--project', join(root, 'heddle.json'), '--property', 'assert')).toBe('VERDICT: TRUE')
})

describe('a project file', () => {
  test.each([
    ['[]', 'no object'],
    ['{', 'not JSON'],
    ['{"entries": [{"file": "a.c"}]}', 'no "build"'],
    ['{"build": ".", "entries": []}', '"entries"'],
    ['{"build": ".", "entries": [{}]}', 'entry 1'],
    ['{"build": ".", "entries": [{"file": "a.c"}], "budget": 1}', '"budget"'],
  ])('%s is wrong', (text, problem) => {
    expect(readProjectFile(text)).toEqual({ wrong: expect.stringContaining(problem) })
  })

  test('has defaults', () => {
    expect(readProjectFile('{"build": "b", "entries": [{"file": "a.c"}]}')).toEqual({
      ...{ build: 'b', properties: ['assert'], timeout: '60s', stubs: [], options: [] },
      entries: [{ name: 'a.c', file: 'a.c', entry: 'main' }],
    })
  })
})
