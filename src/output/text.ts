// Text for people: wrapping at words, and colours. A width of Infinity, which pipes and logs have, leaves every line as
// long as it is, so that nothing that a program reads is broken in two.

/**
 * Lines of at most `width` characters, broken at spaces. Only a word that is longer than a line is broken inside, after a
 * character that is no letter if there is one.
 */
export const wrapWords = (text: string, width: number): readonly string[] => {
  if (text.length <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/ +/)) {
    if (line !== '' && line.length + 1 + word.length <= width) {
      line += ` ${word}`
      continue
    }
    const room = width - line.length - 1
    const piece = line !== '' && word.length > width && room >= MIN_PIECE ? pieceOf(word, room) : undefined
    if (piece !== undefined) line += ` ${word.slice(0, piece)}`
    let rest = word.slice(piece ?? 0)
    if (line !== '') lines.push(line)
    while (rest.length > width) {
      const length = pieceOf(rest, width) ?? width
      lines.push(rest.slice(0, length))
      rest = rest.slice(length)
    }
    line = rest
  }
  return line === '' ? lines : [...lines, line]
}

/** A shorter piece of a word is not worth a line that begins with it. */
const MIN_PIECE = 6

/** How many characters of a long word go on a line of this width, where it can be broken well. */
const pieceOf = (word: string, width: number): number | undefined => {
  for (let at = width; at > width / 3; at--)
    if (/[^A-Za-z0-9]/.test(word[at - 1]!) && /[\w&]/.test(word[at] ?? '')) return at
  return undefined
}

/** A paragraph whose lines all begin with `indent`. */
export const paragraph = (text: string, width: number, indent = '  '): readonly string[] =>
  wrapWords(text, Math.max(20, width - indent.length)).map((line) => indent + line)

type Paint = (text: string) => string

export interface Painter {
  readonly good: Paint
  readonly bad: Paint
  readonly warn: Paint
  readonly faint: Paint
}

export const painter = (colour: boolean): Painter => {
  const wrap = (code: number): Paint => (colour ? (text) => `\u001b[${code}m${text}\u001b[0m` : (text) => text)
  return { good: wrap(32), bad: wrap(31), warn: wrap(33), faint: wrap(2) }
}

/** `1,234,567.5`. What the language offers for it loads the tables of all languages: longer than most runs take. */
export const thousands = (value: number): string => {
  const [whole, fraction] = String(Math.round(value * 1000) / 1000).split('.')
  const grouped = whole!.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** `1,234` up to a million, then `1.2 million`: for lines that are read at a glance. */
export const roundNumber = (value: number): string =>
  value < 1_000_000 ? thousands(value) : `${(value / 1e6).toFixed(1)} million`

/** `1 step`, `2 steps`, `2 context switches`. */
export const count = (n: number, what: string): string => {
  const plural = /(?:s|sh|ch|x)$/.test(what) ? `${what}es` : `${what}s`
  return `${thousands(n)} ${n === 1 ? what : plural}`
}

export const times = (n: number): string => (n === 1 ? 'once' : n === 2 ? 'twice' : `${thousands(n)} times`)
