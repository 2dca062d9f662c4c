// An index expression that begins below its array, a[i - 1]: the constant part of its address lies before the object,
// perhaps in another one. Resolving it by that constant would make the access invalid, and hide what follows it.
import { expect, test } from 'vitest'
import { testParser } from '../frontend/parse/load.js'
import { decidingContenders } from '../generate/contenders.js'
import { compareEngines, compileProgram } from '../generate/harness.js'

const parser = await testParser()

test.each(['int a[4];', 'int before[100]; int a[4];', 'static int a[4]; int after[100];'])(
  '%s',
  async (declaration) => {
    const text = `
    #include <assert.h>
    ${declaration}
    int index(int i) { return i; }
    int main(void) {
      int own[4] = { 0, 0, 0, 0 };
      for (int i = 1; i <= 2; i++) { a[i - 1]++; own[i + 50 - 51]++; }
      assert(a[0] == 1 && a[1] == 1 && own[0] == 1 && own[1] == 1);
      assert(a[index(3) - 1] != 0);
      return 0;
    }`
    const found = compareEngines(compileProgram(parser, text), 'assert', await decidingContenders('assert'))
    expect(found).toEqual({ expected: 'false', undecided: [], wrong: [] })
  },
)
