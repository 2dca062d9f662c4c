// From code addresses to source lines, by the debugging tool that comes with the compiler.
import { spawnSync } from 'node:child_process'

export interface CodePlace {
  readonly file: string
  readonly line: number
  readonly function: string
}

const TOOLS = ['addr2line', 'llvm-addr2line', 'llvm-addr2line-14', 'llvm-addr2line-15', 'llvm-addr2line-16']

/** Return addresses: the call is just before. A place that is not known is left out. */
export const placesOf = (program: string, addresses: readonly number[]): ReadonlyMap<number, CodePlace> => {
  const distinct = [...new Set(addresses)].filter((a) => a > 0)
  const found = new Map<number, CodePlace>()
  if (distinct.length === 0) return found
  const input = distinct.map((a) => (a - 1).toString(16)).join('\n')
  for (const tool of TOOLS) {
    const { stdout, error, status } = spawnSync(tool, ['-f', '-C', '-e', program], {
      input: `${input}\n`,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    if (error || status !== 0) continue
    const lines = stdout.split('\n')
    distinct.forEach((address, i) => {
      const match = /^(.*):(\d+)(?: \(.*\))?$/.exec(lines[2 * i + 1] ?? '')
      if (match && match[1] !== '??' && Number(match[2]) > 0)
        found.set(address, { file: match[1]!, line: Number(match[2]), function: lines[2 * i]! })
    })
    return found
  }
  return found
}
