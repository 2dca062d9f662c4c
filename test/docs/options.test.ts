// docs/options.md is what the tables say.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { optionsPage } from '../../src/cli/options-page.js'

test('npm run docs was run after the last change of an option', () => {
  expect(readFileSync(new URL('../../docs/options.md', import.meta.url), 'utf8')).toBe(optionsPage())
})
