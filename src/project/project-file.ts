// heddle.json: what to decide of a project, so that `heddle verify` and `heddle test` need no arguments there. Plain data
// to plain data; files are the caller's.

export interface ProjectEntry {
  /** How it is called in output and by --only. */
  readonly name: string
  /** A file of the build to begin with. */
  readonly file: string
  /** The function where execution begins. */
  readonly entry: string
}

export interface ProjectFile {
  /** compile_commands.json, or the folder that has it. */
  readonly build: string
  readonly properties: readonly string[]
  /** For each entry and property. */
  readonly timeout: string
  readonly entries: readonly ProjectEntry[]
  /** C files beside those of the build: definitions of what it takes from elsewhere. */
  readonly stubs: readonly string[]
  /** Further options of `heddle verify`. */
  readonly options: readonly string[]
}

const FIELDS = ['build', 'properties', 'timeout', 'entries', 'stubs', 'options'] as const

/** The project, or what is wrong with the text. */
export const readProjectFile = (text: string): ProjectFile | { readonly wrong: string } => {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    return { wrong: `it is not JSON: ${(error as Error).message}` }
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { wrong: 'it is no object' }
  const unknown = Object.keys(data).find((name) => !FIELDS.some((field) => field === name))
  if (unknown !== undefined) return { wrong: `it has a field "${unknown}"; known are ${FIELDS.join(', ')}` }
  const { build, properties = ['assert'], timeout = '60s', entries, stubs = [], options = [] } = data as Fields
  if (typeof build !== 'string') return { wrong: 'it has no "build": the folder of compile_commands.json' }
  if (typeof timeout !== 'string') return { wrong: '"timeout" is no text such as "60s"' }
  if (!isTexts(properties) || properties.length === 0) return { wrong: '"properties" is no list of names' }
  if (!isTexts(stubs)) return { wrong: '"stubs" is no list of files' }
  if (!isTexts(options)) return { wrong: '"options" is no list of options' }
  if (!Array.isArray(entries) || entries.length === 0) return { wrong: '"entries" is no list of entries' }
  const read: ProjectEntry[] = []
  for (const [i, one] of entries.entries()) {
    const { name, file, entry = 'main' } = (one ?? {}) as Record<string, unknown>
    if (typeof file !== 'string' || typeof entry !== 'string') return { wrong: `entry ${i + 1} has no "file"` }
    read.push({ name: typeof name === 'string' ? name : file, file, entry })
  }
  return { build, properties, timeout, entries: read, stubs, options }
}

type Fields = Partial<Record<(typeof FIELDS)[number], unknown>>

const isTexts = (data: unknown): data is readonly string[] =>
  Array.isArray(data) && data.every((one) => typeof one === 'string')

export const projectFileText = (project: ProjectFile): string => `${JSON.stringify(project, null, 2)}\n`
