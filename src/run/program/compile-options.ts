// From a request to the front end's options, and back from its diagnostics to lines: without any of Node's, because the
// playground reads programs in a browser.
import type { CompileOptions, Diagnostic } from '../../frontend/c/index.js'
import type { Unit } from '../../xcfa/index.js'
import type { Request } from '../call/request.js'

export const diagnosticLine = ({ severity, text, position }: Diagnostic): string =>
  position
    ? `${position.file}:${position.line}:${position.column}: ${severity}: ${text}`
    : `heddle: ${severity}: ${text}`

export type LoadRequest = Pick<
  Request,
  | 'files'
  | 'texts'
  | 'dataModel'
  | 'defines'
  | 'includeDirs'
  | 'entry'
  | 'cpp'
  | 'spuriousWakeups'
  | 'mallocMayFail'
  | 'errorFunctions'
  | 'property'
  | 'undefines'
  | 'preincludes'
  | 'headers'
  | 'std'
  | 'externs'
  | 'fileOptions'
  | 'volatileIsAtomic'
>

export interface Surroundings {
  readonly cut: boolean
  readonly look?: ((unit: Unit) => void) | undefined
  readonly watchesFreed?: boolean
  readonly endsAtLimits?: boolean
  readonly recursionLimit?: number
  readonly readFile: (path: string) => string | undefined
  readonly system?: CompileOptions['system']
}

export const compileOptionsOf = (
  request: LoadRequest,
  { cut, look, watchesFreed, endsAtLimits = false, recursionLimit, readFile, system }: Surroundings,
): CompileOptions => ({
  dataModel: request.dataModel,
  defines: request.defines,
  includeDirs: request.includeDirs,
  ...(request.undefines && { undefines: request.undefines }),
  ...(request.preincludes && request.cpp === undefined && { preincludes: request.preincludes }),
  readFile: (path) => request.texts?.[path] ?? readFile(path),
  ...(system && { system }),
  ...(request.externs && { externs: request.externs }),
  ...(request.volatileIsAtomic && { volatileIsAtomic: true }),
  entry: request.entry,
  spuriousWakeups: request.spuriousWakeups,
  mallocMayFail: request.mallocMayFail,
  ...(request.errorFunctions && { errorFunctions: request.errorFunctions }),
  ...(look && { look }),
  ...(watchesFreed && { watchesFreed }),
  ...(recursionLimit !== undefined && { recursionLimit }),
  checkOverflow: request.property === 'no-overflow',
  checkMemory: request.property === 'valid-memsafety',
  checkRaces: request.property === 'no-data-race',
  checkLimits: !endsAtLimits && !/^(?:no-data-race|no-deadlock|termination)$/.test(request.property),
  cutUnsupported: cut,
})
