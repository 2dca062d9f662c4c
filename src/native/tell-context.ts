// What telling an execution needs to know of the program.
import type { Finding } from './campaign.js'
import type { RunAnswer } from './events.js'
import type { ElfSymbol } from './symbols.js'

export interface Place {
  readonly file: string
  readonly line: number
  readonly function: string
}

export interface TellContext {
  readonly finding: Finding
  readonly answer: RunAnswer
  readonly symbols: readonly ElfSymbol[]
  /** Where a code address lies in the program's text. */
  readonly place: (pc: number) => Place | undefined
  readonly source: (file: string, line: number) => string | undefined
  readonly replays: number
  /** A byte of a global object as C names it, where the front end can read the program. */
  readonly member?: ((name: string, size: number, offset: number) => string | undefined) | undefined
}
