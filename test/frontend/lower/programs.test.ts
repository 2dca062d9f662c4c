// Sequential programs that check themselves: the machine's compiler says that they are right, and so do we.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { oracle } from '../../../src/semantics/index.js'
import { compileText } from './support.js'

const FOLDER = join(import.meta.dirname, 'programs')
const PROGRAMS = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))
const hasCompiler = spawnSync('cc', ['--version']).status === 0

describe.each(PROGRAMS)('$name', ({ name, text }) => {
  it.skipIf(!hasCompiler)('holds on this machine', () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-programs-'))
    const binary = join(folder, 'program')
    expect(
      spawnSync('cc', [
        '-w',
        '-fwrapv',
        '-Wl,-z,execstack',
        '-o',
        binary,
        join(FOLDER, name),
        '-latomic',
      ]).stderr.toString(),
    ).toBe('')
    expect(spawnSync(binary).status).toBe(0)
    rmSync(folder, { recursive: true })
  })

  it('holds here, and its end is reached', () => {
    const { program } = compileText(text, {}, name)
    expect(oracle(program, 'assert')).toMatchObject({ verdict: 'true', undefined: [] })
    const end = text.lastIndexOf('return 0;')
    const failing = `${text.slice(0, end)}assert(!"the end");${text.slice(end)}`
    expect(oracle(compileText(failing, {}, name).program, 'assert').verdict).toBe('false')
  })
})
