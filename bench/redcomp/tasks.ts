// The programs of table I with their expected verdicts: `tasks/` holds them as files for `heddle bench bench/redcomp`.
import { p1, p2, stack, twostage } from './programs.js'

export interface BenchTask {
  readonly name: string
  readonly text: string
  readonly safe: boolean
}

export const TASKS: readonly BenchTask[] = [
  ...[1, 5, 10, 50].map((x) => ({ name: `p1-${x}`, text: p1(x), safe: true })),
  ...[1, 5, 10, 50].map((x) => ({ name: `p2-${x}`, text: p2(x), safe: true })),
  ...[5, 10].flatMap((n) => [
    { name: `stack-safe-${n}`, text: stack(n, true), safe: true },
    { name: `stack-unsafe-${n}`, text: stack(n, false), safe: false },
  ]),
  { name: 'twostage-3-unsafe', text: twostage(3), safe: false },
]
