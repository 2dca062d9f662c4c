// Writes the changed fields of a record, each word once.
import { encodeCode, replaceWord, type StateName, wideParts } from './cells.js'
import type { Generator } from './generator.js'
import type { Cells } from './layout.js'

/** A field and its new value; absent: all bits zero, for what is not live. */
export interface Part {
  readonly cells: Cells
  readonly value: string | undefined
}

/** Statements that write fields, each word once. */
export const flushCode = (
  parts: readonly Part[],
  state: StateName,
  hash: string,
  { helpers }: Generator,
): readonly string[] => {
  const words = new Map<number, { mask: number; readonly bits: string[] }>()
  const change = (word: number, mask: number, bits: string | undefined): void => {
    let entry = words.get(word)
    if (!entry) words.set(word, (entry = { mask: 0, bits: [] }))
    entry.mask |= mask
    if (bits !== undefined) entry.bits.push(bits)
  }
  for (const { cells, value } of parts) {
    if (cells.domain.kind === 'wide') {
      const [low, high] = wideParts(helpers, cells.domain.as)
      change(cells.word, -1, value && `${low}(${value})`)
      change(cells.word + 1, -1, value && `${high}(${value})`)
    } else if (cells.bits > 0) {
      const mask = cells.bits === 32 ? -1 : ((1 << cells.bits) - 1) << cells.shift
      change(cells.word, mask, value && encodeCode(cells, value, `${cells.shift}`, helpers))
    }
  }
  return [...words].map(([word, { mask, bits }]) => {
    const kept = mask === -1 ? [] : [`(x & ${~mask})`]
    return replaceWord(state, `${word}`, [...kept, ...bits].join(' | ') || '0', hash)
  })
}
