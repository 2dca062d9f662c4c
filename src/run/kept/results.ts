// The folder of `--proofs`: results of earlier runs, each in a file named by what it is about (the program as engines see
// it, the property, how it is read, this build of Heddle), and beside them, by the names of the files, which result was
// the last. The folder is as trustworthy as the build that it belongs to; whoever shares it says --check.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Rejected, readCertificate } from '../../certificate/index.js'
import type { KeptResult } from '../../verdict/index.js'
import type { Request } from '../call/request.js'
import { randomHex, sha256 } from '../hash.js'

/** The engines' script, whose name tells its contents, stands for this build: another one may know better. */
const BUILD = import.meta.url.replace(/.*\//, '')

/** The oldest results go first. */
const MAX_RESULTS = 2000

export interface KeptResults {
  /** The result for exactly this program. */
  find(program: string): KeptResult | undefined
  /** The last result for these files, of a program that may have been another. */
  latest(): KeptResult | undefined
  keep(program: string, result: KeptResult): void
}

export const keptResultsOf = (request: Request): KeptResults | undefined => {
  const { proofs } = request
  if (proofs === undefined) return undefined
  const nameOf = (program: string): string => `${hash([BUILD, questionOf(request), program])}.json`
  const read = (name: string): KeptResult | undefined => {
    const file = join(proofs, name)
    return existsSync(file) ? keptFrom(readFileSync(file, 'utf8')) : undefined
  }
  return {
    find: (program) => read(nameOf(program)),
    latest: () => {
      const last = lastFor(proofs, request)
      return last && read(last.result)
    },
    keep: (program, result) => {
      mkdirSync(proofs, { recursive: true })
      const name = nameOf(program)
      write(proofs, name, JSON.stringify(result))
      const last: Last = { result: name, engine: result.engine }
      write(proofs, lastName(request), JSON.stringify(last))
      prune(proofs)
    },
  }
}

/** The engine that decided these files last time: it is asked first. */
export const lastEngine = (request: Request): string | undefined =>
  request.proofs === undefined ? undefined : lastFor(request.proofs, request)?.engine

interface Last {
  readonly result: string
  readonly engine: string
}

const lastFor = (folder: string, request: Request): Last | undefined => {
  try {
    const { result, engine } = JSON.parse(readFileSync(join(folder, lastName(request)), 'utf8')) as Partial<Last>
    return typeof result === 'string' && /^[0-9a-f]+\.json$/.test(result) && typeof engine === 'string'
      ? { result, engine }
      : undefined
  } catch {
    return undefined
  }
}

const lastName = (request: Request): string => `last-${hash([questionOf(request), request.files.join('\n')])}.json`

/** What is asked, beside the program itself: whatever may change a verdict, and not how long it may take. */
const questionOf = (request: Request): string => {
  const { property, arith, memoryModel, byOrders, spuriousWakeups, mallocMayFail, dataModel, entry } = request
  const { volatileIsAtomic, externs, errorFunctions } = request
  return JSON.stringify([
    ...[property, arith, memoryModel, byOrders === true, spuriousWakeups, mallocMayFail, dataModel, entry],
    ...[volatileIsAtomic === true, externs ?? null, errorFunctions ?? []],
  ])
}

const hash = (parts: readonly string[]): string => sha256(JSON.stringify(parts)).slice(0, 40)

/** Earlier versions wrote assumptions in words only. */
const isLedger = (given: unknown): boolean =>
  Array.isArray(given) && given.every((entry) => typeof (entry as { kind?: unknown } | null)?.kind === 'string')

/** A file that is no kept result is none, whoever wrote it. */
const keptFrom = (text: string): KeptResult | undefined => {
  try {
    const kept = JSON.parse(text) as KeptResult
    if (typeof kept.engine !== 'string' || !isLedger(kept.assumptions)) return undefined
    if (kept.verdict === 'true' && kept.ledger && !isLedger(kept.ledger.assumptions)) return undefined
    if (kept.verdict === 'true') return { ...kept, certificate: readCertificate(kept.certificate) }
    return kept.verdict === 'false' && Array.isArray(kept.schedule?.steps) && Array.isArray(kept.edges)
      ? kept
      : undefined
  } catch (problem) {
    if (problem instanceof Rejected || problem instanceof SyntaxError) return undefined
    throw problem
  }
}

/** Whole or not at all: several processes may write, and each may be killed. */
const write = (folder: string, name: string, text: string): void => {
  const temporary = join(folder, `${name}.${randomHex(16)}`)
  writeFileSync(temporary, text)
  renameSync(temporary, join(folder, name))
}

const prune = (folder: string): void => {
  const names = readdirSync(folder)
  if (names.length <= MAX_RESULTS) return
  const byAge = names.map((name) => ({ name, age: statSync(join(folder, name)).mtimeMs })).sort((a, b) => a.age - b.age)
  for (const { name } of byAge.slice(0, names.length - MAX_RESULTS)) rmSync(join(folder, name), { force: true })
}
