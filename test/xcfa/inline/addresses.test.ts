import { expect, test } from 'vitest'
import { instancesOf, strideOf } from '../../../src/xcfa/passes/inline/addresses.js'

test('a list of 5,000 nodes of two words has addresses', () => {
  const space = { next: 4096 }
  expect(instancesOf('heap', strideOf(16, space), space)).toBeGreaterThan(5_000)
})
