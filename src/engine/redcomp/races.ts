// Freedom of data races without exploring anything: every two accesses that could race belong to threads that never run
// at the same time, or are made with a common lock held (the analysis behind the movers, redcomp.txt section V-A).
// It proves or says nothing.

import { errorsOf, mayRace } from '../../property/index.js'
import { type Conflict, movers } from '../../reduction/index.js'
import { type Claim, claimAt, type Result } from '../../verdict/index.js'
import { inconclusive } from '../../verdict/reason.js'
import { unknown } from '../../verdict/result.js'
import type { Edge, Position } from '../../xcfa/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import { owedWithoutValues } from '../../xcfa/terms/index.js'
import type { Env, Task } from '../engine.js'
import { specialise } from './program/specialise.js'
import { nameOf } from './protection.js'

export const verifyRaceFreedom = ({ raw, property }: Task, env: Env): Result => {
  // One access an edge, so that each has its own locks.
  const program = prepare(errorsOf(raw, property), { slice: false, largeBlocks: false })
  const owed = owedWithoutValues(program)
  if (owed) return unknown({ kind: 'obligation', obligation: owed.kind, at: owed.edge.position })
  const { proved, open } = decideInTurn((merged) => {
    const { threads } = specialise(program, { keepAccesses: true, merged })
    return decideVariables(movers(threads).conflicts(mayRace))
  })
  const [first] = open.values()
  if (first) {
    env.known?.({
      kind: 'races',
      proved,
      open: [...open].map(([name, [a, b]]) => ({ name, accesses: [claimOf(a), claimOf(b)] })),
    })
    const [one, other] = first.map(({ position, text }) => `${text} at ${place(position)}`)
    return unknown(inconclusive(`no lock protects ${one} and ${other}`))
  }
  return {
    verdict: 'true',
    certificate: { kind: 'locks', data: {} },
    stats: {},
    assumptions: [{ kind: 'valid-dereferences', status: 'open' }],
  }
}

interface Decided {
  readonly proved: readonly string[]
  readonly open: ReadonlyMap<string, readonly [Edge, Edge]>
}

/** Handles and arguments that loops compute are known of loops (`merged`), not of the threads that they start one by one. */
const decideInTurn = (decide: (merged: boolean) => Decided): Decided => {
  const first = decide(false)
  if (first.open.size === 0) return first
  const second = decide(true)
  return {
    proved: [...new Set([...first.proved, ...second.proved])].sort(),
    open: new Map([...first.open].filter(([name]) => second.open.has(name))),
  }
}

/** Variable by variable: what is race-free, and for all others two accesses that nothing keeps apart. */
const decideVariables = (conflicts: Iterable<Conflict>): Decided => {
  const names = new Set<string>()
  const open = new Map<string, readonly [Edge, Edge]>()
  for (const { edges, access, isApart } of conflicts) {
    const name = nameOf(access) ?? 'memory without a name'
    names.add(name)
    if (!open.has(name) && !isApart()) open.set(name, edges)
  }
  return { proved: [...names].filter((name) => !open.has(name)).sort(), open }
}

const claimOf = (edge: Edge): Claim => {
  const { position, text } = edge.origins?.at(0) ?? edge
  return claimAt(position, text)
}

const place = ({ file, line }: Position): string => `${file}:${line}`
