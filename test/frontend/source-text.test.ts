// Bytes of a source file that are no UTF-8: gcc keeps them as they are in string literals.
import { expect, it } from 'vitest'
import { decodeSource } from '../../src/frontend/c/index.js'
import { oracle } from '../../src/semantics/index.js'
import { compileText } from './lower/support.js'

it('a byte that is no character is that byte in a string', () => {
  const bytes = [...new TextEncoder().encode('#include <assert.h>\nint main(void) { const char *s = "é')]
  bytes.push(0xff, 0xe9, ...new TextEncoder().encode('"; assert(s[0] == -61 && s[1] == -87);'))
  bytes.push(...new TextEncoder().encode('assert(s[2] == -1 && s[3] == -23 && s[4] == 0); return 0; }'))
  expect(oracle(compileText(decodeSource(Uint8Array.from(bytes))).program, 'assert').verdict).toBe('true')
})

it('UTF-8 stays as it is', () => {
  const text = 'char *s = "é😀";'
  expect(decodeSource(new TextEncoder().encode(text))).toBe(text)
})
