// The door to solvers. Loading is asynchronous; everything after it blocks.
import type { Smt } from './interfaces.js'
import { z3Smt } from './z3/smt.js'
import { type LoadWasm, loadWasmLibrary } from './z3/wasm.js'

export { affineInvariants, projected, withInvariants } from './affine.js'
export { type CandidateOptions, strongestBounds } from './candidates.js'
export * from './interfaces.js'
export * from './interpolation/index.js'
export { Queries } from './queries.js'
export * from './validate.js'
export { givenUp, SolverError, SolverInterrupted } from './z3/functions.js'
export type { EmscriptenModule, LoadWasm } from './z3/wasm.js'

/** What a user may ask for: `auto` is the native library where there is one, otherwise WASM. */
export type SmtKind = 'auto' | 'native' | 'wasm' | `smtlib:${string}`

const isNode = (): boolean => typeof process !== 'undefined' && process.versions?.node !== undefined

export const createSmt = async (kind: SmtKind = 'auto', loadWasm?: LoadWasm): Promise<Smt> => {
  if (kind === 'wasm' || !isNode()) return z3Smt(await loadWasmLibrary(loadWasm))
  if (kind.startsWith('smtlib:')) return (await import('./smtlib/smt.js')).smtlibSmt(kind.slice('smtlib:'.length))
  const { findNativeLibrary, loadNativeLibrary } = await import('./z3/native.js')
  const path = findNativeLibrary()
  if (path) return z3Smt(await loadNativeLibrary(path))
  if (kind === 'auto') return z3Smt(await loadWasmLibrary(loadWasm))
  throw new Error(`no libz3 found: ${INSTALL_NATIVE}`)
}

/** From the main thread: ends the check that another thread's context is in (its `addressOfContext`) with unknown. */
export const createInterrupt = async (): Promise<((addressOfContext: bigint) => void) | undefined> => {
  if (!isNode()) return undefined
  const { findNativeLibrary, loadInterrupt } = await import('./z3/native.js')
  const path = findNativeLibrary()
  return path ? loadInterrupt(path) : undefined
}

export interface Probe {
  readonly kind: 'native' | 'wasm'
  readonly found: boolean
  readonly version?: string
  readonly path?: string
  /** What to do about it: to install for more speed, or what went wrong. */
  readonly advice?: string
}

const INSTALL_NATIVE =
  'install libz3 (Debian, Ubuntu: apt install libz3-4 or libz3-dev; macOS: brew install z3), or name its file by HEDDLE_LIBZ3'

/** Which solvers there are, for `heddle doctor`. */
export const probe = async (): Promise<readonly Probe[]> => [await probeNative(), await probeWasm()]

const probeNative = async (): Promise<Probe> => {
  const advice = `for solver checks ten times as fast ${INSTALL_NATIVE}`
  if (!isNode()) return { kind: 'native', found: false }
  const { findNativeLibrary, loadNativeLibrary } = await import('./z3/native.js')
  const path = findNativeLibrary()
  if (!path) return { kind: 'native', found: false, advice }
  try {
    const library = await loadNativeLibrary(path)
    const { version } = library
    library.dispose()
    return { kind: 'native', found: true, version, path }
  } catch (error) {
    return { kind: 'native', found: false, path, advice: `${path} does not load: ${String(error)}` }
  }
}

const probeWasm = async (): Promise<Probe> => {
  try {
    const library = await loadWasmLibrary()
    const { version, path } = library
    library.dispose()
    return { kind: 'wasm', found: true, version, path }
  } catch (error) {
    return { kind: 'wasm', found: false, advice: String(error) }
  }
}
