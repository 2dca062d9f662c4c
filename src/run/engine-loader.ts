// Loads the engines' process (engine-process.ts, built as one script) together with the code that V8 compiled for it:
// most of the time of a short run would otherwise go into compiling what it calls. That code lies beside the script, in
// a file that is named after V8's version and flags, because V8 refuses code that was compiled with others (and
// `--memory` is such a flag). The build writes the file for the default flags; for others, and in an installed package,
// the first run does. Where nothing can be written, Node keeps compiled code itself, if it can (22.1 and later).
import { accessSync, constants, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/** The build puts the script's name here. */
declare const ENGINE_SCRIPT: string

const file = fileURLToPath(new URL(ENGINE_SCRIPT, import.meta.url))
const cache = `${file}.${cachedDataVersionTag().toString(16)}.cache`
const require = createRequire(import.meta.url)

/** Files of compiled code for this script: each value of `--memory` needs one. */
const MAX_CACHES = 8

const mayWrite = (): boolean => {
  try {
    accessSync(dirname(file), constants.W_OK)
    return (
      readdirSync(dirname(file)).filter((name) => name.startsWith(ENGINE_SCRIPT) && name.endsWith('.cache')).length <
      MAX_CACHES
    )
  } catch {
    return false
  }
}

/** Whole or not at all: several processes may write, and each may be killed. */
const write = (code: Uint8Array): void => {
  try {
    const fresh = `${cache}.${process.pid}`
    writeFileSync(fresh, code)
    renameSync(fresh, cache)
  } catch {
    // The next run compiles again.
  }
}

const runWithCache = (writes: boolean): void => {
  // The build escapes all but ASCII, so that the text need not be decoded.
  const script = new Script(`(function (require, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`, {
    filename: file,
    ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
  })
  // A run that did not get as far as an engine has compiled too little.
  if (writes)
    process.on('exit', (status) => {
      if (status === 0) write(script.createCachedData())
    })
  const run = script.runInThisContext() as (require: NodeJS.Require, filename: string, directory: string) => void
  run(require, file, dirname(file))
}

const { enableCompileCache } = module as { enableCompileCache?: () => unknown }
/** Set in the build, which adds what several engines compile. */
const adds = Boolean(process.env['HEDDLE_WRITE_CODE_CACHE'])
const isThere = existsSync(cache)
const writes = isMainThread && (adds || (!isThere && mayWrite()))
if (writes || isThere || !enableCompileCache) runWithCache(writes)
else {
  enableCompileCache()
  require(file)
}
