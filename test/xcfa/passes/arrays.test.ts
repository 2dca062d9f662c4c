// Generated programs over nested arrays and records, with indices that the passes do not know: what brute force finds on
// the raw program, it finds on the resolved one.
import { expect, test } from 'vitest'
import { oracle } from '../../../src/semantics/exploration/oracle.js'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { compileText } from '../../frontend/lower/support.js'

const GLOBALS = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct in { int x; int y[2]; };
struct s { char c[3]; short h; int a[2]; struct in in[2]; struct in *p; } s[2], t, *ps = &t;
struct f { int a[2]; int z; } f[2];
union u { int w; short h[2]; char b[4]; } u[2];
int m[2][3], mm[2][2][2], v[6], *pv = &v[2]; char k[2][8], *pc = k[0]; struct in *pin = t.in;
`

/** Indices below the bound, of i and j, which are 0 or 1. */
const INDICES: Readonly<Record<string, readonly string[]>> = {
  2: ['0', '1', 'i', 'j', '1 - i', 'i ^ j'],
  3: ['0', '2', 'i', 'i + j', '2 - j'],
  6: ['0', '5', 'i + 2 * j', '3 * i', '5 - i'],
}
const PLACES = `m[2][3] mm[2][2][2] v[6] s[2].c[3] s[2].h s[2].a[2] s[2].in[2].x s[2].in[2].y[2] t.a[2] t.in[2].y[2]
  f[2].a[2] f[2].z u[2].w u[2].h[2] u[2].b[3] k[2][6] *pv pv[2] *pc pc[3] pin->x pin->y[2] ps->a[2] ps->c[3]
  ps->in[2].y[2]`.split(/\s+/)
const POINTERS = `pv=&v[2] pv=&m[2][0] pv=s[2].a pv=&s[1].in[2].y[0] pv=mm[2][2] pc=k[2] pc=(char*)&f[2] pc=(char*)m
  pc=s[2].c pc=(char*)&s[2].in[2] pin=&s[2].in[2] pin=ps->in pin=(struct\u00a0in*)((char*)pv-4) ps=&s[2] ps=&t
  ps=(struct\u00a0s*)((char*)s[2].in-16)`.split(/[ \n]+/)
const WHOLES = `s[i]=s[j] t=s[i] *ps=t s[i].in[j]=t.in[1] f[i]=f[j]`.split(' ')

/** A program by its number: numbers are drawn as Lehmer does. */
const program = (seed: number): string => {
  let state = seed + 1
  const below = (n: number): number => {
    state = (state * 48271) % 2147483647
    return state % n
  }
  const one = <T>(of: readonly T[]): T => of[below(of.length)]!
  const indexed = (text: string): string =>
    text.replace(/\[([236])\]/g, (_, bound: string) => `[${one(INDICES[bound]!)}]`).replaceAll('\u00a0', ' ')
  // Most statements are about two kinds of places, so that they meet.
  const own = [one(PLACES), one(PLACES)]
  const place = (): string => indexed(below(4) === 0 ? one(PLACES) : one(own))
  const statement = (): string => {
    switch (below(8)) {
      case 0:
      case 1:
        return indexed(one(POINTERS))
      case 2:
        return one(WHOLES)
      case 3:
        return `for (int r = 0; r < 6; r++) pc[r] = ${below(2)}`
      case 4:
        return `${place()} = ${place()}`
      default:
        return `${place()} = ${below(3)}`
    }
  }
  const body = Array.from({ length: 2 + below(5) }, () => `  ${statement()};\n`).join('')
  const [i, j] = ['i', 'j'].map((name) => `int ${name} = __VERIFIER_nondet_int() & 1;`)
  return `${GLOBALS}int main(void)\n{\n  ${i}\n  ${j}\n${body}  assert(${place()} != ${1 + below(2)});\n}\n`
}

test('of nested arrays and records nothing is lost', () => {
  const verdicts = new Set<string>()
  for (let seed = 0; seed < 60; seed++) {
    const text = program(seed)
    const raw = compileText(text).program
    const expected = oracle(raw, 'assert')
    // What is undefined may become anything.
    if (expected.undefined.length > 0) continue
    verdicts.add(expected.verdict)
    expect({ text, verdict: oracle(prepare(raw), 'assert').verdict }).toEqual({ text, verdict: expected.verdict })
  }
  expect([...verdicts].sort()).toEqual(['false', 'true'])
})
