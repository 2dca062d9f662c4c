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
    throw new UsageError(`--witness ${witness}: the ending decides the format: .graphml, .yml or .yaml`)
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
  if (existsSync(file) && statSync(file).isDirectory()) throw new UsageError(`--${name} ${file}: is a directory`)
  const problem = existsSync(file) ? fails(file, constants.W_OK) : fails(dirname(file), constants.W_OK)
  if (problem)
    throw new UsageError(`--${name} ${file}: ${problem === 'ENOENT' ? `no folder ${dirname(file)}` : problem}`)
}
