// The table of docs/memory-models.md is what the literature says of the classic tests, and what is computed here.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decideLitmus } from '../../src/engine/litmus/index.js'
import { parseLitmus } from '../../src/frontend/litmus/index.js'
import { builtInModel, type Model, type ModelName } from '../../src/memory-model/index.js'
import { classic, dialectOf, type Variant } from '../generate/classics.js'

const rows = readFileSync(new URL('../../docs/memory-models.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?:test|[\w+]+ (?:po|fence|rel-acq|fence\+\S+)) \|/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
const [header, ...body] = rows
const models = new Map<string, Model>()

const isAllowed = (name: string, variant: Variant, model: ModelName): boolean => {
  const parsed = parseLitmus(classic(name, variant, dialectOf(model)))
  if (parsed.kind === 'wrong') throw new Error(`${name} ${variant} ${model}: ${parsed.error.message}`)
  if (!models.has(model)) models.set(model, builtInModel(model))
  const answer = decideLitmus(parsed.test, models.get(model)!, { expired: () => false, maxCounted: 0, explain: false })
  if (answer.kind === 'unknown') throw new Error(`${name} ${variant} ${model}: ${answer.reason}`)
  return answer.allowed
}

describe('the classics', () => {
  it('are all in the table', () => {
    expect(body.length).toBe(33)
  })

  it.each(body)('%s', (...cells) => {
    const [name, variant] = cells[0]!.split(' ') as [string, Variant]
    const computed = header!.slice(1).map((model) => (isAllowed(name, variant, model as ModelName) ? 'yes' : 'no'))
    expect(computed).toEqual(cells.slice(1))
  })
})
