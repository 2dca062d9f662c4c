// show: what the front end understood of a program, as text, DOT, JSON or C.

import { InputError } from '../frontend/c/index.js'
import { VERIFY_OPTIONS } from '../run/call/options.js'
import { SHOW_OPTIONS } from '../run/call/show-options.js'
import { diagnosticLine } from '../run/program/load.js'
import { showProgram } from '../run/program/show.js'
import { Unsupported } from '../xcfa/index.js'
import { orInputError, requestOf } from './request.js'
import type { Input, InputErrorReport, ProgramOptions } from './types.js'

export interface ShowOptions extends ProgramOptions {
  readonly as?: 'xcfa' | 'dot' | 'json' | 'c'
  /** As inlined, or as engines see it (the default). */
  readonly stage?: 'raw' | 'prepared'
}

export interface Shown {
  readonly version: 1
  readonly text: string
}

export const show = (input: Input, options: ShowOptions = {}): Promise<Shown | InputErrorReport> =>
  orInputError(async (): Promise<Shown | InputErrorReport> => {
    const request = requestOf(input, options, [...SHOW_OPTIONS, ...VERIFY_OPTIONS])
    try {
      return {
        version: 1,
        text: await showProgram(request, { as: options.as ?? 'xcfa', stage: options.stage ?? 'prepared' }),
      }
    } catch (error) {
      const wrong = error instanceof InputError ? error.diagnostics.map(diagnosticLine) : undefined
      if (!wrong && !(error instanceof Unsupported)) throw error
      return { version: 1, verdict: 'error', diagnostics: wrong ?? [`heddle: ${(error as Unsupported).message}`] }
    }
  })
