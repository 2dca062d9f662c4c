// A part of the C library: what its headers give, and models of its functions as C text. Models use the intrinsics
// `__heddle_*`, which lowering understands; header text is plain C that any compiler accepts.

export interface LibraryPart {
  /** Text by the name between the angle brackets. */
  readonly headers: Readonly<Record<string, string>>
  /** Definitions by the name of the model file, in angle brackets; one is parsed as a whole, when a function of it is needed. */
  readonly models: Readonly<Record<string, string>>
}

/** C text as it stands, backslashes included. */
export const c = (parts: TemplateStringsArray): string => String.raw(parts).replace(/^\n/, '')
