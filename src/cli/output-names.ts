// Which files `verify` can write, checked before a long run; outputs.ts writes them and is loaded only then.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../run/call/options.js'

export const OUTPUTS = ['witness', 'sarif', 'html', 'certificate', 'dot'] as const
export type Output = (typeof OUTPUTS)[number]

/** Wrong names are told before a long run, not after it. */
export const checkOutputs = (outputs: ReadonlyMap<string, string>): void => {
  const witness = outputs.get('witness')
  if (witness !== undefined && !/\.(graphml|xml|ya?ml)$/.test(witness))
    throw new UsageError(`--witness ${witness}: the ending of the name decides the format: .graphml, .yml or .yaml`)
  for (const [name, file] of outputs) checkWritable(name, file)
}

const checkWritable = (name: string, file: string): void => {
  const fails = (path: string, mode: number): string | undefined => {
    try {
      accessSync(path, mode)
      return undefined
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? 'cannot be written'
    }
  }
  if (existsSync(file) && statSync(file).isDirectory())
    throw new UsageError(`--${name} ${file}: this is a folder; name a file in it`)
  const problem = existsSync(file) ? fails(file, constants.W_OK) : fails(dirname(file), constants.W_OK)
  if (problem)
    throw new UsageError(`--${name} ${file}: cannot be written: ${PROBLEMS[problem]?.(dirname(file)) ?? problem}`)
}

const PROBLEMS: Readonly<Record<string, (folder: string) => string>> = {
  ENOENT: (folder) => `there is no folder ${folder}`,
  EACCES: () => 'permission denied',
  EROFS: () => 'the file system is read-only',
}
