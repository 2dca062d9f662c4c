// The preprocessed text as it grows, and the origin of each token in it.

import { Packing } from './packing.js'
import type { Preprocessed } from './preprocessed.js'
import { lastAtMost, type Source } from './source.js'
import type { Token } from './token.js'

/** Two tokens that would read as one, or as a comment, if nothing stood between them. */
const wouldJoin = (left: string, right: string): boolean =>
  /[\w$\u0080-\uffff]$/.test(left)
    ? /^[\w$."'\u0080-\uffff]/.test(right)
    : /[-+*/%&|^!<>=.#:]$/.test(left) && /^[-+*/%&|<>=.#:\d]/.test(right)

export class Output {
  private readonly pieces: string[] = []
  private length = 0
  private readonly starts: number[] = []
  private readonly sources: Source[] = []
  private readonly offsets: number[] = []
  private readonly written: boolean[] = []
  private last: Token | undefined

  private readonly packing = new Packing()

  /** #pragma pack from here on; false if its arguments make no sense. */
  pack(args: string): boolean {
    return this.packing.change(this.length, args)
  }

  /** Characters so far. */
  get size(): number {
    return this.length
  }

  add(token: Token): void {
    const { last } = this
    if (token.first) this.append('\n')
    else if (token.space) this.append(' ')
    else if (last && !(last.written && token.written && adjacent(last, token)) && wouldJoin(last.text, token.text))
      this.append(' ')
    this.starts.push(this.length)
    this.sources.push(token.source)
    this.offsets.push(token.offset)
    this.written.push(token.written)
    this.append(token.text)
    this.last = token
  }

  private append(text: string): void {
    this.pieces.push(text)
    this.length += text.length
  }

  finish(file: string): Preprocessed {
    const { starts, sources, offsets, written } = this
    const text = `${this.pieces.join('')}\n`
    const position: Preprocessed['position'] = (offset) => {
      const index = Math.max(0, lastAtMost(starts, offset))
      const source = sources[index]
      if (!source) return { file, line: 1, column: 1 }
      const inside = written[index] ? Math.max(0, offset - starts[index]!) : 0
      return source.position(offsets[index]! + inside)
    }
    return { file, text, position, packs: this.packing.packs }
  }
}

const adjacent = (left: Token, right: Token): boolean =>
  left.source === right.source && left.offset + left.text.length === right.offset
