// The programs of tables I and II with their expected verdicts; write.ts makes files of them, for
// `heddle bench bench/out/redcomp`.
import { pbzip2 } from './pbzip2.js'
import { p1, p2, stack, twostage } from './programs.js'
import { fig2, philosophers, sync01 } from './termination-programs.js'

export interface BenchTask {
  readonly name: string
  readonly text: string
  readonly property: 'assert' | 'termination'
  readonly holds: boolean
}

const safety = (name: string, text: string, holds: boolean): BenchTask => ({ name, text, property: 'assert', holds })
const ends = (name: string, text: string, holds: boolean): BenchTask => ({ name, text, property: 'termination', holds })

export const TASKS: readonly BenchTask[] = [
  ...[1, 5, 10, 50].map((x) => safety(`p1-${x}`, p1(x), true)),
  ...[1, 5, 10, 50].map((x) => safety(`p2-${x}`, p2(x), true)),
  ...[5, 10].flatMap((n) => [
    safety(`stack-safe-${n}`, stack(n, true), true),
    safety(`stack-unsafe-${n}`, stack(n, false), false),
  ]),
  safety('pbzip2-safe', pbzip2(), true),
  safety('twostage-3-unsafe', twostage(3), false),
  ends('fig2-tacas12', fig2(), true),
  ends('sync01-safe', sync01(false), false),
  ends('sync01-safe-fixed', sync01(true), true),
  ends('dining-philo', philosophers(3, 2), true),
]

/** The definition of a task, in the format of SV-COMP. */
export const definitionOf = ({ name, property, holds }: BenchTask): string => `format_version: '2.0'
input_files: '${name}.c'
properties:
  - property_file: ${property}.prp
    expected_verdict: ${holds}
options:
  language: C
  data_model: LP64
`
