// The texts that fuzzing starts from: the examples, generated programs, and the C files of a folder that is given.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from '../generate/index.js'

const GENERATED = 40
/** Longer files would only make it slow. */
const MAX_BYTES = 20_000

export const corpusOf = (examples: string, folder?: string): readonly string[] => [
  ...filesIn(examples),
  ...Array.from({ length: GENERATED }, (_, seed) => generate(seed)),
  ...(folder === undefined ? [] : filesIn(folder)),
]

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.[ci]$/.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .filter((text) => text.length <= MAX_BYTES)
