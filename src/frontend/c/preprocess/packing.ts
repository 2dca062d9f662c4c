// #pragma pack: the greatest alignment of members, from a place in the text on (gcc's documentation, "Structure-Layout
// Pragmas").

export interface Pack {
  /** From this offset of the preprocessed text on. */
  readonly offset: number
  /** In bytes; undefined: as without the pragma. */
  readonly align: number | undefined
}

interface Saved {
  readonly name: string | undefined
  readonly align: number | undefined
}

export class Packing {
  readonly packs: Pack[] = []
  private current: number | undefined
  private readonly stack: Saved[] = []

  /** `args` with its parentheses: "(push, 1)". False: not understood. */
  change(offset: number, args: string): boolean {
    const match = /^\s*\((.*)\)\s*$/.exec(args)
    if (!match) return false
    const words = match[1]!
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '')
    const number = words.at(-1)
    const align = number !== undefined && /^\d+$/.test(number) ? Number(number) : undefined
    if (align !== undefined && ![0, 1, 2, 4, 8, 16].includes(align)) return false
    const [first, name] = words
    if (first === undefined) this.current = undefined
    else if (first === 'push') {
      this.stack.push({
        name: name && name !== number ? name : words.length === 3 ? name : undefined,
        align: this.current,
      })
      if (align !== undefined) this.current = align === 0 ? undefined : align
    } else if (first === 'pop') this.pop(name !== number || align === undefined ? name : undefined, align)
    else if (align !== undefined && words.length === 1) this.current = align === 0 ? undefined : align
    else return false
    this.packs.push({ offset, align: this.current })
    return true
  }

  private pop(name: string | undefined, align: number | undefined): void {
    let saved = this.stack.pop()
    while (name !== undefined && saved && saved.name !== name) saved = this.stack.pop()
    this.current = align ?? saved?.align
  }
}
