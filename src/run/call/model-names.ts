// The names that --memory-model takes, without the models themselves: checked before anything is loaded.
import { existsSync } from 'node:fs'
import { UsageError } from './options.js'

const MODELS = ['sc', 'tso', 'pso', 'rmo', 'rc11', 'imm', 'arm8', 'power', 'riscv', 'lkmm'] as const

/** A name of ours, or a CAT file that is there. */
export const checkModelName = (text: string): void => {
  if ((MODELS as readonly string[]).includes(text)) return
  if (!text.endsWith('.cat'))
    throw new UsageError(`--memory-model ${text}: not one of ${MODELS.join(', ')}, nor a .cat file`)
  if (!existsSync(text)) throw new UsageError(`${text}: no such file`)
}
