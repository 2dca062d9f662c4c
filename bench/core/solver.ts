// The trivial incremental check of docs/architecture: push, assert two linear constraints, check, pop; our overhead
// included. Beside the targets, and interpolants of the three series of docs/platform.
// Run: node scripts/run.mjs bench/core/solver.ts
import { add, and, eq, INT_SORT, intConst, le, lt, not, sub, type Term, variable } from '../../src/logic/index.js'
import { createSmt, interpolate, probe, type Smt } from '../../src/smt/index.js'

const TARGETS = { native: 0.08, wasm: 1.2 } as const
const CHECKS = 5000

/** Processor time, which neighbours on the machine disturb less than the clock. */
const milliseconds = (work: () => void): number => {
  const begin = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1000
}

const trivialChecks = (smt: Smt): number => {
  const x = variable('x', INT_SORT)
  const y = variable('y', INT_SORT)
  const solver = smt.solver()
  const round = (count: number): void => {
    for (let i = 0; i < count; i++) {
      solver.push()
      solver.add(le(add(x, y), intConst(i % 50)))
      solver.add(le(intConst(i % 7), x))
      solver.check()
      solver.pop()
    }
  }
  round(500)
  return milliseconds(() => round(CHECKS)) / CHECKS
}

const at = (name: string, i: number): Term => variable(`${name}@${i}`, INT_SORT)
const plusOne = (name: string, i: number): Term => eq(at(name, i + 1), add(at(name, i), intConst(1)))
const steps = (n: number, step: (i: number) => Term): readonly Term[] => Array.from({ length: n }, (_, i) => step(i))

const SERIES: Readonly<Record<string, readonly Term[]>> = {
  'count of 10': [eq(at('x', 0), intConst(0)), ...steps(10, (i) => plusOne('x', i)), lt(intConst(10), at('x', 10))],
  'x = y over 10': [
    eq(at('x', 0), at('y', 0)),
    ...steps(10, (i) => and(plusOne('x', i), plusOne('y', i))),
    not(eq(at('x', 10), at('y', 10))),
  ],
  'x + y <= n over 20': [
    and(eq(at('x', 0), intConst(0)), le(at('y', 0), variable('n', INT_SORT))),
    ...steps(20, (i) => and(plusOne('x', i), eq(at('y', i + 1), sub(at('y', i), intConst(1))))),
    lt(variable('n', INT_SORT), add(at('x', 20), at('y', 20))),
  ],
}

const format = (value: number): string => value.toFixed(3).padStart(10)

for (const { kind, found, version } of await probe()) {
  if (!found) {
    console.log(`${kind}: not found`)
    continue
  }
  const smt = await createSmt(kind)
  console.log(`${kind} (z3 ${version})`)
  console.log(`  trivial incremental check ${format(trivialChecks(smt))} ms, target ${TARGETS[kind]} ms`)
  for (const [name, formulas] of Object.entries(SERIES))
    for (const method of ['farkas', 'newton', 'spacer'] as const) {
      interpolate(smt, formulas, { method })
      const time = milliseconds(() => interpolate(smt, formulas, { method }))
      console.log(`  interpolants, ${name}, ${method} ${format(time)} ms`)
    }
  smt.dispose()
}
