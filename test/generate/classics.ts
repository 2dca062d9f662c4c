// The classic litmus tests, written in each dialect: a shape is a list of threads, each a list of accesses, with the
// outcome that a sequentially consistent machine never shows.
import type { ModelName } from '../../src/memory-model/index.js'

type Access = readonly ['W', string, number] | readonly ['R', string, number]

interface Shape {
  readonly threads: readonly (readonly Access[])[]
  /** Final values of locations; those of reads are in the accesses. */
  readonly final?: Readonly<Record<string, number>>
}

const w = (location: string, value = 1): Access => ['W', location, value]
const r = (location: string, value: number): Access => ['R', location, value]

const SHAPES: Readonly<Record<string, Shape>> = {
  SB: {
    threads: [
      [w('x'), r('y', 0)],
      [w('y'), r('x', 0)],
    ],
  },
  MP: {
    threads: [
      [w('x'), w('y')],
      [r('y', 1), r('x', 0)],
    ],
  },
  LB: {
    threads: [
      [r('x', 1), w('y')],
      [r('y', 1), w('x')],
    ],
  },
  IRIW: { threads: [[w('x')], [w('y')], [r('x', 1), r('y', 0)], [r('y', 1), r('x', 0)]] },
  WRC: { threads: [[w('x')], [r('x', 1), w('y')], [r('y', 1), r('x', 0)]] },
  '2+2W': {
    threads: [
      [w('x', 1), w('y', 2)],
      [w('y', 1), w('x', 2)],
    ],
    final: { x: 1, y: 1 },
  },
  R: {
    threads: [
      [w('x', 1), w('y', 1)],
      [w('y', 2), r('x', 0)],
    ],
    final: { y: 2 },
  },
  S: {
    threads: [
      [w('x', 2), w('y', 1)],
      [r('y', 1), w('x', 1)],
    ],
    final: { x: 2 },
  },
  ISA2: {
    threads: [
      [w('x'), w('y')],
      [r('y', 1), w('z')],
      [r('z', 1), r('x', 0)],
    ],
  },
  CoRR: { threads: [[w('x')], [r('x', 1), r('x', 0)]] },
  CoWW: { threads: [[w('x', 1), w('x', 2)]], final: { x: 1 } },
} // prettier-ignore

/**
 * What stands between a thread's two accesses: nothing, a full fence, release and acquire (on Power lwsync), or a
 * dependency after a read (data into a write, addr into a read, or ctrl); threads that start with a write then have a
 * full fence.
 */
const VARIANTS = ['po', 'fence', 'rel-acq', 'fence+addr/data', 'fence+ctrl'] as const
export type Variant = (typeof VARIANTS)[number]

type Dialect = 'C' | 'LKMM' | 'AArch64' | 'PPC' | 'RISCV'

export const dialectOf = (model: ModelName): Dialect =>
  model === 'lkmm'
    ? 'LKMM'
    : model === 'arm8'
      ? 'AArch64'
      : model === 'power'
        ? 'PPC'
        : model === 'riscv'
          ? 'RISCV'
          : 'C'

type Link = 'po' | 'fence' | 'rel-acq' | 'dep' | 'ctrl'

const linkOf = (variant: Variant, first: Access): Link => {
  if (variant === 'fence+addr/data') return first[0] === 'R' ? 'dep' : 'fence'
  if (variant === 'fence+ctrl') return first[0] === 'R' ? 'ctrl' : 'fence'
  return variant
}

export const classic = (name: string, variant: Variant, dialect: Dialect): string => {
  const shape = SHAPES[name]!
  const locations = [...new Set(shape.threads.flat().map(([, location]) => location))]
  const conditions: string[] = Object.entries(shape.final ?? {}).map(([location, value]) => `${location}=${value}`)
  const programs = shape.threads.map((accesses, thread) => {
    accesses.forEach(([kind, , value], i) => {
      if (kind === 'R') conditions.push(`${thread}:${registerOf(dialect, i)}=${value}`)
    })
    return accesses
  })
  const exists = `exists (${conditions.join(' /\\ ')})`
  if (dialect === 'C' || dialect === 'LKMM') {
    const threads = programs.map((accesses, thread) => {
      const parameters = locations.map((l) => (dialect === 'C' ? `atomic_int *${l}` : `int *${l}`)).join(', ')
      return `P${thread}(${parameters}) {\n  int r0; int r1;\n${cLines(accesses, variant, dialect)
        .map((line) => `  ${line}\n`)
        .join('')}}`
    })
    return `C ${name}\n{}\n${threads.join('\n')}\n${exists}\n`
  }
  const columns = programs.map((accesses) => assembly(accesses, variant, dialect, locations))
  const height = Math.max(...columns.map((column) => column.length))
  const rows = Array.from({ length: height }, (_, i) => ` ${columns.map((column) => column[i] ?? '').join(' | ')} ;`)
  const initial = programs
    .map((_, thread) => locations.map((l, i) => `${thread}:${addressOf(dialect, i)}=${l};`).join(' '))
    .join('\n')
  return `${dialect} ${name}\n{\n${initial}\n}\n ${programs.map((_, t) => `P${t}`).join(' | ')} ;\n${rows.join('\n')}\n${exists}\n`
}

const registerOf = (dialect: Dialect, access: number): string =>
  dialect === 'AArch64'
    ? `X${access}`
    : dialect === 'PPC'
      ? `r${access + 1}`
      : dialect === 'RISCV'
        ? `x${access + 5}`
        : `r${access}`
const addressOf = (dialect: Dialect, location: number): string =>
  dialect === 'AArch64' ? `X${location + 10}` : dialect === 'PPC' ? `r${location + 10}` : `x${location + 10}`

const cLines = (accesses: readonly Access[], variant: Variant, dialect: 'C' | 'LKMM'): readonly string[] => {
  const lines: string[] = []
  const link = linkOf(variant, accesses[0]!)
  accesses.forEach(([kind, location, value], i) => {
    const isSecond = i === 1
    const sync = link === 'rel-acq'
    if (isSecond && link === 'fence')
      lines.push(dialect === 'C' ? 'atomic_thread_fence(memory_order_seq_cst);' : 'smp_mb();')
    const place = isSecond && link === 'dep' && kind === 'R' ? `(${location} + (r0 ^ r0))` : location
    const data = isSecond && link === 'dep' ? `${value} + (r0 ^ r0)` : String(value)
    const release = sync && kind === 'W' && isSecond
    const acquire = sync && kind === 'R' && !isSecond
    const text =
      dialect === 'C'
        ? kind === 'W'
          ? `atomic_store_explicit(${place}, ${data}, memory_order_${release || (sync && accesses.length === 1) ? 'release' : 'relaxed'});`
          : `r${i} = atomic_load_explicit(${place}, memory_order_${acquire ? 'acquire' : 'relaxed'});`
        : kind === 'W'
          ? release
            ? `smp_store_release(${place}, ${data});`
            : `WRITE_ONCE(*${place}, ${data});`
          : `r${i} = ${acquire ? `smp_load_acquire(${place})` : `READ_ONCE(*${place})`};`
    // Both arms are written, so that the second access takes place whatever was read.
    lines.push(isSecond && link === 'ctrl' ? `if (r0 == 1) { ${text} }` : text)
  })
  return lines
}

const assembly = (
  accesses: readonly Access[],
  variant: Variant,
  dialect: 'AArch64' | 'PPC' | 'RISCV',
  locations: readonly string[],
): readonly string[] => {
  const lines: string[] = []
  const link = linkOf(variant, accesses[0]!)
  accesses.forEach(([kind, location, value], i) => {
    const isSecond = i === 1
    const to = registerOf(dialect, i)
    const from = registerOf(dialect, 0)
    const address = addressOf(dialect, locations.indexOf(location))
    const dep = isSecond && link === 'dep'
    const release = link === 'rel-acq' && kind === 'W' && (isSecond || accesses.length === 1)
    const acquire = link === 'rel-acq' && kind === 'R' && !isSecond
    if (isSecond && link === 'ctrl')
      lines.push(
        ...(dialect === 'AArch64'
          ? [`CBNZ ${from},L`, 'L:']
          : dialect === 'PPC'
            ? [`cmpw ${from},${from}`, 'beq L', 'L:']
            : [`bne ${from},x0,L`, 'L:']),
      )
    if (dialect === 'AArch64') {
      if (isSecond && link === 'fence') lines.push('DMB SY')
      if (kind === 'W') {
        lines.push(`MOV W8,#${value}`)
        if (dep) lines.push(`EOR W9,W0,W0`, 'ADD W8,W8,W9')
        lines.push(`${release ? 'STLR' : 'STR'} W8,[${address}]`)
      } else if (dep) lines.push('EOR W9,W0,W0', `LDR W${i},[${address},W9,SXTW]`)
      else lines.push(`${acquire ? 'LDAR' : 'LDR'} W${i},[${address}]`)
    } else if (dialect === 'PPC') {
      if (isSecond && (link === 'fence' || link === 'rel-acq')) lines.push(link === 'fence' ? 'sync' : 'lwsync')
      if (kind === 'W') {
        lines.push(`li r8,${value}`)
        if (dep) lines.push(`xor r9,${from},${from}`, 'add r8,r8,r9')
        lines.push(`stw r8,0(${address})`)
      } else if (dep) lines.push(`xor r9,${from},${from}`, `lwzx ${to},r9,${address}`)
      else lines.push(`lwz ${to},0(${address})`)
    } else {
      if (isSecond && link === 'fence') lines.push('fence rw,rw')
      if (kind === 'W') {
        lines.push(`ori x8,x0,${value}`)
        if (dep) lines.push(`xor x9,${from},${from}`, 'add x8,x8,x9')
        lines.push(`sw${release ? '.rl' : ''} x8,0(${address})`)
      } else if (dep) lines.push(`xor x9,${from},${from}`, `add x9,x9,${address}`, `lw ${to},0(x9)`)
      else lines.push(`lw${acquire ? '.aq' : ''} ${to},0(${address})`)
    }
  })
  return lines
}
