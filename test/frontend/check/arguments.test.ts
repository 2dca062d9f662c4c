// What a program is called with: a name and any strings, which end with a null pointer.
import { expect, test } from 'vitest'
import { oracle } from '../../../src/semantics/index.js'
import { compileProgram } from '../../generate/harness.js'
import { testParser } from '../parse/load.js'

const parser = await testParser()

const decide = (body: string, parameters = 'int argc, char **argv') => {
  const text = `#include <assert.h>\n#include <string.h>\nint main(${parameters}) { ${body} return 0; }`
  return oracle(compileProgram(parser, text), 'assert', { maxStates: 20_000 }).verdict
}

test('there is a name, and nothing behind the last one', () => {
  expect(decide('assert(argc >= 1); assert(argv[0] != 0); if (argc == 3) assert(argv[3] == 0);')).toBe('true')
  expect(decide('assert(argc >= 2);', 'int argc, char *argv[]')).toBe('false')
  expect(decide('assert(argv[1] != 0);')).toBe('false')
})

test('an argument is any string', () => {
  expect(decide('if (argc > 1 && strcmp(argv[1], "-v") == 0) assert(0);')).toBe('false')
  expect(decide('if (argc > 2 && argv[2][0] == 0) assert(0);')).toBe('false')
  expect(decide('if (argc > 1 && argv[1][0] == 250) assert(sizeof(char) > 1);')).toBe('true')
})

test('two looks at an argument see the same', () => {
  expect(decide('if (argc > 1) { char a = argv[1][0]; assert(a == argv[1][0]); }')).toBe('true')
  expect(decide('if (argc > 2 && argv[1][0] == 65 && argv[2][0] == 66) assert(0);')).toBe('false')
})

test('a program that does not look at them may be called with any number of them', () => {
  expect(decide('(void)argv; assert(argc < 1000);')).toBe('false')
})
