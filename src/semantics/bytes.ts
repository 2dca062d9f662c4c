// Bytes that are never changed in place: a change copies the page that it is on, so that a large array costs no more than
// what is written of it.

export interface Bytes {
  readonly length: number
  /** Of PAGE bytes each, the last one perhaps shorter. */
  readonly pages: readonly Uint8Array[]
}

const PAGE = 512

/** All of them zero. */
export const bytesOf = (length: number): Bytes => {
  const pages: Uint8Array[] = []
  for (let at = 0; at < length; at += PAGE) pages.push(new Uint8Array(Math.min(PAGE, length - at)))
  return { length, pages }
}

export const byteAt = ({ pages }: Bytes, index: number): number => pages[index >> 9]![index & (PAGE - 1)]!

/** `size` bytes from `offset` on become those that `byte` gives, counted from 0. */
export const withBytes = (bytes: Bytes, offset: number, size: number, byte: (i: number) => number): Bytes => {
  const pages = bytes.pages.slice()
  for (let i = 0; i < size; ) {
    const number = (offset + i) >> 9
    const page = bytes.pages[number]!.slice()
    for (let at = (offset + i) & (PAGE - 1); at < page.length && i < size; at++, i++) page[at] = byte(i)
    pages[number] = page
  }
  return { length: bytes.length, pages }
}
