// A construct that we do not model: never skipped, always named with its place (UNKNOWN, status 3).
import type { Position } from './model.js'

export class Unsupported extends Error {
  constructor(
    readonly what: string,
    readonly position: Position,
    /** A function without a definition, if that is what is missing. */
    readonly lacks?: string,
  ) {
    super(`unsupported: ${what} at ${position.file}:${position.line}`)
  }
}

export const withoutDefinition = (name: string, position: Position): Unsupported =>
  new Unsupported(`function ${name} without a definition`, position, name)
