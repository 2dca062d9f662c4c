// From the library's options to the request that engines understand: through the command line's own table of options,
// so that a name, its values and its default mean the same in both.

import { type CommandOption, parseArguments, UsageError, VERIFY_OPTIONS } from '../run/call/options.js'
import type { Request } from '../run/call/request.js'
import { requestFrom } from '../run/call/request-from.js'
import type { Input, ProgramOptions, VerifyOptions } from './types.js'

export const DEFAULT_NAME = 'program.c'

export const requestOf = (
  input: Input,
  options: ProgramOptions & VerifyOptions,
  table: readonly CommandOption[],
): Request => {
  const text = typeof input === 'object' && 'text' in input ? input : undefined
  const files = text ? [text.name ?? DEFAULT_NAME] : typeof input === 'string' ? [input] : (input as readonly string[])
  const texts = text ? { [files[0]!]: text.text } : undefined
  return requestFrom(parseArguments([...argumentsOf(options, table), '--', ...files], table), Date.now(), texts)
}

/** As the command line would be called. */
export const argumentsOf = (
  options: ProgramOptions & VerifyOptions,
  table: readonly CommandOption[] = VERIFY_OPTIONS,
): readonly string[] => {
  const named: readonly (readonly [string, string | undefined])[] = [
    ['property', options.property],
    ['data-model', options.dataModel],
    ['entry', options.entry],
    ['engine', options.engine],
    ['timeout', options.timeout === undefined ? undefined : `${options.timeout}ms`],
    ['memory', options.memory === undefined ? undefined : `${options.memory}M`],
    ['solver', options.solver],
    ['memory-model', options.memoryModel],
    ...(options.defines ?? []).map((define) => ['D', define] as const),
    ...(options.includeDirs ?? []).map((folder) => ['I', folder] as const),
    ...Object.entries(options.options ?? {}),
  ]
  return named.flatMap(([name, value]) => (value === undefined ? [] : [argument(name, value, table)]))
}

const argument = (name: string, value: string, table: readonly CommandOption[]): string => {
  if (name === 'D' || name === 'I') return `-${name}${value}`
  const isSwitch = table.some((option) => option.name === name && option.value === undefined)
  return isSwitch && value === 'on' ? `--${name}` : `--${name}=${value}`
}

/** Calls `work`; a wrong call becomes a value with the text that the command line would print. */
export const orInputError = async <T>(
  work: () => Promise<T>,
): Promise<T | { readonly version: 1; readonly verdict: 'error'; readonly diagnostics: readonly string[] }> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { version: 1, verdict: 'error', diagnostics: [`heddle: error: ${error.message}`] }
  }
}
