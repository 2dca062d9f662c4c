// What identifies the program's texts: a proof or an execution is about one text only.
import { readFileSync, statSync } from 'node:fs'
import { sha256 } from '../run/hash.js'

/** SHA-256 of each file; empty for what can be read only once, such as a pipe. */
export const hashesOf = (files: readonly string[]): readonly string[] => {
  return files.map((file) => (statSync(file, { throwIfNoEntry: false })?.isFile() ? sha256(readFileSync(file)) : ''))
}
