// The programs in examples/weak have the verdicts under rc11 that they claim, as they are and with one order weakened.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bmcEngine } from '../../src/engine/bmc/index.js'
import { builtInModel } from '../../src/memory-model/index.js'
import type { Property } from '../../src/property/index.js'
import { createSmt } from '../../src/smt/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

const folder = new URL('../../examples/weak/', import.meta.url)
const model = builtInModel('rc11')
const parser = await testParser()
const smt = await createSmt('auto')

/** `assert TRUE, no-data-race TRUE` as pairs. */
const claims = (text: string): readonly (readonly [string, string])[] =>
  [...text.matchAll(/(assert|no-data-race) (TRUE|FALSE)/g)].map(([, property, verdict]) => [
    property!,
    verdict!.toLowerCase(),
  ])

const cases = readdirSync(folder).flatMap((name) => {
  const header = readFileSync(new URL(name, folder), 'utf8')
    .split('*/')[0]!
    .replace(/\n \* ?/g, ' ')
  const [right, weak] = header.slice(header.indexOf('Verdicts under rc11:')).split('With -DWEAK')
  return [
    ...claims(right!).map(([property, verdict]) => ({ name, property, verdict, weak: false })),
    ...claims(weak!).map(([property, verdict]) => ({ name, property, verdict, weak: true })),
  ]
})

describe('examples/weak', () => {
  it('there are six, each right and weakened', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(6)
    expect(cases.filter(({ weak }) => weak).length).toBeGreaterThanOrEqual(6)
  })

  it.each(cases)('$name, weakened: $weak, $property: $verdict', ({ name, property, verdict, weak }) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    const raw = compileProgram(parser, weak ? `#define WEAK\n${text}` : text)
    const result = bmcEngine.verify(
      {
        ...{ raw, property: property as Property },
        settings: { arith: 'auto', solver: 'auto', memoryModel: 'rc11', spuriousWakeups: true },
        ...{ smt, model },
      },
      {},
      { stopped: () => undefined, progress: () => {} },
    )
    expect(result.verdict).toBe(verdict)
  })
})
