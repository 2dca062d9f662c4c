// What a check is about, and what it answers. An answer names what it took for granted, besides the front end and the
// meaning of the inlined program (docs/checking.md).
import type { CertificateFile } from '../certificate/index.js'
import type { Smt } from '../smt/index.js'
import type { Program } from '../xcfa/index.js'

export interface Task {
  /** The program as it was inlined, and the same with the property's errors as the only ones. */
  readonly raw: Program
  readonly errors: Program
  readonly property: string
  readonly memoryModel: string
  readonly file: CertificateFile
  readonly smt: Smt
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly deadline: number
}

export type Answer =
  | {
      readonly kind: 'accepted'
      readonly how: string
      /** Open assumptions about the program. */
      readonly assumes: readonly string[]
      /** Parts of Heddle that the check itself relied on. */
      readonly trusted: readonly string[]
    }
  | { readonly kind: 'rejected'; readonly place: string }
  | { readonly kind: 'unknown'; readonly reason: string }

export const count = (number: number): string => number.toLocaleString('en-US')

export const TRUSTED_PASSES: readonly string[] = [
  'the passes over the program: resolving of pointers, propagation, slicing, joining of local steps (src/xcfa/passes)',
]

export const DEREFERENCES = 'valid dereferences'

/** Threads stop at undefined behaviour: that it does not happen is assumed, by place where the program has one. */
export const undefinedIn = ({ templates }: Program): readonly string[] => {
  const halts = [...templates.values()].flatMap(({ edges }) =>
    edges.flatMap(({ target: { reason }, position: { file, line } }) =>
      reason?.kind === 'undefined' ? [`no ${reason.text} at ${file}:${line}`] : [],
    ),
  )
  return [DEREFERENCES, ...new Set(halts)]
}
