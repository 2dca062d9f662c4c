// Critical cycles of two threads (SB, MP, LB, S, R, 2+2W) with every way to order two accesses that an architecture has:
// barriers, acquire and release, dependencies. Which of them order which pairs is written here as the manuals say it.
// Where writes reach all other threads at once the outcome is forbidden exactly if both pairs are ordered; Power, the
// kernel and C have rules of their own, from the papers on their models.
import { describe, expect, it } from 'vitest'
import { decideLitmus } from '../../../src/engine/litmus/index.js'
import { parseLitmus } from '../../../src/frontend/litmus/index.js'
import { builtInModel, type ModelName } from '../../../src/memory-model/index.js'

type Pair = 'RR' | 'RW' | 'WR' | 'WW'

/** The accesses of a thread in program order: the first location is x in one thread and y in the other. */
interface Shape {
  readonly pairs: readonly [Pair, Pair]
  /** Values that are written, by thread and access. */
  readonly values: readonly [readonly [number, number], readonly [number, number]]
  /** Locations, by thread and access. */
  readonly at: readonly [readonly [string, string], readonly [string, string]]
  readonly outcome: string
}

const XY = [
  ['x', 'y'],
  ['y', 'x'],
] as const
const ONES = [
  [1, 1],
  [1, 1],
] as const
/** Registers in outcomes: `0:a` is what the first access of thread 0 reads, `0:b` the second. */
const SHAPES: Readonly<Record<string, Shape>> = {
  SB: { pairs: ['WR', 'WR'], values: ONES, at: XY, outcome: '0:b=0 /\\ 1:b=0' },
  MP: { pairs: ['WW', 'RR'], values: ONES, at: XY, outcome: '1:a=1 /\\ 1:b=0' },
  LB: { pairs: ['RW', 'RW'], values: ONES, at: XY, outcome: '0:a=1 /\\ 1:a=1' },
  S: {
    pairs: ['WW', 'RW'],
    values: [
      [2, 1],
      [1, 1],
    ],
    at: XY,
    outcome: '1:a=1 /\\ x=2',
  }, // prettier-ignore
  R: {
    pairs: ['WW', 'WR'],
    values: [
      [1, 1],
      [2, 1],
    ],
    at: XY,
    outcome: 'y=2 /\\ 1:b=0',
  }, // prettier-ignore
  '2+2W': {
    pairs: ['WW', 'WW'],
    values: [
      [1, 2],
      [1, 2],
    ],
    at: XY,
    outcome: 'x=1 /\\ y=1',
  }, // prettier-ignore
}

/** A way to write two accesses. */
interface Way {
  readonly name: string
  readonly on: (pair: Pair) => boolean
  /** Whether they stay in order. */
  readonly orders: (pair: Pair) => boolean
  readonly lines: (pair: Pair) => readonly string[]
}

interface Architecture {
  readonly model: ModelName
  readonly ways: readonly Way[]
  readonly text: (name: string, shape: Shape, threads: readonly (readonly string[])[]) => string
  readonly isForbidden: (shape: string, first: boolean, second: boolean, ways: readonly [Way, Way]) => boolean
}

const all = (): boolean => true
const never = (): boolean => false
const starts = (kind: string) => (pair: Pair) => pair[0] === kind
const ends = (kind: string) => (pair: Pair) => pair[1] === kind
const is =
  (...pairs: readonly Pair[]) =>
  (pair: Pair): boolean =>
    pairs.includes(pair)
const bothOrdered = (_: string, first: boolean, second: boolean): boolean => first && second

/** A table with one column for each thread; REGISTERS are set in the initial state. */
const table = (
  architecture: string,
  name: string,
  initial: string,
  threads: readonly (readonly string[])[],
  outcome: string,
): string => {
  const rows = Array.from({ length: Math.max(...threads.map((t) => t.length)) }, (_, i) =>
    threads.map((t) => t[i] ?? '').join(' | '),
  )
  return `${architecture} ${name}\n{ ${initial} }\n P0 | P1 ;\n${rows.map((row) => `${row} ;\n`).join('')}exists (${outcome})\n`
}

const named = (outcome: string, a: string, b: string): string =>
  outcome.replace(/(\d):a/g, `$1:${a}`).replace(/(\d):b/g, `$1:${b}`)

const armAccess = (pair: Pair, index: 0 | 1, load = 'LDR', store = 'STR'): string =>
  pair[index] === 'R' ? `${load} W${index},[X${10 + index}]` : `${store} W${8 + index},[X${10 + index}]`
const armFence = (mnemonic: string, orders: Way['orders']): Way => ({
  name: mnemonic,
  on: all,
  orders,
  lines: (pair) => [armAccess(pair, 0), mnemonic, armAccess(pair, 1)],
})
const armForms = (name: string, on: Way['on'], orders: Way['orders'], forms: readonly [string, string]): Way => ({
  ...{ name, on, orders },
  lines: (pair) => [armAccess(pair, 0, forms[0], forms[0]), armAccess(pair, 1, forms[1], forms[1])],
})
const armPlain = (pair: Pair, index: 0 | 1): string => (pair[index] === 'R' ? 'LDR' : 'STR')
const ARM: Architecture = {
  model: 'arm8',
  ways: [
    { name: 'po', on: all, orders: never, lines: (pair) => [armAccess(pair, 0), armAccess(pair, 1)] },
    ...['DMB SY', 'DMB ISH', 'DSB SY', 'DSB ISH', 'DMB OSH'].map((barrier) => armFence(barrier, all)),
    ...['DMB LD', 'DMB ISHLD', 'DSB LD'].map((barrier) => armFence(barrier, starts('R'))),
    ...['DMB ST', 'DMB ISHST', 'DSB ST'].map((barrier) => armFence(barrier, is('WW'))),
    armFence('ISB', never),
    ...['LDAR', 'LDAPR', 'LDAXR'].map((load) => ({
      name: `${load} first`,
      on: starts('R'),
      orders: all,
      lines: (pair: Pair) => [armAccess(pair, 0, load), armAccess(pair, 1)],
    })),
    {
      name: 'STLR second',
      on: ends('W'),
      orders: all,
      lines: (pair) => [armAccess(pair, 0), armAccess(pair, 1, '', 'STLR')],
    },
    {
      name: 'STLR first',
      on: starts('W'),
      orders: never,
      lines: (pair) => [armAccess(pair, 0, '', 'STLR'), armAccess(pair, 1)],
    },
    {
      name: 'LDAR second',
      on: ends('R'),
      orders: never,
      lines: (pair) => [armAccess(pair, 0), armAccess(pair, 1, 'LDAR')],
    },
    armForms('STLR LDAR', is('WR'), all, ['STLR', 'LDAR']),
    armForms('STLR LDAPR', is('WR'), never, ['STLR', 'LDAPR']),
    {
      name: 'addr',
      on: starts('R'),
      orders: all,
      lines: (pair) => [
        armAccess(pair, 0),
        'EOR X3,X0,X0',
        `${armPlain(pair, 1)} W${pair[1] === 'R' ? 1 : 9},[X11,X3]`,
      ],
    },
    {
      name: 'data',
      on: is('RW'),
      orders: all,
      lines: (pair) => [armAccess(pair, 0), 'EOR W3,W0,W0', 'ADD W9,W9,W3', armAccess(pair, 1)],
    },
    {
      name: 'ctrl',
      on: starts('R'),
      orders: ends('W'),
      lines: (pair) => [armAccess(pair, 0), 'CBNZ W0,L', 'L:', armAccess(pair, 1)],
    },
    {
      name: 'ctrlisb',
      on: starts('R'),
      orders: all,
      lines: (pair) => [armAccess(pair, 0), 'CMP W0,#0', 'B.NE L', 'L:', 'ISB', armAccess(pair, 1)],
    },
    {
      name: 'full swap',
      on: all,
      orders: all,
      lines: (pair) => [armAccess(pair, 0), 'SWPAL W12,W13,[X14]', armAccess(pair, 1)],
    },
    {
      name: 'acquire swap',
      on: all,
      orders: never,
      lines: (pair) => [armAccess(pair, 0), 'SWPA W12,W13,[X14]', armAccess(pair, 1)],
    },
    { name: 'swap as release', on: ends('W'), orders: all, lines: (pair) => [armAccess(pair, 0), 'SWPL W9,W13,[X11]'] },
    {
      name: 'LDADDL as release',
      on: ends('W'),
      orders: all,
      lines: (pair) => [armAccess(pair, 0), 'LDADDL W9,W13,[X11]'],
    },
  ], // prettier-ignore
  text: (name, shape, threads) =>
    table(
      'AArch64',
      name,
      [0, 1]
        .map(
          (t) =>
            `${t}:X10=${shape.at[t]![0]}; ${t}:X11=${shape.at[t]![1]}; ${t}:X14=z${t}; ${t}:X8=${shape.values[t]![0]}; ${t}:X9=${shape.values[t]![1]};`,
        )
        .join(' '),
      threads,
      named(shape.outcome, 'X0', 'X1'),
    ),
  isForbidden: bothOrdered,
}

const riscvAccess = (pair: Pair, index: 0 | 1, suffix = ''): string =>
  pair[index] === 'R' ? `lw${suffix} x${5 + index},0(x${10 + index})` : `sw${suffix} x${8 + index},0(x${10 + index})`
const riscvFence = (operands: string, orders: Way['orders']): Way => ({
  name: operands,
  on: all,
  orders,
  lines: (pair) => [riscvAccess(pair, 0), operands, riscvAccess(pair, 1)],
})
const RISCV: Architecture = {
  model: 'riscv',
  ways: [
    { name: 'po', on: all, orders: never, lines: (pair) => [riscvAccess(pair, 0), riscvAccess(pair, 1)] },
    ...['r', 'w', 'rw'].flatMap((before) =>
      ['r', 'w', 'rw'].map((after) =>
        riscvFence(
          `fence ${before},${after}`,
          (pair) => before.includes(pair[0]!.toLowerCase()) && after.includes(pair[1]!.toLowerCase()),
        ),
      ),
    ),
    riscvFence('fence', all),
    riscvFence('fence iorw,iorw', all),
    riscvFence('fence.tso', is('RR', 'RW', 'WW')),
    riscvFence('fence i,o', never),
    {
      name: 'aq first',
      on: starts('R'),
      orders: all,
      lines: (pair) => [riscvAccess(pair, 0, '.aq'), riscvAccess(pair, 1)],
    },
    { name: 'lr.aq first', on: starts('R'), orders: all, lines: (pair) => ['lr.w.aq x5,0(x10)', riscvAccess(pair, 1)] },
    { name: 'lr first', on: starts('R'), orders: never, lines: (pair) => ['lr.w x5,0(x10)', riscvAccess(pair, 1)] },
    {
      name: 'rl second',
      on: ends('W'),
      orders: all,
      lines: (pair) => [riscvAccess(pair, 0), riscvAccess(pair, 1, '.rl')],
    },
    {
      name: 'rl first',
      on: starts('W'),
      orders: never,
      lines: (pair) => [riscvAccess(pair, 0, '.rl'), riscvAccess(pair, 1)],
    },
    {
      name: 'amo.rl second',
      on: ends('W'),
      orders: all,
      lines: (pair) => [riscvAccess(pair, 0), 'amoswap.w.rl x12,x9,(x11)'],
    },
    {
      name: 'addr',
      on: starts('R'),
      orders: all,
      lines: (pair) => [riscvAccess(pair, 0), 'xor x13,x5,x5', 'add x11,x11,x13', riscvAccess(pair, 1)],
    },
    {
      name: 'data',
      on: is('RW'),
      orders: all,
      lines: (pair) => [riscvAccess(pair, 0), 'xor x13,x5,x5', 'or x9,x9,x13', riscvAccess(pair, 1)],
    },
    {
      name: 'ctrl',
      on: starts('R'),
      orders: ends('W'),
      lines: (pair) => [riscvAccess(pair, 0), 'bne x5,x0,L', 'L:', riscvAccess(pair, 1)],
    },
    {
      name: 'ctrlfence.i',
      on: starts('R'),
      orders: ends('W'),
      lines: (pair) => [riscvAccess(pair, 0), 'beq x5,x0,L', 'L:', 'fence.i', riscvAccess(pair, 1)],
    },
  ], // prettier-ignore
  text: (name, shape, threads) =>
    table(
      'RISCV',
      name,
      [0, 1]
        .map(
          (t) =>
            `${t}:x10=${shape.at[t]![0]}; ${t}:x11=${shape.at[t]![1]}; ${t}:x8=${shape.values[t]![0]}; ${t}:x9=${shape.values[t]![1]};`,
        )
        .join(' '),
      threads,
      named(shape.outcome, 'x5', 'x6'),
    ),
  isForbidden: bothOrdered,
}

const ppcAccess = (pair: Pair, index: 0 | 1): string =>
  pair[index] === 'R' ? `lwz r${5 + index},0(r${10 + index})` : `stw r${8 + index},0(r${10 + index})`
const ppcWay = (name: string, on: Way['on'], orders: Way['orders'], ...between: readonly string[]): Way => ({
  ...{ name, on, orders },
  lines: (pair) => [ppcAccess(pair, 0), ...between, ppcAccess(pair, 1)],
})
const PPC: Architecture = {
  model: 'power',
  ways: [
    ppcWay('po', all, never),
    ppcWay('sync', all, all, 'sync'),
    ppcWay('hwsync', all, all, 'hwsync'),
    ppcWay('lwsync', all, is('RR', 'RW', 'WW'), 'lwsync'),
    ppcWay('eieio', all, is('WW'), 'eieio'),
    ppcWay('isync', all, never, 'isync'),
    ppcWay('ctrl', starts('R'), ends('W'), 'cmpwi r5,0', 'beq L', 'L:'),
    ppcWay('ctrlisync', starts('R'), all, 'cmpw r5,r5', 'bne L', 'L:', 'isync'),
    ppcWay('data', is('RW'), all, 'xor r13,r5,r5', 'add r9,r9,r13'),
    {
      ...{ name: 'addr', on: starts('R'), orders: all },
      lines: (pair) => [ppcAccess(pair, 0), 'xor r13,r5,r5', pair[1] === 'R' ? 'lwzx r6,r13,r11' : 'stwx r9,r13,r11'],
    },
  ],
  text: (name, shape, threads) =>
    table(
      'PPC',
      name,
      [0, 1]
        .map(
          (t) =>
            `${t}:r10=${shape.at[t]![0]}; ${t}:r11=${shape.at[t]![1]}; ${t}:r8=${shape.values[t]![0]}; ${t}:r9=${shape.values[t]![1]};`,
        )
        .join(' '),
      threads,
      named(shape.outcome, 'r5', 'r6'),
    ),
  // Herding cats, section 6: only sync keeps a write before a later read, and lightweight barriers do not suffice for R.
  isForbidden: (shape, first, second, ways) =>
    shape === 'R' ? ways.every(({ name }) => name.endsWith('sync') && !/lw|is/.test(name)) : first && second,
}

const x86Access = (pair: Pair, index: 0 | 1, at: string, value: number): string =>
  pair[index] === 'R' ? `MOV ${index === 0 ? 'EAX' : 'EBX'},[${at}]` : `MOV [${at}],$${value}`
const x86Way = (name: string, orders: Way['orders'], ...between: readonly string[]): Way => ({
  ...{ name, on: all, orders },
  lines: () => between,
})
const notWR = is('RR', 'RW', 'WW')
const X86: Architecture = {
  model: 'tso',
  ways: [
    x86Way('po', notWR),
    x86Way('mfence', all, 'MFENCE'),
    x86Way('sfence', notWR, 'SFENCE'),
    x86Way('lfence', notWR, 'LFENCE'),
    x86Way('lock', all, 'LOCK INC [z]'),
    x86Way('xchg', all, 'XCHG [z],ECX'),
    x86Way('failing cmpxchg', all, 'MOV EDX,$7', 'LOCK CMPXCHG [z],EDX'),
    x86Way('unlocked', notWR, 'INC [z]'),
  ],
  // The ways have what is between; the accesses need their locations.
  text: (name, shape, threads) =>
    table(
      'X86',
      name,
      '0:EAX=9; 1:EAX=9; z=5;',
      threads.map((between, t) => [
        x86Access(shape.pairs[t]!, 0, shape.at[t]![0], shape.values[t]![0]),
        // What a failing compare-exchange finds would hide what the first access has read.
        ...(between.some((line) => line.includes('CMPXCHG')) ? ['MOV ESI,EAX'] : []),
        ...between,
        ...(between.some((line) => line.includes('CMPXCHG')) ? ['MOV EAX,ESI'] : []),
        x86Access(shape.pairs[t]!, 1, shape.at[t]![1], shape.values[t]![1]),
      ]),
      named(shape.outcome, 'EAX', 'EBX'),
    ),
  isForbidden: bothOrdered,
}

/** Functions of C: LOCATION1 and LOCATION2, VALUE1 and VALUE2 are replaced. */
const cText = (name: string, shape: Shape, threads: readonly (readonly string[])[], type: string): string =>
  `C ${name}\n{}\n${threads
    .map(
      (lines, t) =>
        `P${t}(${type} *x, ${type} *y, ${type} *z${t}) {\n  int a; int b; int r;\n  ${lines
          .join('\n  ')
          .replace(/LOCATION([12])/g, (_, i) => shape.at[t]![Number(i) - 1]!)
          .replace(/VALUE([12])/g, (_, i) => String(shape.values[t]![Number(i) - 1]))
          .replace(/SCRATCH/g, `z${t}`)}\n}\n`,
    )
    .join('')}exists (${shape.outcome})\n`

const kernelAccess = (pair: Pair, index: 0 | 1): string => {
  const at = `LOCATION${index + 1}`
  return pair[index] === 'R'
    ? `${index === 0 ? 'a' : 'b'} = READ_ONCE(*${at});`
    : `WRITE_ONCE(*${at}, VALUE${index + 1});`
}
const kernelWay = (name: string, on: Way['on'], orders: Way['orders'], ...between: readonly string[]): Way => ({
  ...{ name, on, orders },
  lines: (pair) => [kernelAccess(pair, 0), ...between, kernelAccess(pair, 1)],
})
const STRONG = new Set([
  'smp_mb',
  'synchronize_rcu',
  'xchg',
  'xchg first',
  'smp_store_mb first',
  'after atomic',
  'before atomic',
])
const KERNEL: Architecture = {
  model: 'lkmm',
  ways: [
    kernelWay('po', all, never),
    kernelWay('barrier', all, never, 'barrier();'),
    kernelWay('smp_mb', all, all, 'smp_mb();'),
    kernelWay('smp_wmb', all, is('WW'), 'smp_wmb();'),
    kernelWay('smp_rmb', all, is('RR'), 'smp_rmb();'),
    kernelWay('synchronize_rcu', all, all, 'synchronize_rcu();'),
    kernelWay('rcu_read_lock', all, never, 'rcu_read_lock();', 'rcu_read_unlock();'),
    kernelWay('xchg', all, all, 'r = xchg(SCRATCH, 1);'),
    kernelWay('xchg_relaxed', all, never, 'r = xchg_relaxed(SCRATCH, 1);'),
    kernelWay('failing cmpxchg', all, never, 'r = cmpxchg(SCRATCH, 7, 1);'),
    kernelWay('after atomic', all, all, 'atomic_inc(SCRATCH);', 'smp_mb__after_atomic();'),
    kernelWay('before atomic', all, all, 'smp_mb__before_atomic();', 'atomic_inc(SCRATCH);'),
    {
      name: 'xchg first',
      on: starts('W'),
      orders: all,
      lines: (pair) => ['r = xchg(LOCATION1, VALUE1);', kernelAccess(pair, 1)],
    },
    {
      name: 'smp_store_mb first',
      on: starts('W'),
      orders: all,
      lines: (pair) => ['smp_store_mb(*LOCATION1, VALUE1);', kernelAccess(pair, 1)],
    },
    {
      name: 'acquire first',
      on: starts('R'),
      orders: all,
      lines: (pair) => ['a = smp_load_acquire(LOCATION1);', kernelAccess(pair, 1)],
    },
    {
      name: 'release second',
      on: ends('W'),
      orders: all,
      lines: (pair) => [kernelAccess(pair, 0), 'smp_store_release(LOCATION2, VALUE2);'],
    },
    {
      name: 'rcu_assign_pointer',
      on: ends('W'),
      orders: all,
      lines: (pair) => [kernelAccess(pair, 0), 'rcu_assign_pointer(*LOCATION2, VALUE2);'],
    },
    {
      name: 'xchg_release second',
      on: ends('W'),
      orders: all,
      lines: (pair) => [kernelAccess(pair, 0), 'r = xchg_release(LOCATION2, VALUE2);'],
    },
    {
      name: 'addr',
      on: starts('R'),
      orders: all,
      lines: (pair) => [
        kernelAccess(pair, 0),
        pair[1] === 'R' ? 'b = READ_ONCE(*(LOCATION2 + (a ^ a)));' : 'WRITE_ONCE(*(LOCATION2 + (a ^ a)), VALUE2);',
      ],
    },
    {
      name: 'data',
      on: is('RW'),
      orders: all,
      lines: (pair) => [kernelAccess(pair, 0), 'WRITE_ONCE(*LOCATION2, VALUE2 + (a ^ a));'],
    },
    {
      name: 'ctrl',
      on: starts('R'),
      orders: ends('W'),
      lines: (pair) => [kernelAccess(pair, 0), `if (a == 1) { ${kernelAccess(pair, 1)} }`],
    },
  ], // prettier-ignore
  text: (name, shape, threads) => cText(name, shape, threads, 'int'),
  // explanation.txt: pb needs a strong fence for each link that is not a reads-from.
  isForbidden: (shape, first, second, ways) => {
    const [one, two] = ways.map(({ name }) => name)
    // A grace period against a critical section: either all of one is over before the other, or the other way round.
    if ([one, two].sort().join() === 'rcu_read_lock,synchronize_rcu') return true
    if (!['SB', 'R', '2+2W'].includes(shape)) return first && second
    // An exchange that comes last in coherence reads what it overwrites: one link is a reads-from.
    if (shape !== 'SB' && two === 'xchg first') return first
    if (shape === '2+2W' && one === 'xchg first') return second
    return ways.every(({ name }) => STRONG.has(name))
  },
}

const c11Access = (pair: Pair, index: 0 | 1, order: string): string => {
  const at = `LOCATION${index + 1}`
  return pair[index] === 'R'
    ? `${index === 0 ? 'a' : 'b'} = atomic_load_explicit(${at}, memory_order_${order});`
    : `atomic_store_explicit(${at}, VALUE${index + 1}, memory_order_${order});`
}
const c11Way = (name: string, on: Way['on'], orders: Way['orders'], one: string, two: string, fence?: string): Way => ({
  ...{ name, on, orders },
  lines: (pair) => [
    c11Access(pair, 0, one),
    ...(fence ? [`atomic_thread_fence(memory_order_${fence});`] : []),
    c11Access(pair, 1, two),
  ],
})
/** `orders`: whether the pair of writes releases, or the pair that starts with a read acquires. */
const C11: Architecture = {
  model: 'rc11',
  ways: [
    c11Way('relaxed', all, never, 'relaxed', 'relaxed'),
    c11Way('release store second', ends('W'), starts('W'), 'relaxed', 'release'),
    c11Way('acquire load first', starts('R'), all, 'acquire', 'relaxed'),
    c11Way('consume load first', starts('R'), all, 'consume', 'relaxed'),
    c11Way('release fence', all, starts('W'), 'relaxed', 'relaxed', 'release'),
    c11Way('acquire fence', all, starts('R'), 'relaxed', 'relaxed', 'acquire'),
    c11Way('acq_rel fence', all, all, 'relaxed', 'relaxed', 'acq_rel'),
    c11Way('seq_cst fence', all, all, 'relaxed', 'relaxed', 'seq_cst'),
  ],
  text: (name, shape, threads) => cText(name, shape, threads, 'atomic_int'),
  // Load buffering contradicts "no thin air"; without seq_cst nothing forbids SB, R and 2+2W.
  isForbidden: (shape, first, second, ways) =>
    shape === 'LB' ||
    (['SB', 'R', '2+2W'].includes(shape) ? ways.every(({ name }) => name.startsWith('seq_cst')) : first && second),
}

const differences = ({ model: name, ways, text, isForbidden }: Architecture): readonly string[] => {
  const model = builtInModel(name)
  let count = 0
  const found = Object.entries(SHAPES).flatMap(([shapeName, shape]) => {
    const [first, second] = shape.pairs.map((pair) => ways.filter(({ on }) => on(pair))) as [Way[], Way[]]
    return first.flatMap((one, i) =>
      second.flatMap((two, j) => {
        // All with the first two ways; of the others a fifth is enough to see each way often.
        if (i > 1 && j > 1 && (i + j) % 5 !== 0) return []
        count++
        const test = text(shapeName, shape, [one.lines(shape.pairs[0]), two.lines(shape.pairs[1])])
        const parsed = parseLitmus(test)
        if (parsed.kind === 'wrong') return [`${parsed.error.message}\n${test}`]
        const answer = decideLitmus(parsed.test, model, { expired: () => false, maxCounted: 0, explain: false })
        if (answer.kind === 'unknown') return [`${answer.reason}\n${test}`]
        const forbidden = isForbidden(shapeName, one.orders(shape.pairs[0]), two.orders(shape.pairs[1]), [one, two])
        return answer.allowed === !forbidden ? [] : [`${shapeName}+${one.name}+${two.name}: allowed ${answer.allowed}`]
      }),
    )
  })
  expect(count).toBeGreaterThan(100)
  return found
}

describe('critical cycles of two threads', () => {
  it.each([
    ['AArch64', ARM],
    ['RISC-V', RISCV],
    ['Power', PPC],
    ['x86', X86],
    ['the Linux kernel', KERNEL],
    ['C11', C11],
  ])('%s', (_, architecture) => {
    expect(differences(architecture)).toEqual([])
  })
})
