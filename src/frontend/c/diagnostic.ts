// Wrong input is a value with a position, never a stack trace: FILE:LINE:COLUMN: error: TEXT (status 2).
import type { Position } from '../../xcfa/index.js'

export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  readonly text: string
  /** Absent where there is no place to point at (a missing file). */
  readonly position?: Position
}

/** Thrown inside the front end only; its doors (`index.ts`) turn it into a value. */
export class InputError extends Error {
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((d) => d.text).join('\n'))
  }
}
