// The certificate of heddle check as text, bounded in size.
import { readFileSync, statSync } from 'node:fs'
import { MAX_CHARACTERS, Rejected } from '../../check/index.js'
import { UsageError } from '../../run/call/options.js'

export const certificateText = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new UsageError(`${path}: no such file`)
  if (found.size > MAX_CHARACTERS)
    throw new Rejected(path, `has ${found.size} bytes, more than the ${MAX_CHARACTERS} that are read`)
  return readFileSync(path, 'utf8')
}
