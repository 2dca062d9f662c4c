// Headers that are declared whether or not what they declare is modelled, so that programs are read without those of
// the system: a function without a model is told by its name where it is reached. Constants are those of Linux.
import { FILES } from './files.js'
import { MATHEMATICS } from './mathematics.js'
import { NETWORK } from './network.js'
import { SYSTEM } from './system.js'
import { TEXT } from './text.js'

export interface Declared {
  /** Headers that are read first. */
  readonly includes?: string
  /** NAME=VALUE, between white space. */
  readonly constants?: string
  readonly text: string
}

export const wordsOf = (list = ''): readonly string[] => list.split(/\s+/).filter(Boolean)

const textOf = (header: string, { includes, constants, text }: Declared): string => {
  const guard = `_HEDDLE_DECLARED_${header.replace(/\W/g, '_')}`
  return [
    `#ifndef ${guard}`,
    `#define ${guard}`,
    ...wordsOf(includes).map((name) => `#include <${name}>`),
    ...wordsOf(constants).map((constant) => `#define ${constant.replace('=', ' ')}`),
    text.trim(),
    '#endif\n',
  ].join('\n')
}

/** Text by header, which follows what a model's part has for the same header. */
export const DECLARED: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...FILES, ...MATHEMATICS, ...NETWORK, ...SYSTEM, ...TEXT }).map(([header, declared]) => [
    header,
    textOf(header, declared),
  ]),
)
