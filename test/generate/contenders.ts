// Which engines, with which options, are compared with brute force on generated programs.
import { ENGINES, misfit } from '../../src/engine/index.js'
import type { Property } from '../../src/property/index.js'
import type { Contender } from './harness.js'

/** Of those below, the ones that decide every small program: a search that keeps no states does not come to the end of loops. */
export const decidingContenders = async (property: Property): Promise<readonly Contender[]> =>
  (await solverlessContenders(property)).filter(({ engine }) => engine.name !== 'graphs')

/** Every value of every option of the engines that need no solver, one option at a time, where it makes sense. */
export const solverlessContenders = async (property: Property): Promise<readonly Contender[]> => {
  const contenders: Contender[] = []
  for (const entry of ENGINES) {
    if (entry.needsSolver) continue
    const defaults = Object.fromEntries(Object.entries(entry.options).map(([name, option]) => [name, option.default]))
    const variants = Object.entries(entry.options).flatMap(([name, { values }]) =>
      Array.isArray(values) ? values.map((value) => ({ ...defaults, [name]: value })) : [],
    )
    const all = variants.length > 0 ? variants : [defaults]
    const engine = await entry.load()
    for (const options of all) if (!misfit(entry, options, property)) contenders.push({ engine, options })
  }
  return contenders
}
