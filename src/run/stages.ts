// The engines of `auto` for a property and what is known of the program; the playground in a browser takes them from
// here, too.
import { misfit } from '../engine/index.js'
import { ENGINES } from '../engine/registry.js'
import type { Property } from '../property/index.js'
import type { Facts } from '../xcfa/passes/index.js'

export interface Stage {
  readonly engine: string
  readonly options: Readonly<Record<string, string>>
  /** How long its turns are, beside those of others. Those of redcomp are long: limits inside it go on while it waits. */
  readonly weight: number
}

export const stagesFor = (property: string, facts: Facts | undefined): readonly Stage[] => {
  const [first, ...others] = stagesOf(property, facts)
  // Under rc11 only bmc and graphs prove; graphs where bmc's bound is never enough.
  return facts?.weakOrders
    ? [first!, stage('bmc', 2), stage('graphs', 2), ...others.filter(({ engine }) => engine !== 'bmc')]
    : [first!, ...others]
}

const stagesOf = (property: string, facts: Facts | undefined): readonly Stage[] => {
  // Locks that are held tell most of it at once.
  if (property === 'no-data-race')
    return [
      ...[stage('explicit', 3), stage('redcomp', 2), stage('bmc', 2), FEW_SWITCHES],
      ...[stage('cegar', 3), stage('impact', 2)],
    ]
  // Unrolling is complete then: nothing else is surer.
  if (facts && !facts.loops)
    return [
      ...[stage('explicit', 3), stage('bmc', 8), stage('cegar', 3), stage('redcomp', 8)],
      ...[stage('impact', 2), stage('commute', 4), FEW_SWITCHES],
    ]
  // Only a proof thread by thread holds for any number of them; bugs show with few.
  if (facts?.startsInLoop)
    return [
      ...[stage('explicit', 3), stage('bmc', 2), FEW_SWITCHES, stage('redcomp', 12), stage('cegar', 3)],
      ...[stage('impact', 2), stage('commute', 1)],
    ]
  // Loops that must agree with each other whatever the inputs are: few others prove that.
  if (facts?.loopsInStep)
    return [
      ...[stage('explicit', 3), stage('bmc', 5), FEW_SWITCHES, stage('commute', 24), stage('cegar', 3)],
      ...[stage('redcomp', 6), stage('impact', 2)],
    ]
  // Loops of several threads that must agree with each other are what is left after the others' first turns.
  return [
    ...[stage('explicit', 3), stage('bmc', 2), FEW_SWITCHES, stage('cegar', 3), stage('redcomp', 8)],
    ...[stage('commute', 4), stage('impact', 2)],
  ]
}

const stage = (engine: string, weight: number): Stage => ({ engine, weight, options: {} })

/** Most bugs need few context switches; and what holds with few of them is worth knowing where nothing is decided. */
const FEW_SWITCHES: Stage = { engine: 'explicit', weight: 2, options: { order: 'switches' } }

export const decides = (name: string, property: string): boolean => {
  const engine = ENGINES.find((e) => e.name === name)
  return engine !== undefined && misfit(engine, {}, property as Property) === undefined
}
