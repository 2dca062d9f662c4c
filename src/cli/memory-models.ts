// --memory-model: a name of ours, or the path of a CAT file.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtInModel, compileModel, MODEL_NAMES, type Model, type ModelName } from '../memory-model/index.js'
import { UsageError } from './options.js'

export type LoadedModel =
  | { readonly kind: 'model'; readonly name: string; readonly model: Model }
  | { readonly kind: 'wrong'; readonly diagnostic: string }

export const isModelName = (text: string): text is ModelName => (MODEL_NAMES as readonly string[]).includes(text)

/** A name that is neither is a wrong call. */
export const checkModelName = (text: string): void => {
  if (isModelName(text)) return
  if (!text.endsWith('.cat'))
    throw new UsageError(`--memory-model ${text}: not one of ${MODEL_NAMES.join(', ')}, nor a .cat file`)
  if (!existsSync(text)) throw new UsageError(`${text}: no such file`)
}

export const loadModel = (text: string): LoadedModel => {
  checkModelName(text)
  if (isModelName(text)) return { kind: 'model', name: text, model: builtInModel(text) }
  const compiled = compileModel(readFileSync(text, 'utf8'), text, (file, from) => {
    const path = join(dirname(from), file)
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  })
  if (compiled.kind === 'model') return { kind: 'model', name: text, model: compiled.model }
  const { at, message } = compiled.error
  return { kind: 'wrong', diagnostic: `${at.file}:${at.line}:${at.column}: error: ${message}` }
}
