// A mutation whose text is no longer in the code changes nothing: its rule would be held by no test, unnoticed.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Mutation {
  readonly what: string
  readonly file: string
  readonly find: string
}

test('every mutation finds its text', async () => {
  const { MUTATIONS } = (await import(`${root}scripts/mutations.mjs`)) as { readonly MUTATIONS: readonly Mutation[] }
  const lost = MUTATIONS.filter(({ file, find }) => !readFileSync(`${root}${file}`, 'utf8').includes(find))
  expect(lost.map(({ what, file }) => `${file}: ${what}`)).toEqual([])
})
