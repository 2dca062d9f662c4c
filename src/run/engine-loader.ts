// Loads the engines' process (engine-process.ts, built as one script) together with the code that V8 compiled for it in
// the build: most of the time of a short run would otherwise go into compiling what it calls. A cache of another
// version of V8, or for other flags, is not taken, and then everything is as without one.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/** The build puts the script's name here. */
declare const ENGINE_SCRIPT: string

const file = fileURLToPath(new URL(ENGINE_SCRIPT, import.meta.url))
const cache = `${file}.cache`
// The build escapes all but ASCII, so that the text need not be decoded.
const script = new Script(`(function (require, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`, {
  filename: file,
  ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
})

// Set in the build: what this run has compiled is for later runs.
if (process.env['HEDDLE_WRITE_CODE_CACHE'])
  process.on('exit', () => {
    const fresh = `${cache}.${process.pid}`
    writeFileSync(fresh, script.createCachedData())
    renameSync(fresh, cache)
  })

const run = script.runInThisContext() as (require: NodeJS.Require, filename: string, directory: string) => void
run(createRequire(import.meta.url), file, dirname(file))
