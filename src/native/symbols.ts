// The symbol table of an ELF file: names and sizes of the program's objects and functions. What is local to the runtime that is
// linked to it is left out: a variable of the program may have the same name.

export interface ElfSymbol {
  readonly name: string
  readonly address: number
  readonly size: number
  readonly kind: 'object' | 'function'
}

const SYMTAB = 2
const FILE = 4
const RUNTIME = 'heddle-runtime.c'
const KINDS: Readonly<Record<number, ElfSymbol['kind']>> = { 1: 'object', 2: 'function' }

export const symbolsOf = (elf: Uint8Array): readonly ElfSymbol[] => {
  const v = new DataView(elf.buffer, elf.byteOffset, elf.byteLength)
  if (v.getUint32(0, false) !== 0x7f454c46) return []
  const wide = elf[4] === 2
  const word = (at: number): number => (wide ? Number(v.getBigUint64(at, true)) : v.getUint32(at, true))
  const start = word(wide ? 40 : 32)
  const [entryBytes, count] = wide
    ? [v.getUint16(58, true), v.getUint16(60, true)]
    : [v.getUint16(46, true), v.getUint16(48, true)]
  const section = (index: number) => {
    const at = start + index * entryBytes
    return wide
      ? {
          type: v.getUint32(at + 4, true),
          offset: word(at + 24),
          size: word(at + 32),
          link: v.getUint32(at + 40, true),
        }
      : {
          type: v.getUint32(at + 4, true),
          offset: word(at + 16),
          size: word(at + 20),
          link: v.getUint32(at + 24, true),
        }
  }
  const symbols: ElfSymbol[] = []
  for (let i = 0; i < count; i++) {
    const table = section(i)
    if (table.type !== SYMTAB) continue
    const strings = section(table.link).offset
    const bytes = wide ? 24 : 16
    /** Local symbols come after the name of their file. */
    let isOfRuntime = false
    for (let at = table.offset; at < table.offset + table.size; at += bytes) {
      const info = v.getUint8(at + (wide ? 4 : 12))
      if ((info & 15) === FILE) isOfRuntime = textAt(elf, strings + v.getUint32(at, true)) === RUNTIME
      const kind = KINDS[info & 15]
      const isLocal = info >> 4 === 0
      if (!kind || (isLocal && isOfRuntime) || v.getUint16(at + (wide ? 6 : 14), true) === 0) continue
      const address = word(at + (wide ? 8 : 4))
      const size = word(at + (wide ? 16 : 8))
      symbols.push({ name: textAt(elf, strings + v.getUint32(at, true)), address, size, kind })
    }
  }
  return symbols
}

const textAt = (bytes: Uint8Array, at: number): string =>
  new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)))

/** The lock inside of libstdc++'s std::atomic<std::shared_ptr>, which after a load is let go with a relaxed order. */
const RELAXED_UNLOCK = /_Sp_atomic.*_Atomic_count.*unlock/

/** Where libstdc++'s semaphores wait: those of GCC 11 to 13 may sleep though they are free (GCC's PR 104928). */
const SEMAPHORE_WAIT = /^_ZNSt18counting_semaphore.*acquire/

/** HEDDLE_FUNCTIONS of runtime/verifier.c: the error function, assumptions that abort, functions that are atomic by their name,
 * functions whose atomic accesses order more than they say, functions that wait for a number above zero. */
export const functionsFor = (symbols: readonly ElfSymbol[]): string => {
  const anchor = symbols.find(({ name }) => name === '__tsan_init')
  const told = symbols.flatMap(({ name, address, size, kind }) => {
    if (kind !== 'function') return []
    const place = `${address.toString(16)} ${size.toString(16)}`
    if (name === 'reach_error' && size >= 5) return [` e${place}`]
    if (/^assume/.test(name)) return [` s${place}`]
    if (RELAXED_UNLOCK.test(name)) return [` o${place}`]
    if (SEMAPHORE_WAIT.test(name)) return [` w${place}`]
    return /^__VERIFIER_atomic_(?!begin$|end$)/.test(name) ? [` a${place}`] : []
  })
  return anchor ? `${anchor.address.toString(16)}${told.join('')}` : ''
}

/** The same with the addresses that they have in a run, where the anchor's is known. */
export const symbolsBySlide = (anchor: number, symbols: readonly ElfSymbol[]): readonly ElfSymbol[] => {
  const own = symbols.find(({ name }) => name === '__tsan_init')
  const slide = own ? anchor - own.address : 0
  return slide === 0 ? symbols : symbols.map((s) => ({ ...s, address: s.address + slide }))
}
