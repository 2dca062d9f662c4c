// JSON from a stranger: its size and nesting are bounded before it is parsed, and each value is read as what it has to be,
// with its place in every complaint. Only own properties count, so that no name reaches a prototype.

/** What was given is not what it has to be, or does not prove what it claims: where, and why. */
export class Rejected extends Error {
  constructor(
    readonly place: string,
    why: string,
  ) {
    super(`${place}: ${why}`)
  }
}

export const MAX_CHARACTERS = 256 << 20
const MAX_NESTING = 32

/** What to do about a file that is no certificate. */
export const WRITTEN_BY = ': heddle verify FILE --certificate PROOF.json writes one'

type Fields = Readonly<Record<string, unknown>>

/** The value of a JSON text; a text that is too long, too deep or no JSON is rejected with the position. */
export const parseJson = (text: string): unknown => {
  if (text.length > MAX_CHARACTERS)
    throw new Rejected('certificate', `has ${text.length} characters, more than the ${MAX_CHARACTERS} that are read`)
  const deep = tooDeepAt(text)
  if (deep !== undefined) throw new Rejected(positionIn(text, deep), `is nested deeper than ${MAX_NESTING} levels`)
  try {
    return JSON.parse(text)
  } catch (problem) {
    const at = Number(/position (\d+)/.exec((problem as Error).message)?.[1] ?? text.length)
    throw new Rejected(positionIn(text, at), `this is not JSON, so it is not a certificate${WRITTEN_BY}`)
  }
}

const positionIn = (text: string, at: number): string => {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return `line ${line}, column ${at - before.lastIndexOf('\n')}`
}

/** Where brackets outside strings are nested too deeply. */
const tooDeepAt = (text: string): number | undefined => {
  let depth = 0
  for (let i = 0; i < text.length; i++)
    switch (text[i]) {
      case '"':
        for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++
        break
      case '[':
      case '{':
        if (++depth > MAX_NESTING) return i
        break
      case ']':
      case '}':
        depth--
        break
    }
  return undefined
}

export const record = (given: unknown, place: string): Fields => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new Rejected(place, 'is no object')
  return given as Fields
}

/** An own property, or nothing. */
export const field = (given: Fields, name: string): unknown => (Object.hasOwn(given, name) ? given[name] : undefined)

export const list = (given: unknown, place: string): readonly unknown[] => {
  if (!Array.isArray(given)) throw new Rejected(place, 'is no list')
  return given
}

export const text = (given: unknown, place: string): string => {
  if (typeof given !== 'string') throw new Rejected(place, 'is no text')
  return given
}

export const flag = (given: unknown, place: string): boolean => {
  if (typeof given !== 'boolean') throw new Rejected(place, 'is neither true nor false')
  return given
}

export const natural = (given: unknown, place: string): number => {
  if (!Number.isSafeInteger(given) || (given as number) < 0) throw new Rejected(place, 'is no natural number')
  return given as number
}

export const integer = (given: unknown, place: string): number => {
  if (!Number.isSafeInteger(given)) throw new Rejected(place, 'is no integer')
  return given as number
}

export const oneOf = <T extends string>(given: unknown, values: readonly T[], place: string): T => {
  const found = values.find((value) => value === given)
  if (found === undefined) throw new Rejected(place, `is none of ${values.join(', ')}`)
  return found
}

export const listOf = <T>(given: unknown, place: string, read: (each: unknown, place: string) => T): readonly T[] =>
  list(given, place).map((each, i) => read(each, `${place}[${i}]`))

/** A property that may be absent: as a record of one field, or none. */
export const optional = <K extends string, T>(
  given: Fields,
  name: K,
  place: string,
  read: (each: unknown, place: string) => T,
): { readonly [P in K]?: T } => {
  const value = field(given, name)
  return (value === undefined ? {} : { [name]: read(value, `${place}.${name}`) }) as { readonly [P in K]?: T }
}
