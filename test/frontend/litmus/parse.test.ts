// What a litmus file may not contain is said with its position; nothing is skipped.
import { describe, expect, it } from 'vitest'
import { parseLitmus } from '../../../src/frontend/litmus/index.js'

const wrong = (text: string): string => {
  const parsed = parseLitmus(text)
  return parsed.kind === 'test'
    ? 'no mistake found'
    : `${parsed.error.at.line}:${parsed.error.at.column}: ${parsed.error.message}`
}

const asm = (architecture: string, instruction: string): string =>
  `${architecture} t\n{ 0:X1=x; x=0; }\n P0 ;\n ${instruction} ;\nexists (x=1)\n`
const c = (body: string): string => `C t\n{}\nP0(int *x) {\n  ${body}\n}\nexists (x=1)\n`

describe('mistakes have a position and a message', () => {
  it.each([
    [
      'MIPS t\n{}\n P0 ;\nexists (x=1)',
      '1:1: the architecture MIPS is not supported (C, X86, X86_64, AArch64, PPC and RISCV are)',
    ],
    [asm('AArch64', 'FOO W0,[X1]'), '4:2: the instruction FOO is not supported for AArch64'],
    [asm('AArch64', 'LDR W0,[Q1]'), '4:2: expected a register, but found "Q1"'],
    [asm('AArch64', 'DMB XYZ'), '4:2: the barrier option XYZ is not supported'],
    [asm('AArch64', 'CBZ W0,NOWHERE'), '4:2: the label "NOWHERE" is not defined in this thread'],
    [asm('X86', 'MOV EAX'), '4:2: an operand is missing'],
    [asm('X86', 'PAUSE'), '4:2: the instruction PAUSE is not supported for X86'],
    [asm('PPC', 'dcbf r1'), '4:2: the instruction dcbf is not supported for PPC'],
    [asm('RISCV', 'csrr x1'), '4:2: the instruction csrr is not supported for RISC-V'],
    [asm('AArch64', 'MOV W0,#1 | MOV W0,#1'), '4:14: this row has 2 columns, but there are 1 threads'],
    ['AArch64 t\n{ x=0; \n P0 ;\nexists (x=1)', '2:1: this brace is not closed'],
    ['X86 t\n{}\n P0 ;\n MOV [x],$1 ;\nexists (y=1)', '5:9: "y" is not a location of this test'],
    ['X86 t\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x 1)', '5:11: expected a comparison, but found "1"'],
    ['X86 t\n{}\n P0 ;\n MOV [x],$1 ;\n', '5:1: expected a final condition: exists, ~exists or forall'],
    [c('call_rcu(x); READ_ONCE(*x);'), '4:3: the function call_rcu is not supported here'],
    [c('int r = READ_ONCE(x);'), '4:23: READ_ONCE needs a location like *x'],
    [c('switch (1) {}'), '4:3: "switch" is not supported in a litmus test'],
    [c('*x = 1'), '5:1: expected ";" after the statement, but found "}"'],
  ])('%s', (text, message) => {
    expect(wrong(text)).toBe(message)
  })
})

describe('what the catalogues write', () => {
  it.each([
    [
      'a name with remarks, braces closed by a semicolon, threads by P0:',
      'X86 n3 (nThree) "Can it"\n{x = 0; P0:EAX = 1};\n P0 ;\n xchg EAX,[x] ;\nfinal (P0:EAX = 0);\nwith\ntso: exists;\n<<\nshow 0\n>>',
    ],
    [
      'types, arrays, addresses',
      'AArch64 t\n{ uint64_t x; uint8_t y[16]; int *p = x; 0:X1=y; uint32_t 0:X2=3; 0:X3=-1; }\n P0 ;\n LDRH W0,[X1,W2,SXTW] ;\nlocations [x; 0:X0;]\nexists (0:X0=0 /\\ ~(p=1 \\/ not (0:X3=-1)))',
    ],
    ['named registers', 'AArch64 t\n{ %a=x; }\n P0 ;\n LDR W0,[%a] ;\nforall (0:X0=0)'],
    [
      'comments in three notations',
      'C t\n{ x = 1; (* one *) }\nP0(int *x) { // Producer\n  /* two */ int r0 = *x; (* three *)\n}\nfilter (0:r0=1)\nexists (0:r0=1) (* bad *)',
    ],
  ])('%s', (_, text) => {
    expect(wrong(text)).toBe('no mistake found')
  })

  it.each([
    ['int r = atomic_load_explicit(x, memory_order_relaxed);', 'C'],
    ['*x = 1;', 'C'],
    ['int r = READ_ONCE(*x);', 'LKMM'],
    ['atomic_inc(x);', 'LKMM'],
    ['atomic_fetch_add_explicit(x, 1, memory_order_relaxed);', 'C'],
    ['int r = xchg_acquire(x, 1);', 'LKMM'],
  ])('%s is of the dialect %s', (body, dialect) => {
    const parsed = parseLitmus(c(body))
    expect(parsed.kind === 'test' && parsed.test.dialect).toBe(dialect)
  })
})
