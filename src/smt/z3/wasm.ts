// The z3-solver package's WASM build, called synchronously through the raw exports of its Emscripten module. Only
// loading is asynchronous. Works in Node, in worker threads and in the browser (cross-origin isolated).
import { FUNCTIONS, type Functions, type Handle, type Kind, type Library, SolverError } from './functions.js'

/** What we use of the Emscripten module. */
export interface EmscriptenModule {
  readonly HEAPU8: Uint8Array
  readonly HEAPU32: Uint32Array
  _malloc(bytes: number): number
  _free(address: number): void
  UTF8ToString(address: number): string
  _set_noop_error_handler(context: number): void
  readonly PThread?: {
    readonly unusedWorkers: readonly SolverThread[]
    terminateAllThreads(): void
    allocateUnusedWorker(): void
    loadWasmModuleToWorker(worker: SolverThread): Promise<unknown>
  }
}

interface SolverThread {
  readonly loaded?: boolean
}

export type LoadWasm = () => Promise<EmscriptenModule>

const loadFromPackage: LoadWasm = async () => {
  // In the browser the package's script is loaded beforehand and leaves this function.
  const global = globalThis as { initZ3?: () => Promise<EmscriptenModule> }
  if (global.initZ3) return global.initZ3()
  // @ts-expect-error the package has no types for its Emscripten module
  const imported = (await import('z3-solver/build/z3-built.js')) as {
    default: (overrides: object) => Promise<EmscriptenModule>
  }
  // Its warnings about its own threads are of no use to anyone; failures are thrown.
  return imported.default({ printErr: () => undefined })
}

type Export = (...args: readonly number[]) => number

/** Room for the arrays of calls; longer ones get their own. */
const SCRATCH_WORDS = 4096

export const loadWasmLibrary = async (load: LoadWasm = loadFromPackage): Promise<Library> => {
  const module = await load()
  const scratch = module._malloc(SCRATCH_WORDS * 4)
  const encoder = new TextEncoder()

  const allocateString = (text: string): number => {
    const bytes = encoder.encode(text)
    const address = module._malloc(bytes.length + 1)
    module.HEAPU8.set(bytes, address)
    module.HEAPU8[address + bytes.length] = 0
    return address
  }

  const bind = (name: string, result: Kind, kinds: readonly Kind[]): ((...args: readonly unknown[]) => unknown) => {
    const call = (module as unknown as Record<string, Export>)[`_Z3_${name}`]
    if (!call) return () => unavailable(name)
    const read =
      result === 's' ? (r: number) => module.UTF8ToString(r) : result === 'b' ? (r: number) => r !== 0 : undefined
    if (!kinds.some((kind) => kind === 's' || kind === 'ps' || kind === 'b')) {
      if (!read) return call as (...args: readonly unknown[]) => unknown
      return (...args) => read(call(...(args as readonly number[])))
    }
    return (...args) => {
      const flat: number[] = []
      const owned: number[] = []
      let used = 0
      args.forEach((arg, i) => {
        if (kinds[i] === 's') {
          const address = allocateString(arg as string)
          owned.push(address)
          flat.push(address)
        } else if (kinds[i] === 'ps') {
          const handles = arg as readonly number[]
          const fits = used + handles.length <= SCRATCH_WORDS
          const address = fits ? scratch + used * 4 : module._malloc(handles.length * 4)
          if (fits) used += handles.length
          else owned.push(address)
          module.HEAPU32.set(handles, address >>> 2)
          flat.push(handles.length, address)
        } else flat.push(Number(arg))
      })
      const value = call(...flat)
      const answer = read ? read(value) : value
      for (const address of owned) module._free(address)
      return answer
    }
  }

  const functions: Record<string, unknown> = {}
  for (const [name, [result, ...args]] of Object.entries(FUNCTIONS) as [string, readonly [Kind, ...Kind[]]][])
    functions[name] = bind(name, result, args)
  const z3 = functions as unknown as Functions
  return {
    name: 'wasm',
    version: z3.get_full_version().replace(/^Z3 /, ''),
    path: 'z3-solver (WASM)',
    functions: z3,
    installErrorHandler: (context: Handle) => module._set_noop_error_handler(context as number),
    dispose: () => {
      module._free(scratch)
      // A worker that is still loading would complain; it ends with the process.
      if (module.PThread?.unusedWorkers.every((worker) => worker.loaded)) module.PThread.terminateAllThreads()
    },
  }
}

const unavailable = (name: string): never => {
  throw new SolverError(`the WASM build has no Z3_${name}`)
}
