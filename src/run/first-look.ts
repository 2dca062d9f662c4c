// A first look at a program, before it is inlined: one that starts no threads and asks for no input has one execution,
// and executing it decides reachability (src/semantics/sequential).
import { maySeeAddresses, runSequential } from '../semantics/index.js'
import { assumedOfExecution, ledgerOf, type Report, type Result } from '../verdict/index.js'
import type { Unit } from '../xcfa/index.js'
import type { Request } from './call/request.js'

/** Thrown to end loading: the report is there. */
export class Decided extends Error {
  constructor(readonly report: Report) {
    super('decided')
  }
}

const PROPERTIES: readonly string[] = ['assert', 'unreach-call', 'no-overflow']

/** Of the time that is left, at most this part, and at most so long: engines need theirs. */
const SHARE = 0.4
const MAX_MS = 20_000

export const firstLook = (request: Request, isStopped: () => boolean): ((unit: Unit) => void) | undefined => {
  const isBounded = Number(request.engineOptions['contexts'] ?? 0) > 0
  if (request.engine !== 'explicit' || isBounded || !PROPERTIES.includes(request.property)) return undefined
  return (unit) => {
    if (maySeeAddresses(unit)) return
    const began = Date.now()
    const end = began + Math.min(MAX_MS, (request.deadline - began) * SHARE)
    const run = runSequential(unit, {
      property: request.property,
      stopped: () => (isStopped() || Date.now() > end ? 'timeout' : undefined),
    })
    if (run.kind === 'ended') throw new Decided(reportOf(request, unit, run.steps, Date.now() - began))
  }
}

const reportOf = (request: Request, unit: Unit, steps: number, time_ms: number): Report => {
  const result: Result = {
    verdict: 'true',
    certificate: { kind: 'exploration', data: { states: steps, transitions: steps, por: 'none' } },
    stats: { nodes: steps, edges: steps },
    assumptions: [{ kind: 'valid-dereferences', status: 'discharged' }],
  }
  return {
    verdict: 'true',
    property: request.property,
    file: request.files[0]!,
    engine: request.engine,
    options: request.engineOptions,
    time_ms,
    memory_mb: 0,
    stats: result.stats,
    assumptions: [...ledgerOf(result, { ...request, notes: unit.notes ?? [] }), ...assumedOfExecution(unit, request)],
    certificate: result.certificate,
    program: { threads: 1, sharedVariables: unit.globals.filter(({ source }) => source !== undefined).length },
  }
}
