// Freedom of data races without exploring anything: every two accesses that could race belong to threads that never run
// at the same time, or are made with a common lock held (the analysis behind the movers, redcomp.txt section V-A).
// It proves or says nothing.
import { errorsOf, mayRace } from '../../property/index.js'
import { movers } from '../../reduction/index.js'
import type { Result } from '../../verdict/index.js'
import type { Position } from '../../xcfa/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import { openObligation, owedWithoutValues } from '../../xcfa/terms/index.js'
import type { Task } from '../engine.js'
import { specialise } from './program/specialise.js'

export const verifyRaceFreedom = ({ raw, property }: Task): Result => {
  // One access an edge, so that each has its own locks.
  const program = prepare(errorsOf(raw, property), { slice: false, largeBlocks: false })
  const unknown = (reason: string): Result => ({ verdict: 'unknown', reason, stats: {}, assumptions: [] })
  const owed = owedWithoutValues(program)
  if (owed) return unknown(`${openObligation(owed.kind)} at ${place(owed.edge.position)}`)
  const { threads } = specialise(program, { keepAccesses: true })
  const found = movers(threads).unprotected(mayRace)
  if (found) {
    const [one, other] = found.map(({ position, text }) => `${text} at ${place(position)}`)
    return unknown(`no lock protects ${one} and ${other}`)
  }
  return {
    verdict: 'true',
    certificate: { kind: 'locks', data: {} },
    stats: {},
    assumptions: [{ what: 'valid dereferences', status: 'open' }],
  }
}

const place = ({ file, line }: Position): string => `${file}:${line}`
