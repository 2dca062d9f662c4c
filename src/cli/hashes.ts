// What identifies the program's texts: a proof or an execution is about one text only.
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Few calls need it, and start-up is what a user notices first. */
const require = createRequire(import.meta.url)

/** SHA-256 of each file; empty for what can be read only once, such as a pipe. */
export const hashesOf = (files: readonly string[]): readonly string[] => {
  const { createHash } = require('node:crypto') as typeof import('node:crypto')
  return files.map((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile()
      ? createHash('sha256').update(readFileSync(file)).digest('hex')
      : '',
  )
}
