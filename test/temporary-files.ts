// What tests write goes to one folder, which is removed when all of them have run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-test-'))
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
