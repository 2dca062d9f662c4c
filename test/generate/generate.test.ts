// Generated programs are C: the machine's compiler and our parser accept them; the same seed gives the same text.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { header } from '../../src/frontend/c/library/index.js'
import { preprocess } from '../../src/frontend/c/preprocess/index.js'
import { testParser } from '../frontend/parse/load.js'
import { hasCompiler } from '../frontend/preprocess/compiler.js'
import {
  concurrentPrograms,
  generate,
  generateLibrary,
  generateOdd,
  generateSequential,
  generateTricky,
  NO_FEATURES,
  runnable,
  sequentialPrograms,
} from './index.js'

const parser = await testParser()

const parses = (text: string): void => {
  parser.parse(preprocess('generated.c', text, { dataModel: 'lp64', header }))
}

/** What the compiler says about many programs, one call for all of them. */
const complaints = (texts: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-generate-'))
  try {
    const files = texts.map((text, index) => {
      const file = join(folder, `p${index}.c`)
      writeFileSync(file, text)
      return file
    })
    execFileSync('cc', ['-fsyntax-only', '-pthread', '-w', ...files], { encoding: 'utf8', stdio: 'pipe' })
    return ''
  } catch (error) {
    return (error as { stderr?: string }).stderr ?? String(error)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const seeds = Array.from({ length: 60 }, (_, seed) => seed)

describe('concurrent programs', () => {
  test('the same seed, the same program', () => {
    expect(generate(17)).toBe(generate(17))
    expect(new Set(seeds.map((seed) => generate(seed))).size).toBeGreaterThan(50)
  })

  test.skipIf(!hasCompiler)('the compiler accepts them', () => {
    expect(complaints(seeds.flatMap((seed) => [generate(seed), generateLibrary(seed), generateTricky(seed)]))).toBe('')
  })

  test('our parser accepts them', () => {
    fc.assert(fc.property(concurrentPrograms(), parses), { numRuns: 60, seed: 1 })
  })

  test('features that are off do not occur', () => {
    const words = /\[x & 1\]|\*pointer|struct|mutex|cond_|atomic_|__sync|for \(|nondet_\w+\(\)/
    for (const seed of seeds) {
      const text = generate(seed, { features: NO_FEATURES })
      const body = text.slice(text.indexOf('void *thread0'))
      expect(body).not.toMatch(words)
    }
  })
})

describe('sequential programs', () => {
  test.skipIf(!hasCompiler)('the compiler accepts them', () => {
    expect(complaints(seeds.flatMap((seed) => [generateSequential(seed), generateOdd(seed)].map(runnable)))).toBe('')
  })

  test('our parser accepts them', () => {
    fc.assert(
      fc.property(sequentialPrograms(), (program) => parses(runnable(program))),
      { numRuns: 60, seed: 1 },
    )
  })
})
