// libz3 as a shared library, called through koffi. What the platform taught: its stack for calls is small unless
// configured before loading; the default error handler ends the process; pointers are bigints.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FUNCTIONS, type Functions, type Handle, type Kind, type Library, solverError } from './functions.js'

const FILE_NAMES: Readonly<Record<string, readonly string[]>> = {
  darwin: ['libz3.dylib'],
  win32: ['libz3.dll', 'z3.dll'],
}
const LINUX_NAMES = ['libz3.so.4', 'libz3.so']

const directories = (): readonly string[] => {
  const listed = (process.env['LD_LIBRARY_PATH'] ?? process.env['DYLD_LIBRARY_PATH'] ?? '').split(':')
  const multiarch = existsSync('/usr/lib')
    ? readdirSync('/usr/lib')
        .filter((name) => name.endsWith('-linux-gnu'))
        .map((name) => join('/usr/lib', name))
    : []
  return [...listed, '/usr/local/lib', '/usr/lib64', '/usr/lib', ...multiarch, '/opt/homebrew/lib'].filter(
    (directory) => directory !== '',
  )
}

/** Where libz3 is: the file named by HEDDLE_LIBZ3 (`off`: nowhere), otherwise in the usual directories. */
export const findNativeLibrary = (): string | undefined => {
  const chosen = process.env['HEDDLE_LIBZ3']
  if (chosen !== undefined && chosen !== '') return chosen !== 'off' && existsSync(chosen) ? chosen : undefined
  for (const directory of directories())
    for (const name of FILE_NAMES[process.platform] ?? LINUX_NAMES)
      if (existsSync(join(directory, name))) return join(directory, name)
  return undefined
}

const C_TYPES: Readonly<Record<Kind, readonly string[]>> = {
  p: ['void *'],
  s: ['str'],
  u: ['uint32'],
  i: ['int'],
  b: ['bool'],
  v: ['void'],
  ps: ['uint32', 'void **'],
}

type Anything = (...args: readonly unknown[]) => unknown

/** Arrays become their length and themselves. */
const spreadingArrays =
  (call: Anything): Anything =>
  (...args) => {
    const flat: unknown[] = []
    for (const arg of args) {
      if (Array.isArray(arg)) flat.push(arg.length, arg)
      else flat.push(arg)
    }
    return call(...flat)
  }

let configured = false

export const loadNativeLibrary = async (path: string): Promise<Library> => {
  const koffi = (await import('koffi')).default
  // Only once a process, and before the first library is loaded.
  if (!configured) koffi.config({ sync_stack_size: 16 << 20 })
  configured = true
  const library = koffi.load(path)
  const functions: Record<string, Anything> = {}
  for (const [name, [result, ...args]] of Object.entries(FUNCTIONS) as [string, readonly [Kind, ...Kind[]]][]) {
    const call = library.func(
      `Z3_${name}`,
      C_TYPES[result]![0]!,
      args.flatMap((arg) => C_TYPES[arg]),
    ) as unknown as Anything
    functions[name] = args.includes('ps') ? spreadingArrays(call) : call
  }
  const z3 = functions as unknown as Functions
  const handlerType = koffi.pointer(koffi.proto('void', ['void *', 'int']))
  const setErrorHandler = library.func('Z3_set_error_handler', 'void', ['void *', handlerType])
  const handler = koffi.register((context: Handle, code: number) => {
    throw solverError(z3.get_error_msg(context, code))
  }, handlerType)
  return {
    name: 'native',
    version: z3.get_full_version(),
    path,
    functions: z3,
    installErrorHandler: (context) => void setErrorHandler(context, handler),
    dispose: () => koffi.unregister(handler),
  }
}

/** Only Z3_interrupt, for the thread that keeps time. */
export const loadInterrupt = async (path: string): Promise<(addressOfContext: bigint) => void> => {
  const koffi = (await import('koffi')).default
  if (!configured) koffi.config({ sync_stack_size: 16 << 20 })
  configured = true
  const interrupt = koffi.load(path).func('Z3_interrupt', 'void', ['void *'])
  return (address) => void interrupt(address)
}
