// --memory-model: a name of ours, or the path of a CAT file.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  builtInModel,
  type CatError,
  compileModel,
  MODEL_NAMES,
  type Model,
  type ModelName,
} from '../../memory-model/index.js'
import { checkModelName } from '../call/model-names.js'

export type LoadedModel =
  | { readonly kind: 'model'; readonly name: string; readonly model: Model }
  | { readonly kind: 'wrong'; readonly diagnostic: string; readonly error: CatError }

export const isModelName = (text: string): text is ModelName => (MODEL_NAMES as readonly string[]).includes(text)

export const loadModel = (text: string): LoadedModel => {
  checkModelName(text)
  if (isModelName(text)) return { kind: 'model', name: text, model: builtInModel(text) }
  const compiled = compileModel(readFileSync(text, 'utf8'), text, (file, from) => {
    const path = join(dirname(from), file)
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  })
  if (compiled.kind === 'model') return { kind: 'model', name: text, model: compiled.model }
  const { error } = compiled
  const { at, message } = error
  return { kind: 'wrong', error, diagnostic: `${at.file}:${at.line}:${at.column}: error: ${message}` }
}
