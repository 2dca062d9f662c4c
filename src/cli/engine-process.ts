// The process in which an engine runs: front end, engine, replay of what it found. The request comes on standard
// input; progress and the outcome go as lines of JSON to file descriptor 3. Everything here may be killed at any time.
import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import { ENGINES, type Env, type Options, type Task, verifyUnderMemoryModel } from '../engine/index.js'
import { InputError, WEAK_ORDER } from '../frontend/c/index.js'
import { firstPrimitive } from '../frontend/cooperative/index.js'
import type { Property } from '../property/index.js'
import type { SmtKind } from '../smt/index.js'
import type { Report } from '../verdict/index.js'
import { reportOf } from '../verdict/index.js'
import { Unsupported } from '../xcfa/index.js'
import { factsOf } from '../xcfa/passes/index.js'
import { crossChecked } from './cross-check.js'
import { Decided, firstLook } from './first-look.js'
import { diagnosticLine, type Loaded, loadProgram } from './load.js'
import type { Message, Outcome, Request } from './request.js'

const send = (message: Message): void => {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(3, bytes, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

const PROGRESS_MS = 150

const environment = (request: Request): Env => {
  const parent = process.ppid
  let shown = 0
  return {
    stopped: () => {
      if (process.ppid !== parent) process.exit(3)
      return Date.now() >= request.deadline ? 'timeout' : undefined
    },
    write: (file, text) => writeFileSync(file, text),
    progress: (phase, counts) => {
      const now = Date.now()
      if (now - shown < PROGRESS_MS) return
      shown = now
      send({ type: 'progress', progress: { phase, counts } })
    },
  }
}

/** `proved`: by the engine; the report may still know why that is no proof. */
const verify = async (
  request: Request,
  compiled: Loaded,
  env: Env,
): Promise<{ readonly report: Report; readonly proved: boolean }> => {
  const began = Date.now()
  const engine = await ENGINES.find((e) => e.name === request.engine)!.load()
  const options: Options = Object.fromEntries(
    Object.entries(engine.options).map(([name, spec]) => [name, request.engineOptions[name] ?? spec.default]),
  )
  const scheduled = engine.name === 'esst' ? undefined : firstPrimitive(compiled.program)
  if (scheduled)
    throw new Unsupported(`${scheduled.api} in the engine ${engine.name}, for --engine esst`, scheduled.edge.position)
  const { arith, solver, memoryModel, spuriousWakeups } = request
  const task: Task = {
    raw: compiled.program,
    property: request.property as Property,
    settings: { arith, solver, memoryModel, spuriousWakeups },
    ...(engine.needsSolver && { smt: await (await import('../smt/index.js')).createSmt(solver as SmtKind) }),
  }
  const { result: claimed, raw } = verifyUnderMemoryModel(engine, task, options, env)
  const result = crossChecked(claimed, {
    ...{ raw, property: task.property, smt: task.smt, took: Date.now() - began, now: Date.now },
    ...{ deadline: request.deadline, walks: request.crossCheck === true },
  })
  const report = reportOf(result, {
    ...{ raw, property: task.property, file: request.files[0]!, engine: engine.name, options },
    ...(compiled.notes.includes(WEAK_ORDER) && { weakOrders: true }),
    ...{ notes: compiled.notes, memoryModel, spuriousWakeups, mallocMayFail: request.mallocMayFail },
    time_ms: Date.now() - began,
  })
  const { headersOf } = compiled
  return { report: { ...report, ...(headersOf && { headersOf }) }, proved: result.verdict === 'true' }
}

/** What to do about functions without a definition, all of them at once. */
const waysOn = (names: readonly string[]): string =>
  `No definition: ${names.join(', ')}. Add a file that defines them (heddle stubs FILE... writes one to edit), or say --assume-pure ${names.join(',')} or --extern havoc.`

const unsupportedReport = (request: Request, error: Unsupported, compiled: Loaded | undefined): Report => ({
  verdict: 'unknown',
  reason: error.message,
  ...(compiled &&
    compiled.undefinedFunctions.length > 0 &&
    error.message.includes('without a definition') && {
      hint: waysOn(compiled.undefinedFunctions.map(({ name }) => name)),
    }),
  property: request.property,
  file: request.files[0]!,
  engine: request.engine,
  options: request.engineOptions,
  time_ms: 0,
  memory_mb: 0,
  stats: {},
  assumptions: [],
})

/** What the front end does not support no engine does; what an engine does not, another may. */
const outcomeOf = async (request: Request): Promise<Outcome> => {
  const env = environment(request)
  let compiled: Loaded | undefined
  try {
    env.progress('front end', {})
    compiled = await loadProgram(request, { cut: true, look: firstLook(request, env.stopped) })
    const warnings = compiled.undefinedFunctions.map(({ name, position }) =>
      diagnosticLine({ severity: 'warning', text: `function ${name} has no definition`, position }),
    )
    send({ type: 'facts', facts: factsOf(compiled.program), warnings })
    const { report, proved } = await verify(request, compiled, env)
    // No violation on the executions that were not cut: of the others nothing is known.
    if (report.verdict === 'true' && compiled.cut)
      return { kind: 'report', report: unsupportedReport(request, compiled.cut, compiled), forAll: true }
    return { kind: 'report', report, ...(proved && { forAll: true as const }) }
  } catch (error) {
    if (error instanceof Decided) return { kind: 'report', report: error.report, forAll: true }
    if (error instanceof InputError) return { kind: 'input-error', diagnostics: error.diagnostics.map(diagnosticLine) }
    if (!(error instanceof Unsupported)) throw error
    return {
      kind: 'report',
      report: unsupportedReport(request, error, compiled),
      ...(!compiled && { forAll: true as const }),
    }
  }
}

const serve = async (): Promise<never> => {
  const request = JSON.parse(readFileSync(0, 'utf8')) as Request
  send({ type: 'outcome', outcome: await outcomeOf(request) })
  process.exit(0)
}

void serve()
