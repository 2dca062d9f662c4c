// What instructions compute: one thread, whose only final state is the one that the manuals of the architectures give.
import { describe, expect, it } from 'vitest'
import { decideLitmus, type LitmusAnswer } from '../../../src/engine/litmus/index.js'
import { parseLitmus } from '../../../src/frontend/litmus/index.js'
import { builtInModel, type ModelName } from '../../../src/memory-model/index.js'

const decide = (text: string, model: ModelName): LitmusAnswer => {
  const parsed = parseLitmus(text)
  if (parsed.kind === 'wrong')
    throw new Error(`${parsed.error.at.line}:${parsed.error.at.column}: ${parsed.error.message}`)
  const answer = decideLitmus(parsed.test, builtInModel(model), {
    expired: () => false,
    maxCounted: 1000,
    explain: true,
  })
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  return answer
}

const alone = (architecture: string, initial: string, code: string, condition: string): string =>
  `${architecture} t\n{ ${initial} }\n P0 ;\n${code
    .split(';')
    .map((line) => ` ${line.trim()} ;\n`)
    .join('')}forall (${condition})\n`

describe('AArch64', () => {
  it.each([
    ['MOV W0,#3; ADD W1,W0,#4; SUB W2,W0,W1; EOR W3,W0,W1', '0:X1=7 /\\ 0:X2=-4 /\\ 0:X3=4'],
    ['MOV X0,#-1; ADD W1,W0,#1; LSL X2,X0,#60; LSR X3,X0,#60', '0:X1=0 /\\ 0:X2=0xf000000000000000 /\\ 0:X3=15'],
    [
      'MOV X0,#-1; STR X0,[X9]; LDRB W1,[X9,#7]; LDRSB X2,[X9]; LDRSW X3,[X9]; LDRH W4,[X9]',
      '0:X1=255 /\\ 0:X2=-1 /\\ 0:X3=0xffffffffffffffff /\\ 0:X4=65535',
    ],
    ['MOV W0,#5; STR W0,[X9]; MOV W1,#5; MOV W2,#6; CAS W1,W2,[X9]; LDR W3,[X9]', '0:X1=5 /\\ 0:X3=6'],
    ['MOV W0,#5; STR W0,[X9]; MOV W1,#4; MOV W2,#6; CASAL W1,W2,[X9]; LDR W3,[X9]', '0:X1=5 /\\ 0:X3=5'],
    [
      'MOV W0,#6; STR W0,[X9]; MOV W1,#3; LDADD W1,W2,[X9]; LDSET W1,W3,[X9]; LDCLR W1,W4,[X9]; LDEOR W1,W5,[X9]; LDR W6,[X9]',
      '0:X2=6 /\\ 0:X3=9 /\\ 0:X4=11 /\\ 0:X5=8 /\\ 0:X6=11',
    ],
    [
      'MOV W0,#-2; STR W0,[X9]; MOV W1,#3; LDSMAX W1,W2,[X9]; LDR W3,[X9]; STR W0,[X9]; LDUMAX W1,W2,[X9]; LDR W4,[X9]',
      '0:X3=3 /\\ 0:X4=-2',
    ],
    ['MOV W1,#3; SWPA W1,W2,[X9]; STADD W1,[X9]; LDR W3,[X9]', '0:X2=0 /\\ 0:X3=6'],
    ['MOV W0,#7; CMP W0,#7; B.EQ L; MOV W1,#1; L:; MOV W2,#2', '0:X1=0 /\\ 0:X2=2'],
    ['MOV W0,#6; TST W0,#1; B.EQ L; MOV W1,#1; L:; TST W0,#2; B.NE M; MOV W1,#2; M:; NOP', '0:X1=0'],
    ['MOV W0,#7; STR W0,[X9],#4; STR W0,[X9,#4]!; LDR W1,[X9,#-4]', '0:X1=0'],
    ['MOV W0,#1; MOV W1,#2; STP W0,W1,[X9]; LDP W3,W4,[X9]; LDR X5,[X9]', '0:X3=1 /\\ 0:X4=2 /\\ 0:X5=0x200000001'],
    [
      'MOV W0,#5; CMP W0,#6; CSEL W1,W0,WZR,LT; CSINC W2,WZR,W0,GE; CSINV W3,W0,W0,EQ; CSNEG W4,W0,W0,HI; CSET W5,NE',
      '0:X1=5 /\\ 0:X2=6 /\\ 0:X3=0xfffffffa /\\ 0:X4=0xfffffffb /\\ 0:X5=1',
    ],
    ['MOV W0,#5; CMP W0,#5; CINC W1,W0,EQ; CSETM W2,EQ; CNEG W3,W0,NE', '0:X1=6 /\\ 0:X2=0xffffffff /\\ 0:X3=5'],
    // A logical instruction clears the carry and the overflow.
    ['MOV W0,#6; TST W0,#2; CSET W1,CS; CSET W2,HI; CSET W3,LS; CSET W4,VS', '0:X1=0 /\\ 0:X2=0 /\\ 0:X3=1 /\\ 0:X4=0'],
    [
      'MOV W0,#-1; ADDS W1,W0,#1; CSET W2,CS; CSET W3,EQ; CSET W4,VS; MOV W5,#0x7fffffff; ADDS W6,W5,#1; CSET W7,VS; CSET W8,MI; CSET W10,GE',
      '0:X1=0 /\\ 0:X2=1 /\\ 0:X3=1 /\\ 0:X4=0 /\\ 0:X7=1 /\\ 0:X8=1 /\\ 0:X10=1',
    ],
    [
      'MOV W0,#12; BIC W1,W0,#4; ORN W2,W0,W0; MOVK X0,#1,LSL #16; MADD W3,W1,W1,W0; MVN W4,WZR',
      '0:X1=8 /\\ 0:X2=-1 /\\ 0:X0=0x1000c /\\ 0:X3=0x1004c /\\ 0:X4=0xffffffff',
    ],
  ])('%s', (code, condition) => {
    expect(decide(alone('AArch64', 'uint64_t x[2]; 0:X9=x;', code, condition), 'arm8').holds).toBe(true)
  })

  it('a store-exclusive may fail, and writes only if it succeeds', () => {
    const text = alone(
      'AArch64',
      '0:X9=x;',
      'MOV W0,#1; LDXR W1,[X9]; STXR W2,W0,[X9]',
      '(0:X2=0 /\\ x=1) \\/ (0:X2=1 /\\ x=0)',
    )
    expect(decide(text, 'arm8')).toMatchObject({ holds: true, counts: { executions: 2 } })
  })

  it('without a reservation of the same location it cannot succeed', () => {
    expect(
      decide(alone('AArch64', '0:X9=x; 0:X8=y;', 'MOV W0,#1; LDXR W1,[X8]; STXR W2,W0,[X9]', '0:X2=1'), 'arm8').holds,
    ).toBe(true)
  })
})

describe('the others', () => {
  it.each([
    [
      'X86_64',
      'x=5; 0:rbx=x;',
      'movl $1,%eax; lock xaddl %eax,(x); incl (%rbx); cmpl $5,%eax; je L; movl $9,%ecx; L:; xchgl %ecx,(x)',
      '0:rax=5 /\\ x=0 /\\ 0:rcx=7',
      'tso',
    ],
    [
      'X86_64',
      'uint64_t x=0x1ffffffff; uint64_t y; 0:rbx=x;',
      'movq (%rbx),%rax; lock incq (x); cmpq $0,%rax; jl L; movq %rax,(y); L:; movq $-1,%rdx; cmpq $1,%rdx; jl M; movq $7,%rcx; M:',
      '0:rax=0x1ffffffff /\\ x=0x200000000 /\\ y<>0 /\\ 0:rcx=0',
      'tso',
    ],
    [
      'X86_64',
      'int x[2]={1,2}; int y; 0:rsi=x;',
      'movl 4(%rsi),%eax; movl $7,4(%rsi); leaq (x),%rdi; movl (%rdi),%ecx; shll $3,%ecx; movl y(%rip),%ebx',
      '0:rax=2 /\\ x[1]=7 /\\ 0:rcx=8 /\\ 0:rbx=0',
      'tso',
    ],
    [
      'X86',
      'int x[2]={1,2}; 0:ESI=x;',
      'MOV EAX,[ESI+4]; LEA EBX,[x+4]; MOV [EBX-4],$9; MOV ECX,$-8; SAR ECX,$1',
      '0:EAX=2 /\\ x[0]=9 /\\ 0:ECX=0xfffffffc',
      'tso',
    ],
    ['PPC', '', 'li r1,6; li r2,1; nor r3,r1,r2', '0:r3=-8', 'power'],
    [
      'PPC',
      '',
      'li r1,-1; li r2,1; cmplw r1,r2; bgt L; li r3,9; L:; cmpw r1,r2; blt M; li r3,8; M:',
      '0:r3=0',
      'power',
    ],
    [
      'PPC',
      '',
      'lis r1,1; neg r2,r1; subf r3,r2,r1; extsw r4,r2',
      '0:r1=0x10000 /\\ 0:r3=0x20000 /\\ 0:r4=-65536',
      'power',
    ],
    [
      'X86',
      'x=5;',
      'MOV EAX,$1; XADD [x],EAX; LOCK INC [x]; CMP EAX,$5; JE L; MOV EBX,$9; L:',
      '0:EAX=5 /\\ x=7 /\\ 0:EBX=0',
      'tso',
    ],
    ['X86', 'x=5;', 'MOV EAX,$5; MOV EBX,$8; LOCK CMPXCHG [x],EBX; JNE L; MOV ECX,$1; L:', 'x=8 /\\ 0:ECX=1', 'tso'],
    ['X86', 'x=5;', 'MOV EAX,$4; MOV EBX,$8; LOCK CMPXCHG [x],EBX', 'x=5 /\\ 0:EAX=5', 'tso'],
    [
      'PPC',
      '0:r2=x; x=3;',
      'lwz r1,0(r2); addi r3,r1,-4; xor. r4,r1,r1; beq L; li r5,1; L:; stw r3,4(r2); lwz r6,4(r2)',
      '0:r1=3 /\\ 0:r3=-1 /\\ 0:r5=0 /\\ 0:r6=0xffffffff',
      'power',
    ],
    [
      'RISCV',
      '0:x5=x; x=3;',
      'li x6,4; amoadd.w x7,x6,(x5); amomax.w.aq.rl x8,x6,(x5); lw x9,0(x5); addiw x10,x9,-8; bltu x9,x6,L; li x11,1; L:',
      '0:x7=3 /\\ 0:x8=7 /\\ 0:x9=7 /\\ 0:x10=-1 /\\ 0:x11=1',
      'riscv',
    ],
    ['RISCV', '0:x5=x;', 'li x6,1; sc.w x7,x6,0(x5); ori x0,x0,5; mv x8,x0', '0:x7=1 /\\ x=0 /\\ 0:x8=0', 'riscv'],
  ] as const)('%s: %s %s', (architecture, initial, code, condition, model) => {
    expect(decide(alone(architecture, initial, code, condition), model).holds).toBe(true)
  })
})

const c = (initial: string, body: string, condition: string): string =>
  `C t\n{ ${initial} }\nP0(int *x, int *y) {\n${body}\n}\nforall (${condition})\n`

describe('C', () => {
  it.each([
    [
      'int r0 = (5 + *x) * 2; int r1 = r0 >= 10 && !0 ? 7 : 8; int r2 = r0 | 1; r2 -= 3;',
      '0:r0=10 /\\ 0:r1=7 /\\ 0:r2=8',
      'rc11',
    ],
    [
      'int i; int r0 = 0; for (i = 0; i < 3; i++) r0 += i; do { r0++; } while (r0 < 2); if (r0 == 4) *x = 1; else *x = 2;',
      'x=1',
      'rc11',
    ],
    ['*y = 1; int r0 = atomic_compare_exchange_strong(x, y, 5); int r1 = *y;', 'x=0 /\\ 0:r0=0 /\\ 0:r1=0', 'rc11'],
    [
      'int e = 0; int r0 = atomic_compare_exchange_strong_explicit(x, &e, 5, memory_order_acq_rel, memory_order_relaxed); int r1 = atomic_exchange(x, 6);',
      'x=6 /\\ 0:r0=1 /\\ 0:r1=5',
      'rc11',
    ],
    [
      'int r0 = atomic_fetch_add_explicit(x, 3, memory_order_relaxed); int r1 = atomic_fetch_xor(x, 1);',
      'x=2 /\\ 0:r0=0 /\\ 0:r1=3',
      'rc11',
    ],
    [
      'int r0 = atomic_add_return(2, x); int r1 = atomic_fetch_sub_relaxed(1, x); int r2 = atomic_dec_and_test(x); atomic_inc(x);',
      '0:r0=2 /\\ 0:r1=2 /\\ 0:r2=1 /\\ x=1',
      'lkmm',
    ],
    [
      'int r0 = cmpxchg(x, 1, 5); int r1 = cmpxchg_acquire(x, 0, 5); int r2 = xchg_release(x, 6); int r3 = atomic_add_unless(x, 1, 6);',
      '0:r0=0 /\\ 0:r1=0 /\\ 0:r2=5 /\\ 0:r3=0 /\\ x=6',
      'lkmm',
    ],
    [
      'int e = 3; int r0 = atomic_try_cmpxchg(x, &e, 5); int r1 = atomic_inc_not_zero(x); int r2 = atomic_sub_and_test(0, x);',
      '0:r0=0 /\\ 0:e=0 /\\ 0:r1=0 /\\ 0:r2=1',
      'lkmm',
    ],
    [
      'int r0 = spin_trylock(y); int r1 = spin_is_locked(y); int r2 = spin_trylock(y); spin_unlock(y); smp_store_mb(*x, 4);',
      '0:r0=1 /\\ 0:r1=1 /\\ 0:r2=0 /\\ y=0 /\\ x=4',
      'lkmm',
    ],
    ['rcu_assign_pointer(*x, y); int *r0 = rcu_dereference(*x); WRITE_ONCE(*r0, 3);', 'y=3 /\\ 0:r0=y', 'lkmm'],
  ] as const)('%s', (body, condition, model) => {
    expect(decide(c('', body, condition), model).holds).toBe(true)
  })

  it('a weak compare-exchange may fail although the values are equal', () => {
    const body = 'int e = 0; int r0 = atomic_compare_exchange_weak(x, &e, 1);'
    expect(decide(c('', body, '(0:r0=1 /\\ x=1) \\/ (0:r0=0 /\\ x=0)'), 'rc11')).toMatchObject({
      holds: true,
      counts: { executions: 2 },
    })
  })
})

describe('executions', () => {
  const counts = (text: string, model: ModelName): number | undefined => decide(text, model).counts?.executions

  it('are counted as TruSt publishes them: SB has 3 under SC and 4 under TSO and RC11, MP with release and acquire 3', () => {
    const sb =
      'C SB\n{}\nP0(atomic_int *x, atomic_int *y) {\n  atomic_store_explicit(x, 1, memory_order_relaxed); int r = atomic_load_explicit(y, memory_order_relaxed);\n}\nP1(atomic_int *x, atomic_int *y) {\n  atomic_store_explicit(y, 1, memory_order_relaxed); int r = atomic_load_explicit(x, memory_order_relaxed);\n}\nexists (0:r=0 /\\ 1:r=0)\n'
    expect((['sc', 'tso', 'rc11'] as const).map((model) => counts(sb, model))).toEqual([3, 4, 4])
    const mp =
      'C MP\n{}\nP0(atomic_int *x, atomic_int *y) {\n  atomic_store_explicit(x, 1, memory_order_relaxed); atomic_store_explicit(y, 1, memory_order_release);\n}\nP1(atomic_int *x, atomic_int *y) {\n  int r = atomic_load_explicit(y, memory_order_acquire); int s = atomic_load_explicit(x, memory_order_relaxed);\n}\nexists (1:r=1 /\\ 1:s=0)\n'
    expect(counts(mp, 'rc11')).toBe(3)
  })

  it('n threads that increment once have n! of them', () => {
    const thread = (i: number): string =>
      `P${i}(atomic_int *x) { int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }\n`
    const text = `C inc\n{}\n${[0, 1, 2, 3].map(thread).join('')}forall (x=4)\n`
    expect(decide(text, 'rc11')).toMatchObject({ holds: true, counts: { executions: 24, satisfying: 24 } })
  })

  it('a forbidden outcome is explained by the axiom and its edges', () => {
    const text =
      'X86 MP\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[y] ;\n MOV [y],$1 | MOV EBX,[x] ;\n~exists (1:EAX=1 /\\ 1:EBX=0)\n'
    const answer = decide(text, 'tso')
    expect(answer).toMatchObject({ holds: true, allowed: false, counts: { executions: 3, satisfying: 0 } })
    expect(answer.forbidden!.violation.axiom.name).toBe('tso')
    expect(answer.forbidden!.violation.steps.length).toBe(4)
  })

  it('a loop that waits is not unrolled; one that counts is cut, and then nothing is forbidden', () => {
    const spin =
      'C t\n{}\nP0(atomic_int *x, int *y) { *y = 1; atomic_store_explicit(x, 1, memory_order_release); }\nP1(atomic_int *x, int *y) { int r0; while (atomic_load_explicit(x, memory_order_acquire) == 0) {} r0 = *y; }\nexists (1:r0=0)\n'
    expect(decide(spin, 'rc11').holds).toBe(false)
    const count =
      'C t\n{}\nP0(int *x) { int r0 = 0; while (*x == 0) { r0++; } }\nP1(int *x) { *x = 1; }\nexists (0:r0=9)\n'
    expect(() => decide(count, 'rc11')).toThrow('a loop was unrolled only in part')
  })

  it('a data race is flagged', () => {
    const text = 'C t\n{}\nP0(int *x) { *x = 1; }\nP1(int *x) { int r = *x; }\nexists (1:r=1)\n'
    expect(decide(text, 'rc11').flags).toEqual(['data-race'])
  })
})

describe('forms of the final state', () => {
  it('names of the RISC-V calling convention are the registers themselves', () => {
    const text = alone(
      'RISCV',
      '0:s0=x;',
      'li a0,7; sw a0,0(fp); lw t6,0(x8); mv x27,t3',
      '0:x10=7 /\\ 0:x31=7 /\\ 0:s11=0',
    )
    expect(decide(text, 'riscv').holds).toBe(true)
  })

  it('elements of arrays may be listed as locations', () => {
    const text = 'AArch64 t\n{ int t[2]; 0:X0=t; }\n P0 ;\n MOV W1,#1 ;\n STR W1,[X0,#4] ;\n'
    expect(decide(`${text}locations [t[0]; t[1]; 0:X1]\nforall (t[1]=1)\n`, 'arm8').holds).toBe(true)
    expect(decide(`${text}not exists (t[1]=0)\n`, 'arm8').holds).toBe(true)
    expect(decide(`${text}not exists (t[1]=1)\n`, 'arm8').holds).toBe(false)
  })
})
