// A certificate has to be about what is asked: property, entry, defines, data model and texts are those of the call.
import { expect, test } from 'vitest'
import type { CertificateFile } from '../../src/certificate/index.js'
import { type Asked, requireSameClaim } from '../../src/check/index.js'

const file: CertificateFile = {
  ...{ property: 'assert', engine: 'explicit', assumptions: [] },
  task: {
    dataModel: 'lp64',
    entry: 'main',
    defines: ['N=2'],
    spuriousWakeups: true,
    mallocMayFail: false,
    hashes: ['a'],
  },
  certificate: { kind: 'locks', data: {} },
}
const asked: Asked = {
  ...{ property: 'assert', dataModel: 'lp64', entry: 'main', defines: ['N=2'], spuriousWakeups: true },
  ...{ mallocMayFail: false, memoryModel: 'sc', hashes: ['a'] },
}

test('the same claim', () => {
  expect(() => requireSameClaim(file, asked)).not.toThrow()
})

const others: readonly (readonly [keyof Asked, unknown, string])[] = [
  ['property', 'no-data-race', 'property: '],
  ['dataModel', 'ilp32', 'task.dataModel: '],
  ['entry', 'other', 'task.entry: '],
  ['defines', [], 'task.defines: '],
  ['spuriousWakeups', false, 'task.spuriousWakeups: '],
  ['mallocMayFail', true, 'task.mallocMayFail: '],
  ['memoryModel', 'tso', 'assumptions: '],
  ['cpp', 'cc -E', 'task.cpp: '],
  ['hashes', ['b'], 'task.hashes[0]: '],
  ['hashes', ['a', 'b'], 'task.hashes: '],
]
test.each(others)('another %s', (name, value, place) => {
  expect(() => requireSameClaim(file, { ...asked, [name]: value })).toThrow(place)
})

test('a command in the certificate is told, not taken', () => {
  const armed = { ...file, task: { ...file.task, cpp: 'rm -r \u001b[2J\n/' } }
  expect(() => requireSameClaim(armed, asked)).toThrow(/^task\.cpp: .*"rm -r \s+\[2J \/"/)
  expect(() => requireSameClaim(armed, { ...asked, cpp: 'rm -r \u001b[2J\n/' })).not.toThrow()
})
