// The solvers that this machine has: WASM always, the native library and binaries if they are found.
import { createSmt, type Smt, type SmtKind } from '../../src/smt/index.js'
import { findNativeLibrary } from '../../src/smt/z3/native.js'

export const hasNative = findNativeLibrary() !== undefined
export const libraryKinds: readonly SmtKind[] = hasNative ? ['native', 'wasm'] : ['wasm']

/** Loaded once for each test file: starting the WASM build takes longer than most tests. */
const loaded = new Map<SmtKind, Promise<Smt>>()

export const withSmt = async <T>(kind: SmtKind, use: (smt: Smt) => T): Promise<T> => {
  if (!loaded.has(kind)) loaded.set(kind, createSmt(kind))
  return use((await loaded.get(kind))!)
}
