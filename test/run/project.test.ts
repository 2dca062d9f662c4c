// A project of our own with two libraries and three executables, as a build describes it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mayDefine, readCompileCommands } from '../../src/project/index.js'

const root = new URL('../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'heddle-project-'))
const FILES: Readonly<Record<string, string>> = {
  'queue/include/queue.h': 'int queue_push(int);\nextern int queue_length;\n',
  'queue/push.c':
    '#include "queue.h"\n#include "limit.h"\nint queue_push(int x) { if (queue_length >= LIMIT + limit_extra()) return -1; queue_length++; return x; }\n',
  'queue/state.c': 'int queue_length = START;\n',
  'limit/limit.h': 'int limit_extra(void);\n',
  'limit/limit.c': 'int limit_extra(void) { return EXTRA; }\n',
  'app/good.c':
    '#include <assert.h>\n#include <queue.h>\nint main(void) { assert(queue_push(1) == 1); assert(queue_push(1) == -1); return 0; }\n',
  'app/bad.c':
    '#include <assert.h>\n#include <queue.h>\nint main(void) { queue_push(1); assert(queue_push(1) == 1); return 0; }\n',
  'app/other.c':
    '#include <queue.h>\nint limit_extra(void) { return 5; }\nint main(void) { return 0; }\nint test_main(void) { return queue_push(0); }\n',
}
for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const command = (file: string, options: string): unknown => ({
  directory: join(folder, 'build'),
  command: `cc -O2 -Wall ${options} -o '${file}.o' -c ../${file}`,
  file: `../${file}`,
})
mkdirSync(join(folder, 'build'))
writeFileSync(
  join(folder, 'build/compile_commands.json'),
  JSON.stringify([
    ...['good', 'bad', 'other'].map((name) => command(`app/${name}.c`, '-isystem ../queue/include')),
    command('queue/push.c', '-I../queue/include -I ../limit "-DLIMIT=(1)"'),
    { directory: join(folder, 'queue'), file: 'state.c', arguments: ['cc', '-DSTART=0', '-c', 'state.c'] },
    command('limit/limit.c', '-DEXTRA=0 -std=gnu11'),
    command('queue/more.cpp', ''),
  ]),
)
const heddle = (...args: readonly string[]) => {
  const { stdout, stderr } = spawnSync('node', [join(root, 'dist/cli/main.js'), 'verify', '-p', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stdout.trim().split('\n').at(-1) || stderr.trim()
}

test('what is needed is linked, with the options of each file', () => {
  expect(heddle('build', '--file', 'app/good.c')).toBe('VERDICT: TRUE')
  expect(heddle('build', '--file', 'bad.c')).toBe('VERDICT: FALSE(assert)')
  expect(heddle('build/', '--entry', 'test_main')).toBe('VERDICT: TRUE')
})

test('a file that is compiled twice is one file', () => {
  mkdirSync(join(folder, 'twice'))
  const commands = ['0', '1'].map((extra) => command('limit/limit.c', `-DEXTRA=${extra}`))
  const starts = ['-fPIC', ''].map((option) => command('app/good.c', `${option} -isystem ../queue/include`))
  const rest = [
    command('queue/push.c', '-I../queue/include -I ../limit -DLIMIT=1'),
    command('queue/state.c', '-DSTART=0'),
  ]
  writeFileSync(join(folder, 'twice/compile_commands.json'), JSON.stringify([...commands, ...starts, ...rest]))
  expect(heddle('twice')).toBe('VERDICT: TRUE')
})

test('what is wrong is told', () => {
  expect(heddle('build')).toContain('several files define main: app/good.c, app/bad.c, app/other.c. Say --file FILE')
  expect(heddle('build', '--file', 'app/no.c')).toContain('app/no.c: the build does not compile it')
  expect(heddle('nowhere')).toContain('nowhere: no such file')
})

test('commands are cut as a shell cuts them', () => {
  const commands = readCompileCommands(
    JSON.stringify([
      { directory: '/d', file: 'a.c', command: `cc '-DS="a b"' -D "T=\\"x\\"" -I in\\ c -U V -std=c11 a.c` },
    ]),
  )
  expect(commands).toEqual([
    {
      directory: '/d',
      file: 'a.c',
      options: { defines: ['S="a b"', 'T="x"'], undefines: ['V'], includeDirs: ['in c'], preincludes: [], std: 'c11' },
    },
  ])
  expect(readCompileCommands('{}')).toEqual({ wrong: 'it is no list of commands' })
  expect(readCompileCommands('[{"file": "a.c", "directory": "/"}]')).toHaveProperty('wrong')
})

test('where a name may be defined', () => {
  expect(mayDefine('static int f(int x)\n{', 'f')).toBe(true)
  expect(mayDefine('int f(int x);', 'f')).toBe(false)
  expect(mayDefine('extern int v;', 'v')).toBe(false)
  expect(mayDefine('int v[3] = { 1 };', 'v')).toBe(true)
})
