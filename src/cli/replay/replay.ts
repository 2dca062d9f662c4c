// heddle replay: executes a counterexample again, step by step, in the concrete semantics; with --native on real threads.
import { readFileSync } from 'node:fs'
import { InputError } from '../../frontend/c/index.js'
import { renderReplay } from '../../output/replay.js'
import { readWitness, type WitnessRead } from '../../output/witness/read.js'
import { parseArguments, UsageError } from '../../run/call/options.js'
import type { Request } from '../../run/call/request.js'
import { requestFrom } from '../../run/call/request-from.js'
import { diagnosticLine, loadProgram } from '../../run/program/load.js'
import { interpreterOf, replayWith } from '../../semantics/index.js'
import { tellTrace, traceOfSchedule } from '../../verdict/index.js'
import { Unsupported } from '../../xcfa/index.js'
import { hashesOf } from '../hashes.js'
import { STATUS } from '../status.js'
import { styleOf } from '../terminal-style.js'
import { REPLAY_OPTIONS } from './options.js'

export const replay = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, REPLAY_OPTIONS)
  const [witnessFile, ...files] = [parsed.files.at(-1), ...parsed.files.slice(0, -1)]
  if (witnessFile === undefined || files.length === 0)
    throw new UsageError(
      'heddle replay FILE... WITNESS: a program and what heddle verify wrote with --json or --witness',
    )
  const witness = witnessFrom(witnessFile)
  const request = asVerified(requestFrom({ ...parsed, files }, Date.now()), witness, parsed.options)
  requireSameProgram(request.files, witness, witnessFile)
  try {
    return await execute(request, witness, witnessFile, parsed.options)
  } catch (error) {
    if (error instanceof InputError) {
      for (const diagnostic of error.diagnostics) console.error(diagnosticLine(diagnostic))
      return STATUS.wrongInput
    }
    if (!(error instanceof Unsupported)) throw error
    console.error(`heddle: ${error.message}`)
    return STATUS.unknown
  }
}

type Witness = Extract<WitnessRead, { kind: 'witness' }>

const witnessFrom = (file: string): Witness => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file}: ${(error as NodeJS.ErrnoException).code ?? 'cannot be read'}`)
  }
  const witness = readWitness(text)
  if (witness.kind === 'wrong') throw new UsageError(`${file}: ${witness.reason}`)
  return witness
}

/** An execution is one of a certain text: its steps are numbered by it. */
const requireSameProgram = (files: readonly string[], { hashes, report }: Witness, witnessFile: string): void => {
  const now = hashesOf(files)
  const changed = hashes.findIndex((hash, i) => hash !== '' && now[i] !== hash)
  if (changed < 0) return
  const then = report?.task?.files[changed]
  const about = then === undefined || then === files[changed] ? 'a different text of this file' : then
  throw new UsageError(
    `${witnessFile}: it is about ${about}, not about ${files[changed] ?? 'these files'} as it is now (the SHA-256 differs); heddle verify finds an execution of the program as it is`,
  )
}

/** The program is read as it was when the execution was found, unless the call says otherwise. */
const asVerified = (
  request: Request,
  { property, report }: Witness,
  options: ReadonlyMap<string, readonly string[]>,
): Request => {
  const given = (name: string): boolean => options.has(name)
  const task = report?.task
  // A witness comes from anybody: a command in it is never executed.
  if (task?.cpp !== undefined && !given('cpp'))
    throw new UsageError(`the program was preprocessed by another command then: say --cpp ${JSON.stringify(task.cpp)}`)
  return {
    ...request,
    ...(property !== undefined && !given('property') && { property }),
    ...(task && {
      ...(!given('data-model') && { dataModel: task.dataModel }),
      ...(!given('entry') && { entry: task.entry }),
      ...(!given('D') && { defines: task.defines }),
      ...(!given('I') && { includeDirs: task.includeDirs }),
      ...(!given('spurious-wakeups') && { spuriousWakeups: task.spuriousWakeups }),
      ...(!given('malloc-may-fail') && { mallocMayFail: task.mallocMayFail }),
    }),
  }
}

const execute = async (
  request: Request,
  witness: Witness,
  witnessFile: string,
  options: ReadonlyMap<string, readonly string[]>,
): Promise<number> => {
  const { program: raw } = await loadProgram(request, { cut: true })
  const interpreter = interpreterOf(raw)
  const read = traceOfSchedule(raw, witness.schedule)
  if (read.kind === 'wrong') throw new UsageError(`${witnessFile}: ${read.problem}`)
  const { trace } = read
  const replayed = replayWith(interpreter, trace, request.property)
  const given = witness.schedule.steps.length
  if (options.has('native') && replayed.reached) {
    const { replayNatively } = await import('./native.js')
    return replayNatively({ request, interpreter, replayed, keep: options.get('keep')?.[0] })
  }
  const style = styleOf({ options })
  const told = replayed.reached ? tellTrace(replayed, interpreter.layout) : undefined
  if (options.has('json')) {
    const result = { version: 1, reached: replayed.reached, property: request.property, ...(told && { trace: told }) }
    console.log(JSON.stringify(result, null, 2))
    return replayed.reached ? STATUS.false : STATUS.unknown
  }
  process.stdout.write(renderReplay(replayed, interpreter.layout, { property: request.property, given, told }, style))
  return replayed.reached ? STATUS.false : STATUS.unknown
}
