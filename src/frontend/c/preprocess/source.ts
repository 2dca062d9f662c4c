// A source text with its lines: from an offset to the position that a person sees.
import type { Position } from '../../../xcfa/index.js'

/** #line, or a line marker: the line that begins at `offset` counts as this line of this file. */
interface LineMarker {
  readonly offset: number
  readonly file: string
  readonly line: number
}

/** One file while it is read. Line markers are added in order of their offsets. */
export class Source {
  private readonly lineStarts: number[] = [0]
  private readonly markers: LineMarker[] = []

  constructor(
    readonly file: string,
    text: string,
  ) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.lineStarts.push(at + 1)
  }

  /**
   * The line after the one that holds `offset` is line `line` of `file`. A name in angle brackets is the library's: what
   * a compiler read as `<stdin>` is the program's.
   */
  mark(offset: number, line: number, file: string | undefined): void {
    const next = this.lineStarts[lastAtMost(this.lineStarts, offset) + 1]
    // A file that is included again has its markers already.
    if (next === undefined || next <= (this.markers.at(-1)?.offset ?? -1)) return
    this.markers.push({ offset: next, line, file: file?.replace(/^<(.*)>$/, '$1') ?? this.position(offset).file })
  }

  position(offset: number): Position {
    const line = lastAtMost(this.lineStarts, offset)
    const column = offset - this.lineStarts[line]! + 1
    const marker = this.markers[lastMarkerAtMost(this.markers, offset)]
    if (!marker) return { file: this.file, line: line + 1, column }
    return { file: marker.file, line: marker.line + line - lastAtMost(this.lineStarts, marker.offset), column }
  }
}

/** The index of the last element that is at most `value`, -1 if there is none. */
export const lastAtMost = (sorted: ArrayLike<number>, value: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

const lastMarkerAtMost = (markers: readonly LineMarker[], offset: number): number => {
  let low = 0
  let high = markers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (markers[middle]!.offset <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}
