// Which functions of the library's model files a program can need, by the names that stand in its text: checking a
// whole file for one of its functions would take longer than checking the program. A model file stays one file, with
// one set of static variables, so what is wanted of it is decided before it is read; a name that this reading of the
// text misses begins the check anew (MissingModel).
import type { SyntaxTree } from '../parse/index.js'
import type { Library } from './context.js'

/** A function of a model file that was left out is needed after all. */
export class MissingModel extends Error {
  constructor(readonly functionName: string) {
    super(`model of ${functionName} was left out`)
  }
}

/** What lowering puts around an intrinsic is in the library's own text. */
export const NEEDS: Readonly<Record<string, readonly string[]>> = {
  __heddle_start: ['__heddle_thread_main', '__heddle_thread_main_int'],
}

/** Model files are written so: the braces of a function's body stand at the margin. */
const FUNCTION = /^\w[^;{}()#=]*?\b(\w+)\([^;{}]*\)\n\{\n(?:[^}].*\n|\n)*?\}$/gm

const WORD = /\b[A-Za-z_]\w*/g

const wordsOf = (text: string): readonly string[] => {
  const words = new Set(text.match(WORD))
  for (const word of [...words]) {
    for (const need of Object.hasOwn(NEEDS, word) ? NEEDS[word]! : []) words.add(need)
    if (word.startsWith('__builtin_')) words.add(word.slice('__builtin_'.length).replace(/^__?(\w+)_chk$/, '$1'))
  }
  return [...words]
}

/** All names in functions and initialisers of a program: what it only declares, it does not need. */
export const mentioned = (trees: readonly SyntaxTree[]): Set<string> => {
  const names = new Set<string>()
  for (const { root, text } of trees)
    for (const { type, start, end } of root.children) {
      const part = text.slice(start, end)
      if (type === 'function_definition' || type === 'linkage_specification' || part.includes('='))
        for (const word of wordsOf(part)) names.add(word)
    }
  return names
}

interface ModelFile {
  /** Text of each function by its name. */
  readonly functions: ReadonlyMap<string, string>
  /** Names in macros and initialisers, which are always read. */
  readonly shared: readonly string[]
}

const readModelFile = (text: string): ModelFile => ({
  functions: new Map([...text.matchAll(FUNCTION)].map((match) => [match[1]!, match[0]])),
  shared: (text.replace(FUNCTION, '').match(/^.*[#=].*$/gm) ?? []).flatMap(wordsOf),
})

/** The functions that can be reached by name from `roots`, in all model files. */
export const reachableModels = (roots: Iterable<string>, model: Library['model']): ReadonlySet<string> => {
  const files = new Map<string, ModelFile>()
  const wanted = new Set<string>()
  const waiting: [name: string, from: ModelFile | undefined][] = [...roots].map((name) => [name, undefined])
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [name, from] = next
    const found = from?.functions.has(name) ? undefined : model(name)
    let file = found ? files.get(found.file) : from
    if (found && !file) {
      file = readModelFile(found.text)
      files.set(found.file, file)
      for (const word of file.shared) waiting.push([word, file])
    }
    const body = file?.functions.get(name)
    if (body === undefined || wanted.has(name)) continue
    wanted.add(name)
    for (const word of wordsOf(body)) waiting.push([word, file])
  }
  return wanted
}

/** The text of a model file with blank lines for the functions that nobody wants: positions stay. */
export const wantedText = (text: string, wanted: ReadonlySet<string>): string =>
  text.replace(FUNCTION, (definition, name: string) =>
    wanted.has(name) ? definition : definition.replace(/[^\n]/g, ''),
  )

export const definesFunction = (text: string, name: string): boolean => readModelFile(text).functions.has(name)
