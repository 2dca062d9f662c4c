// Loads the engines' process (engine-process.ts, built as one script) together with the code that V8 compiled for it:
// most of the time of a short run would otherwise go into compiling what it calls. The build keeps that code beside the
// script; one of another version of V8, or for other flags, is not taken. Where there is none, as in an installed
// package, Node keeps one of its own from the first run on, if it can (22.1 and later).
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/** The build puts the script's name here. */
declare const ENGINE_SCRIPT: string

const file = fileURLToPath(new URL(ENGINE_SCRIPT, import.meta.url))
const cache = `${file}.cache`
/** Set in the build: what this run has compiled is for later runs. */
const writesCache = Boolean(process.env['HEDDLE_WRITE_CODE_CACHE'])
const require = createRequire(import.meta.url)

const runWithCache = (): void => {
  // The build escapes all but ASCII, so that the text need not be decoded.
  const script = new Script(`(function (require, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`, {
    filename: file,
    ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
  })
  if (writesCache)
    process.on('exit', () => {
      const fresh = `${cache}.${process.pid}`
      writeFileSync(fresh, script.createCachedData())
      renameSync(fresh, cache)
    })
  const run = script.runInThisContext() as (require: NodeJS.Require, filename: string, directory: string) => void
  run(require, file, dirname(file))
}

const { enableCompileCache } = module as { enableCompileCache?: () => unknown }
if (writesCache || existsSync(cache) || !enableCompileCache) runWithCache()
else {
  enableCompileCache()
  require(file)
}
