// AArch64's weaker dependencies (Arm Architecture Reference Manual, B2.3): what only picks a value orders writes, not
// reads; the read of an atomic instruction without a destination is no read for barriers and acquires nothing.
import { describe, expect, it } from 'vitest'
import { decideLitmus } from '../../../src/engine/litmus/index.js'
import { parseLitmus } from '../../../src/frontend/litmus/index.js'
import { builtInModel } from '../../../src/memory-model/index.js'

const arm8 = builtInModel('arm8')

const isAllowed = (first: string, second: string, condition: string): boolean => {
  const [p0, p1] = [first, second].map((code) => code.split(';').map((text) => text.trim()))
  const rows = Array.from({ length: Math.max(p0!.length, p1!.length) }, (_, i) => `${p0![i] ?? ''} | ${p1![i] ?? ''} ;`)
  const initial = [0, 1].map((thread) => `${thread}:X1=x; ${thread}:X2=y; ${thread}:X3=z;`).join(' ')
  const parsed = parseLitmus(`AArch64 t\n{ z=3; ${initial} }\nP0 | P1 ;\n${rows.join('\n')}\nexists (${condition})\n`)
  if (parsed.kind === 'wrong') throw new Error(parsed.error.message)
  const answer = decideLitmus(parsed.test, arm8, { expired: () => false, maxCounted: 0, explain: false })
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  return answer.holds
}

/** Message passing: whether the reader, who has seen the flag, may still see the old data in W8. */
const seesOld = (reader: string): boolean =>
  isAllowed('MOV W0,#1; STR W0,[X1]; STLR W0,[X2]', `LDR W0,[X2]; ${reader}`, '1:X0=1 /\\ 1:X8=0')

/** Load buffering: whether the write that follows the read may be seen by the thread that the read reads from. */
const isEarly = (writer: string): boolean =>
  isAllowed('LDR W8,[X1]; MOV W0,#1; STLR W0,[X2]', `LDR W0,[X2]; ${writer}`, '1:X0=1 /\\ 0:X8=7')

describe('a conditional select', () => {
  const select = 'CMP W0,#1; MOV W4,#0; CSEL W5,W4,W6,EQ'
  it('orders no later read that uses its result as an address', () =>
    expect(seesOld(`${select}; LDR W8,[X1,W5,SXTW]`)).toBe(true))
  it('orders it if the read itself is the value taken', () =>
    expect(seesOld('CMP W6,#0; CSEL W5,W0,W6,EQ; EOR W5,W5,W5; LDR W8,[X1,W5,SXTW]')).toBe(false))
  it('orders it across a branch and an ISB', () =>
    expect(seesOld(`${select}; CBNZ W5,L; L:; ISB; LDR W8,[X1]`)).toBe(false))
  it('orders a write of its result', () =>
    expect(isEarly('CMP W0,#1; MOV W4,#7; CSEL W5,W4,W6,EQ; STR W5,[X1]')).toBe(false))
  it('also through memory', () =>
    expect(isEarly('CMP W0,#1; MOV W4,#7; CSEL W5,W4,W6,EQ; STR W5,[X3]; LDR W9,[X3]; STR W9,[X1]')).toBe(false))
  it('orders no write of something else', () =>
    expect(isEarly('CMP W0,#1; CSEL W5,W4,W6,EQ; MOV W9,#7; STR W9,[X1]')).toBe(true))
  it('depends on the register that is taken only', () =>
    expect(isEarly('CMP W6,#0; MOV W4,#7; CSEL W5,W4,W0,EQ; STR W5,[X1]')).toBe(true))
})

describe('a compare-and-swap', () => {
  it('writes after the reads that it compares with', () =>
    expect(isEarly('AND W9,W0,#2; MOV W4,#7; CAS W9,W4,[X1]')).toBe(false))
  it('may leave the register as it is, so that its read orders no later read', () =>
    expect(
      isAllowed(
        'MOV W0,#1; STR W0,[X1]; STLR W0,[X2]',
        'MOV W0,#1; CAS W0,W6,[X2]; EOR W5,W0,W0; LDR W8,[X1,W5,SXTW]',
        'y=0 /\\ 1:X0=1 /\\ 1:X8=0',
      ),
    ).toBe(true))
})

describe('without a destination', () => {
  const added = (code: string): boolean =>
    isAllowed('MOV W0,#1; STR W0,[X1]; STLR W0,[X2]', `MOV W0,#1; ${code}; LDR W8,[X1]`, 'y=2 /\\ 1:X8=0')
  it('DMB LD does not order an atomic addition', () => expect(added('LDADD W0,WZR,[X2]; DMB LD')).toBe(true))
  it('with one it does', () => expect(added('LDADD W0,W9,[X2]; DMB LD')).toBe(false))
  it('DMB SY orders both', () => expect(added('STADD W0,[X2]; DMB SY')).toBe(false))
  it('an acquire acquires nothing', () => expect(added('LDADDA W0,WZR,[X2]')).toBe(true))
  it('with one it does so', () => expect(added('LDADDA W0,W9,[X2]')).toBe(false))
})
