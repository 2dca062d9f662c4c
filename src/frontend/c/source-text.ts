// Source files as text. C's source character set is bytes: what is no UTF-8 keeps its byte, as a code unit that no text
// has (a lone surrogate, U+DC80 to U+DCFF), and string literals turn it into that byte again.

const ESCAPE = 0xdc00

export const decodeSource = (bytes: Uint8Array): string => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (!text.includes('\ufffd')) return text
  let decoded = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    if (length === 0) decoded += String.fromCharCode(ESCAPE + bytes[at++]!)
    else {
      decoded += new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, at + length))
      at += length
    }
  }
  return decoded
}

/** Bytes of the UTF-8 sequence that begins here; 0: none does. */
const sequenceLength = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at]!
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  for (let i = 1; i < length; i++) if ((bytes[at + i] ?? 0) >> 6 !== 2) return 0
  return length
}

/** The byte that a code unit stands for; undefined: it is a character. */
export const rawByte = (code: number): number | undefined =>
  code >= ESCAPE + 0x80 && code <= ESCAPE + 0xff ? code - ESCAPE : undefined
