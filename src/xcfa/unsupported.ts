// A construct that we do not model: never skipped, always named with its place (UNKNOWN, status 3).
import type { Position } from './model.js'

export class Unsupported extends Error {
  constructor(
    readonly what: string,
    readonly position: Position,
  ) {
    super(`unsupported: ${what} at ${position.file}:${position.line}`)
  }
}
