// One line an engine. What the command line must know of each (`EngineSpec`) is loaded at once, the engine itself only
// in the process that runs it.
import { bmcSpec } from './bmc/spec.js'
import { cegarSpec } from './cegar/spec.js'
import { commuteSpec } from './commute/spec.js'
import type { Engine, EngineSpec } from './engine.js'
import { esstSpec } from './esst/spec.js'
import { explicitSpec } from './explicit/spec.js'
import { graphsSpec } from './graphs/spec.js'
import { impactSpec } from './impact/spec.js'
import { redcompSpec } from './redcomp/spec.js'

interface Entry extends EngineSpec {
  readonly load: () => Promise<Engine>
}

export const ENGINES: readonly Entry[] = [
  { ...explicitSpec, load: async () => (await import('./explicit/index.js')).explicitEngine },
  { ...cegarSpec, load: async () => (await import('./cegar/index.js')).cegarEngine },
  { ...bmcSpec, load: async () => (await import('./bmc/index.js')).bmcEngine },
  { ...impactSpec, load: async () => (await import('./impact/index.js')).impactEngine },
  { ...redcompSpec, load: async () => (await import('./redcomp/index.js')).redcompEngine },
  { ...commuteSpec, load: async () => (await import('./commute/index.js')).commuteEngine },
  { ...esstSpec, load: async () => (await import('./esst/index.js')).esstEngine },
  { ...graphsSpec, load: async () => (await import('./graphs/index.js')).graphsEngine },
]
