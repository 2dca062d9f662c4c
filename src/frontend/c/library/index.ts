// The C library, written by us: headers for the preprocessor, models of functions for the checker, one file a header.
//
// What lowering and checking must know beyond the intrinsics themselves:
// - ALIASES: a call of such a name is a call of the intrinsic, whatever the program defines (for OVERRIDING names even
//   if it has a body of its own: `reach_error() { assert(0); }` is the violation itself). Further arguments are dropped.
// - A program's own definition of any other function wins over a model.
// - `if (__heddle_choice())`, as the whole condition of an if, is no step: both branches begin at the location of the
//   `if`, so that a thread does not commit itself to an alternative before it takes its first step.
// - Before `__heddle_await` in its block stand only choices and reads; they and the test are the first edge of the step.
// - `__heddle_undefined` and `__heddle_unsupported` may stand inside an atomic block: the halt location is not atomic.
// - `__heddle_limit` says that the program needs more than the model provides for: UNKNOWN if it is reached.
// - A function that is declared and neither defined nor modelled is unsupported by its name, where it is reached.
import { ASSERT } from './assert.js'
import { BUILTINS } from './builtins.js'
import { DECLARED } from './declared/declared.js'
import { EXIT_FUNCTIONS } from './exit-functions.js'
import { FORMATS } from './formats.js'
import { INTEGERS } from './integers.js'
import { MATH } from './math.js'
import type { LibraryPart } from './part.js'
import { POSIX } from './posix/index.js'
import { SCANNING } from './scanning.js'
import { STDIO } from './stdio.js'
import { STDLIB } from './stdlib.js'
import { STRING_EXTENSIONS } from './string-extensions.js'
import { STRING_PART } from './strings.js'
import { C11_THREADS } from './threads/c11threads.js'
import { PTHREAD } from './threads/pthread.js'
import { SEMAPHORE } from './threads/semaphore.js'
import { STDATOMIC } from './threads/stdatomic.js'
import { OWNED_TYPES_TEXT } from './types.js'

export { ALIASES, NONDET_TYPES, OVERRIDING } from './intrinsics.js'
export { c, type LibraryPart } from './part.js'
export { THREAD_EPILOGUE } from './threads/threads.js'
export { initialise, OWNED_TYPES, OWNED_TYPES_TEXT } from './types.js'

const PARTS: readonly LibraryPart[] = [
  ASSERT,
  BUILTINS,
  C11_THREADS,
  EXIT_FUNCTIONS,
  FORMATS,
  INTEGERS,
  MATH,
  ...POSIX,
  PTHREAD,
  SCANNING,
  SEMAPHORE,
  STDATOMIC,
  STDIO,
  STDLIB,
  STRING_EXTENSIONS,
  STRING_PART,
]

const HEADERS: ReadonlyMap<string, string> = new Map([
  ['heddle/types.h', OWNED_TYPES_TEXT],
  ...DECLARED,
  ...PARTS.flatMap(({ headers }) =>
    Object.entries(headers).map(([name, text]): [string, string] => [name, text + (DECLARED.get(name) ?? '')]),
  ),
])

export interface Model {
  readonly file: string
  readonly text: string
}

/** A definition begins at the margin and is not static; what it defines stands before the parenthesis or the `=`/`;`. */
const DEFINITION =
  /^(?!static\b|typedef\b|extern\b|struct \w+ \{|union\b|enum\b|return\b)\w[^;{}()#]*?\b(\w+)\s*(?:\(|;|=|\[)/gm

const modelsOf = (parts: readonly LibraryPart[]): ReadonlyMap<string, Model> =>
  new Map(
    parts.flatMap((part) =>
      Object.entries(part.models).flatMap(([file, text]) =>
        [...text.matchAll(DEFINITION)].map(([, name]): [string, Model] => [name!, { file, text }]),
      ),
    ),
  )

const MODELS = modelsOf(PARTS)

/** The text of `#include <name>`; undefined: there is no such header. */
export const header = (name: string): string | undefined => HEADERS.get(name)

/** All headers that there are, sorted. */
export const headerNames = (): readonly string[] => [...HEADERS.keys()].sort()

/** The C text that defines this function (or external variable, like `stdout`), perhaps with others. */
export const model = (name: string): Model | undefined => MODELS.get(name)

/** All names that have a model, sorted. */
export const modelNames = (): readonly string[] => [...MODELS.keys()].sort()

/** Headers and models of further parts, before those of the C library. */
export const withParts = (parts: readonly LibraryPart[]): { header: typeof header; model: typeof model } => {
  const models = modelsOf(parts)
  return {
    header: (name) => parts.find((part) => Object.hasOwn(part.headers, name))?.headers[name] ?? header(name),
    model: (name) => models.get(name) ?? model(name),
  }
}
