// Long double against the machine's own: every operation and conversion on random bit patterns, as gcc executes them.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { binaryValue, castValue, compareValue, FLOAT, floatLiteral, intType, type Value } from '../../src/xcfa/index.js'
import { hasCompiler } from '../frontend/preprocess/compiler.js'

const PROGRAM = `#include <stdio.h>
#include <string.h>
#include <math.h>
typedef unsigned long long word;
static word state = 88172645463325252ULL;
static word next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static long double pick(void) {
  word significand = next() | 1ULL << 63;
  unsigned exponent;
  switch (next() % 8) {
    case 0: return (long double)(long long)(next() % 9) - 4;
    case 1: significand &= ~0ULL << 40; exponent = 16383 + next() % 70; break;
    case 2: exponent = 0; significand = next() >> 1 + next() % 60; break;
    case 3: exponent = 1 + next() % 70; break;
    case 4: exponent = 32766 - next() % 70; break;
    case 5: exponent = 16383 + 1024 - 70 + next() % 80; break;
    case 6: exponent = 16383 - 1022 - 70 + next() % 80; break;
    default: exponent = 16383 - 70 + next() % 140;
  }
  exponent |= next() % 2 << 15;
  long double value = 0;
  memcpy(&value, &significand, 8);
  memcpy((char *)&value + 8, &exponent, 2);
  return value;
}
static void show(long double value) {
  word low; unsigned short high;
  memcpy(&low, &value, 8); memcpy(&high, (char *)&value + 8, 2);
  if (value != value) printf(" nan"); else printf(" %04x%016llx", high, low);
}
int main(void) {
  for (int i = 0; i < 1500; i++) {
    volatile long double a = pick(), b = pick();
    show(a); show(b); show(a + b); show(a - b); show(a * b); show(a / b);
    if (i % 10 == 0) show(fmodl(a, b)); else printf(" -");
    printf(" %d%d%d %d", a == b, a < b, a <= b, (_Bool)a);
    double d = a; float f = a; word dw; unsigned fw;
    memcpy(&dw, &d, 8); memcpy(&fw, &f, 4);
    printf(" %016llx %08x", dw, fw);
    show(d); show(f); show((long long)next()); show(next());
    if (a > -9e18L && a < 9e18L) printf(" %lld\\n", (long long)a); else printf(" -\\n");
  }
  return 0;
}
`

const EXTENDED = FLOAT[80]
const bits = (text: string): Value => BigInt(`0x${text}`)
const shown = (value: Value): string =>
  compareValue('ne', EXTENDED, value, value) ? 'nan' : BigInt(value).toString(16).padStart(20, '0')

const outputOf = (program: string): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'extended-'))
  const [source, binary] = [join(folder, 'program.c'), join(folder, 'program')]
  writeFileSync(source, program)
  execFileSync('cc', ['-w', '-O0', '-std=gnu11', source, '-o', binary, '-lm'])
  return execFileSync(binary, { encoding: 'utf8' }).trim().split('\n')
}

/** Where long double is the x87's. */
const isX86 = hasCompiler && (process.arch === 'x64' || process.arch === 'ia32')

it.skipIf(!isX86)('computes what the machine does', () => {
  const lines = outputOf(PROGRAM)
  expect(lines).toHaveLength(1500)
  const scratch = new DataView(new ArrayBuffer(8))
  for (const line of lines) {
    const [first, second, sum, difference, product, quotient, rest, order, truth, double, float, back, backFloat] = line
      .trim()
      .split(' ')
    const [a, b] = [bits(first!), bits(second!)]
    expect([line, shown(binaryValue('add', EXTENDED, a, b))]).toEqual([line, sum])
    expect([line, shown(binaryValue('sub', EXTENDED, a, b))]).toEqual([line, difference])
    expect([line, shown(binaryValue('mul', EXTENDED, a, b))]).toEqual([line, product])
    expect([line, shown(binaryValue('div', EXTENDED, a, b))]).toEqual([line, quotient])
    if (rest !== '-') expect([line, shown(binaryValue('rem', EXTENDED, a, b))]).toEqual([line, rest])
    const compared = (['eq', 'lt', 'le'] as const).map((op) => (compareValue(op, EXTENDED, a, b) ? 1 : 0)).join('')
    expect([line, compared, String(castValue(EXTENDED, intType(1, false), a))]).toEqual([line, order, truth])
    scratch.setFloat64(0, castValue(EXTENDED, FLOAT[64], a) as number)
    expect([line, scratch.getBigUint64(0).toString(16).padStart(16, '0')]).toEqual([line, double])
    scratch.setBigUint64(0, BigInt(`0x${double}`))
    expect([line, shown(castValue(FLOAT[64], EXTENDED, scratch.getFloat64(0)))]).toEqual([line, back])
    scratch.setFloat32(0, castValue(EXTENDED, FLOAT[32], a) as number)
    expect([line, scratch.getUint32(0).toString(16).padStart(8, '0')]).toEqual([line, float])
    expect([line, shown(castValue(FLOAT[32], EXTENDED, scratch.getFloat32(0)))]).toEqual([line, backFloat])
    const whole = line.trim().split(' ').at(-1)!
    if (whole !== '-') expect([line, String(castValue(EXTENDED, intType(64, true), a))]).toEqual([line, whole])
  }
})

const LITERALS = [
  '0.1',
  '3.14159265358979323846264338327950288',
  '1e4932',
  '1e-4950',
  '123456789012345678901234567890.5',
]
const HEXADECIMAL = [
  '0x1p-16445',
  '0x1.8p-16446',
  '0x1.fffffffffffffffep16383',
  '0x.123456789abcdef01p4',
  '0x1.0000010000001p0',
]
const NARROW = ['1.00000005960464477539062500001', '1e-45', '7.006492321624085e-46', '3.4028235677973366e38', '0.3']

it.skipIf(!isX86)('rounds literals once, as the compiler does', () => {
  const texts = [...LITERALS, ...HEXADECIMAL, ...NARROW]
  const shows = texts.map((text) => `show(${text}L); printf(" %08x %016llx\\n", F(${text}f), D(${text}));`)
  const main = `static unsigned F(float f) { unsigned w; memcpy(&w, &f, 4); return w; }
static word D(double d) { word w; memcpy(&w, &d, 8); return w; }
int main(void) { ${shows.join('\n')} return 0; }`
  const lines = outputOf(PROGRAM.replace(/int main[\s\S]*/, main))
  const scratch = new DataView(new ArrayBuffer(8))
  for (const [i, text] of texts.entries()) {
    scratch.setFloat64(0, floatLiteral(text, 64) as number)
    const double = scratch.getBigUint64(0).toString(16).padStart(16, '0')
    scratch.setFloat32(0, floatLiteral(text, 32) as number)
    const float = scratch.getUint32(0).toString(16).padStart(8, '0')
    expect([text, `${shown(floatLiteral(text, 80)!)} ${float} ${double}`]).toEqual([text, lines[i]!.trim()])
  }
})
