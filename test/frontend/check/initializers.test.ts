// Flattened initialisers give every byte the value that the machine's C compiler gives it.
import { describe, expect, test } from 'vitest'
import type { CVariable } from '../../../src/frontend/c/ast.js'
import { sizeOf, targetOf, unqualified } from '../../../src/frontend/c/check/index.js'
import { HAS_CC, runC } from './gcc.js'
import { checkText } from './support.js'

const TYPES = `
struct point { int x, y; };
struct line { struct point from, to; char name[6]; };
struct nested { char tag; union { int i; struct { short lo, hi; }; }; struct point p[2]; };
struct bits { unsigned a : 3, b : 7; int c : 4; int : 0; int d : 5; };
union either { char c; long l; struct point p; };
enum colour { RED, GREEN = 5, BLUE };
`
const DECLARATIONS = [
  'int a[5] = {1, 2, 3}',
  'int b[] = {1, [4] = 5, 6, [1] = 9}',
  'int c[10] = {[2 ... 5] = 7, 8, [0] = 1}',
  'char d[] = "hello"',
  'char e[4] = "hello"',
  'char f[8] = {"hi"}',
  "char g[] = {'a', 'b', 0}",
  'int h[2][3] = {1, 2, 3, 4}',
  'int i[2][3] = {{1}, {2, 3}}',
  'int j[][2] = {1, 2, 3, 4, 5}',
  'struct point k = {1}',
  'struct point l = {.y = 2}',
  'struct point m = {.y = 2, .x = 1}',
  'struct line n = {1, 2, 3, 4, "abc"}',
  'struct line o = {{1}, {2}, "x"}',
  'struct line p = {.to.y = 4, .from = {7, 8}, .name = "q"}',
  'struct line q = {.to = {.x = 3}, "r"}',
  'struct line r[2] = {[1].to.x = 5, 6, "z"}',
  'struct line again[2] = {[1] = {{1, 2}, {3, 4}, "long"}, [0].name = "q", {.from = {5}, .name = "s"}}',
  'struct line over = {.name = "abcde", .to = {3, 4}, .to = {.y = 9}, "x"}',
  'struct point none[3] = {{1, 2}, {3, 4}, {5, 6}, [0 ... 1] = {}}',
  'struct line s[] = {1, 2, 3, 4, "five", 6, 7, 8, 9, "ten"}',
  'struct nested t = {1, 2, {{3, 4}, {5, 6}}}',
  'struct nested u = {.hi = 3, .p[1].y = 9}',
  "struct nested v = {'a', {.lo = 1, .hi = -2}, 3, 4, 5, 6}",
  'struct bits w = {1, 100, -3, 9}',
  'struct bits x = {.d = -1, .a = 5}',
  'union either y = {65}',
  'union either z = {.p = {1, 2}}',
  'union either aa = {.l = -1}',
  'struct point *ab = 0',
  'int ac = {5}',
  'double ad = 1, ae[2] = {1.5f, 2}',
  'float af = 0.1',
  'short ag = 70000',
  '_Bool ah[3] = {2, 0.5, 0}',
  'enum colour ai[BLUE + 1] = {[GREEN] = BLUE}',
  'struct point aj = (struct point){3, 4}',
  'int ak[] = {sizeof(struct line), _Alignof(double), GREEN}',
  'struct { int n; struct point p; } al[2] = {{1, {2, 3}}, {.p.y = 4, .n = 5}}',
  'unsigned short am[] = u"a\\u00e9"',
  'int an[3] = {1, 2, 3, }',
  'struct point ao[2][2] = {[1] = {[0] = {1, 2}, {3, 4}}}',
  'struct point ap[2][2] = {1, 2, 3, 4, {5}, 6}',
  'struct line aq = {.from = {1, 2}, .from.x = 9}',
  'int ar[4] = {[1] = 1, [1] = 2}',
  "long as = -1, at = 0x8000000000000000, au = '\\xff'",
  'struct point av = {x: 4, y: 5}',
  'char aw[2][4] = {"ab", {"cd"}}',
  'int ax[2][2] = {[0][1] = 1, 2, 3}',
]

const namesOf = (declaration: string): string => /(?:^| |\*)(\w+)(?:\[[^\]]*\])* =/.exec(declaration)![1]!

const byteText = (bytes: readonly number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')

const bytesOf = (variable: CVariable): string => {
  const bytes = new Uint8Array(sizeOf(variable.type, targetOf('lp64'))!)
  const view = new DataView(bytes.buffer)
  for (const { offset, type, bits, value } of variable.initializer ?? []) {
    if (value.kind !== 'constant') throw new Error(`${variable.name}: ${value.kind}`)
    const plain = unqualified(type)
    const size = sizeOf(type, targetOf('lp64'))!
    if (plain.kind === 'float') {
      if (size === 4) view.setFloat32(offset, Number(value.value), true)
      else view.setFloat64(offset, Number(value.value), true)
      continue
    }
    const width = bits?.width ?? size * 8
    for (let bit = 0; bit < width; bit++) {
      const at = offset * 8 + (bits?.offset ?? 0) + bit
      const set = (BigInt(value.value) >> BigInt(bit)) & 1n
      bytes[at >> 3] = (bytes[at >> 3]! & ~(1 << (at & 7))) | (Number(set) << (at & 7))
    }
  }
  return byteText([...bytes])
}

test.skipIf(!HAS_CC)('static initialisers, byte for byte', () => {
  const text = `${TYPES}${DECLARATIONS.map((declaration) => `${declaration};`).join('\n')}`
  const names = DECLARATIONS.map(namesOf)
  const printing = names.map(
    (name) =>
      `for (int at = 0; at < sizeof ${name}; at++) printf("%02x", ((unsigned char *)&${name})[at]); printf("\\n");`,
  )
  const expected = runC(`${text}\nint printf(const char *, ...); int main(void) { ${printing.join('\n')} return 0; }`)
    .trim()
    .split('\n')
  const { variables } = checkText(`${text}\nint main(void) { return 0; }`)
  const show = (values: readonly string[]) => values.map((value, index) => `${DECLARATIONS[index]}: ${value}`)
  expect(show(names.map((name) => bytesOf(variables.find((one) => one.name === name)!)))).toEqual(show(expected))
})

describe('initialisers with addresses', () => {
  const initializer = (text: string, name: string) => {
    const { variables } = checkText(`${text} int main(void) { return 0; }`)
    return variables.find((one) => one.name === name)!.initializer!
  }

  test('a list head refers to itself', () => {
    const entries = initializer('struct list { struct list *next, *prev; } head = { &head, &head };', 'head')
    expect(entries.map(({ offset, value }) => [offset, value.kind])).toEqual([
      [0, 'address'],
      [8, 'address'],
    ])
  })

  test('an address that depends on a variable is no constant', () => {
    expect(() => initializer('int x; int y = x;', 'y')).toThrow('initializer element is not constant')
    expect(initializer('int x[4]; int *y = &x[2] + 1;', 'y')).toMatchObject([{ value: { kind: 'pointerAdd' } }])
  })
})
