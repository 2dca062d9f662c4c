// The door to solvers. Loading is asynchronous; everything after it blocks.
import type { Smt } from './interfaces.js'
import { z3Smt } from './z3/smt.js'
import { type LoadWasm, loadWasmLibrary } from './z3/wasm.js'

export * from './interfaces.js'
export * from './interpolation/index.js'
export * from './validate.js'
export { SolverError } from './z3/functions.js'
export type { EmscriptenModule, LoadWasm } from './z3/wasm.js'

/** What a user may ask for: `auto` is the native library where there is one, otherwise WASM. */
export type SmtKind = 'auto' | 'native' | 'wasm' | `smtlib:${string}`

const isNode = (): boolean => typeof process !== 'undefined' && process.versions?.node !== undefined

export const createSmt = async (kind: SmtKind = 'auto', loadWasm?: LoadWasm): Promise<Smt> => {
  if (kind === 'wasm' || !isNode()) return z3Smt(await loadWasmLibrary(loadWasm))
  const { findNativeLibrary, loadNativeLibrary } = await import('./z3/native.js')
  const path = findNativeLibrary()
  if (path) return z3Smt(await loadNativeLibrary(path))
  if (kind === 'auto') return z3Smt(await loadWasmLibrary(loadWasm))
  throw new Error('no libz3 found: install it (Debian: libz3-4) or name it by HEDDLE_LIBZ3')
}
