// What a client may set, under `heddle` in its configuration or as initialisation options; wrong values are ignored.
import { isProperty, type Property } from '../property/names.js'

export interface Settings {
  /** Decided on save. */
  readonly properties: readonly Property[]
  /** Milliseconds for each property. */
  readonly timeout: number
  readonly runOnSave: boolean
  readonly defines: readonly string[]
  readonly includeDirs: readonly string[]
  readonly entry: string
}

const DEFAULT_SETTINGS: Settings = {
  properties: ['assert', 'no-data-race', 'no-deadlock'],
  timeout: 10_000,
  runOnSave: true,
  defines: [],
  includeDirs: [],
  entry: 'main',
}

export const readSettings = (given: unknown): Settings => {
  const values = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>
  const strings = (value: unknown): readonly string[] | undefined =>
    Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
  const { timeout, runOnSave, entry } = values
  return {
    properties: strings(values['properties'])?.filter(isProperty) ?? DEFAULT_SETTINGS.properties,
    timeout: typeof timeout === 'number' && timeout > 0 ? timeout : DEFAULT_SETTINGS.timeout,
    runOnSave: typeof runOnSave === 'boolean' ? runOnSave : DEFAULT_SETTINGS.runOnSave,
    defines: strings(values['defines']) ?? DEFAULT_SETTINGS.defines,
    includeDirs: strings(values['includeDirs']) ?? DEFAULT_SETTINGS.includeDirs,
    entry: typeof entry === 'string' && entry !== '' ? entry : DEFAULT_SETTINGS.entry,
  }
}
