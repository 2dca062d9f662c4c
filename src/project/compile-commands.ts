// compile_commands.json (the JSON compilation database of clang; CMake, Meson and bear write it): which files a build
// compiles, and with which options. Plain data to plain data; files are the caller's.

export interface FileOptions {
  /** NAME or NAME=VALUE. */
  readonly defines: readonly string[]
  readonly undefines: readonly string[]
  readonly includeDirs: readonly string[]
  readonly preincludes: readonly string[]
  readonly std?: string
}

export interface CompileCommand {
  /** As the build says it, relative to `directory` perhaps. */
  readonly file: string
  readonly directory: string
  readonly options: FileOptions
}

/** The commands of C files, or what is wrong with the text. */
export const readCompileCommands = (text: string): readonly CompileCommand[] | { readonly wrong: string } => {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    return { wrong: `it is not JSON: ${(error as Error).message}` }
  }
  if (!Array.isArray(data)) return { wrong: 'it is no list of commands' }
  const commands: CompileCommand[] = []
  for (const [index, entry] of data.entries()) {
    const { file, directory, command, arguments: list } = (entry ?? {}) as Record<string, unknown>
    if (typeof file !== 'string' || typeof directory !== 'string')
      return { wrong: `entry ${index + 1} has no "file" and "directory"` }
    const words = Array.isArray(list) ? list.map(String) : typeof command === 'string' ? shellWords(command) : undefined
    if (!words) return { wrong: `entry ${index + 1} has no "arguments" and no "command"` }
    if (file.endsWith('.c')) commands.push({ file, directory, options: optionsOf(words) })
  }
  return commands
}

/** A command line as a shell would cut it: quotes and backslashes. */
const shellWords = (command: string): readonly string[] => {
  const words: string[] = []
  let word: string | undefined
  for (const [part, single, double, escaped, blank, plain] of command.matchAll(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|(\s+)|([^\s'"\\]+)/g,
  )) {
    if (blank !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    const text = single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? part
    word = (word ?? '') + text
  }
  return word === undefined ? words : [...words, word]
}

const VALUED = /^-(D|U|I|isystem|iquote|idirafter|include|imacros)(.*)$/s

const optionsOf = (words: readonly string[]): FileOptions => {
  const defines: string[] = []
  const undefines: string[] = []
  const includeDirs: string[] = []
  const preincludes: string[] = []
  let std: string | undefined
  for (let i = 0; i < words.length; i++) {
    const dialect = /^-std=(.*)$/.exec(words[i]!)
    if (dialect) std = dialect[1]
    const match = VALUED.exec(words[i]!)
    if (!match) continue
    const value = match[2] || words[++i]
    if (value === undefined) break
    if (match[1] === 'D') defines.push(value)
    else if (match[1] === 'U') undefines.push(value)
    else if (match[1] === 'include' || match[1] === 'imacros') preincludes.push(value)
    else includeDirs.push(value)
  }
  return { defines, undefines, includeDirs, preincludes, ...(std !== undefined && { std }) }
}

/** Whether this text may define the function or variable: the check reads it, this only chooses what to read. */
export const mayDefine = (text: string, name: string): boolean =>
  new RegExp(`\\b${name}\\s*\\([^;{}]*\\)[^;{}()]*(?:__attribute__\\s*\\(\\(.*?\\)\\)\\s*)?\\{`).test(text) ||
  new RegExp(
    `^(?!\\s*(?:extern|typedef|return|#))[A-Za-z_][^;{}()=]*\\b${name}\\s*(?:\\[[^\\]]*\\]\\s*)*(?:=|;)`,
    'm',
  ).test(text)
