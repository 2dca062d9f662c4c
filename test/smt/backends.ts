// The solvers that this machine has: WASM always, the native library and binaries if they are found.
import { createSmt, type Smt, type SmtKind } from '../../src/smt/index.js'
import { findNativeLibrary } from '../../src/smt/z3/native.js'

export const hasNative = findNativeLibrary() !== undefined
export const libraryKinds: readonly SmtKind[] = hasNative ? ['native', 'wasm'] : ['wasm']

export const withSmt = async <T>(kind: SmtKind, use: (smt: Smt) => T): Promise<T> => {
  const smt = await createSmt(kind)
  try {
    return use(smt)
  } finally {
    smt.dispose()
  }
}
