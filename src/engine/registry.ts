// One line an engine. What the command line must know of each (`EngineSpec`) is loaded at once, the engine itself only
// in the process that runs it.
import type { Engine, EngineSpec } from './engine.js'

interface Entry extends EngineSpec {
  readonly load: () => Promise<Engine>
}

export const ENGINES: readonly Entry[] = []
