// The models that come with Heddle: texts in models/, written from their authors' published axioms.
import { compileModel, type Model } from './compile.js'
import arm8 from './models/arm8.cat'
import imm from './models/imm.cat'
import lkmm from './models/lkmm.cat'
import power from './models/power.cat'
import pso from './models/pso.cat'
import rc11 from './models/rc11.cat'
import riscv from './models/riscv.cat'
import rmo from './models/rmo.cat'
import sc from './models/sc.cat'
import tso from './models/tso.cat'

const TEXTS = { sc, tso, pso, rmo, rc11, imm, arm8, power, riscv, lkmm } as const

export type ModelName = keyof typeof TEXTS

export const MODEL_NAMES = Object.keys(TEXTS) as readonly ModelName[]

/** A mistake in one of our own files is a bug, not an input error. */
export const builtInModel = (name: ModelName): Model => {
  const compiled = compileModel(TEXTS[name], `${name}.cat`)
  if (compiled.kind === 'wrong') {
    const { at, message } = compiled.error
    throw new Error(`${at.file}:${at.line}:${at.column}: ${message}`)
  }
  return compiled.model
}
