// Which threads access a shared variable, where, and under which locks: what an editor shows for a variable, and what a
// proof rests on for a reader. The locks are those that movers are computed from: surely held, never only perhaps.
import { errorsOf } from '../../property/index.js'
import {
  type Access,
  accessesOf,
  type Edge,
  isAtomicStep,
  type MemoryAccess,
  type Position,
  type Program,
  type VariableAccess,
} from '../../xcfa/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import { inferBlocks } from './program/reduce.js'
import { specialise } from './program/specialise.js'

export interface SharedVariable {
  /** As the source calls it: `counter`, `queue.head`, `malloc at f.c:12`. */
  readonly name: string
  readonly accesses: readonly SharedAccess[]
}

interface SharedAccess {
  readonly thread: string
  readonly position: Position
  readonly text: string
  readonly write: boolean
  readonly atomic: boolean
  readonly locks: readonly string[]
}

/** Variables that more than one thread accesses, in the order of their names. */
export const protectionOf = (raw: Program): readonly SharedVariable[] => {
  const { program, threads } = specialise(prepare(errorsOf(raw, 'no-data-race'), { slice: false }))
  const { movers } = inferBlocks(threads)
  const lockName = lockNames(program)
  const found = new Map<string, Map<string, SharedAccess>>()
  const users = new Map<string, Set<string>>()
  for (const { template, number } of threads)
    for (const edge of template.edges) {
      const locks = [...movers.held(edge.source)].map(lockName).sort()
      for (const access of accessesOf(edge)) {
        const name = nameOf(access)
        if (name === undefined || name.startsWith(LIBRARY) || isAtomicStep(edge)) continue
        const thread = template.name.replace(/ \d+$/, '')
        const of = users.get(name) ?? new Set()
        users.set(name, of.add(template.name))
        // Any number of instances: more than one thread by itself.
        if (number === undefined) of.add(`${template.name} again`)
        const accesses = found.get(name) ?? new Map<string, SharedAccess>()
        found.set(name, accesses)
        const { write, atomic } = access
        const { position, text } = sourceOf(edge)
        const key = [thread, position.file, position.line, position.column, write, locks].join(' ')
        accesses.set(key, { thread, position, text, write, atomic, locks })
      }
    }
  return [...found]
    .filter(([name]) => users.get(name)!.size > 1)
    .map(([name, accesses]) => ({ name, accesses: [...accesses.values()] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Variables of the library's models: nothing that a reader of the program knows. */
const LIBRARY = '__heddle'

const sourceOf = (edge: Edge): Edge => edge.origins?.at(0) ?? edge

/** What is accessed, as the source calls it; undefined: nothing that others see. */
export const nameOf = (access: Access): string | undefined => {
  switch (access.kind) {
    case 'variable':
      return variableName(access)
    case 'memory':
      return access.region.scope === 'local' ? undefined : regionName(access)
    case 'allocation':
      return undefined
  }
}

const variableName = ({ variable }: VariableAccess): string | undefined => variable.source

/** All slots of one object: its name, with the path where there is one cell only. */
const regionName = ({ region }: MemoryAccess): string | undefined => {
  const [first] = region.slots
  if (!first || region.slots.some(({ object }) => object !== first.object)) return region.name
  const { object, offset } = first
  const cell = region.slots.length === 1 ? object.cells.find((c) => c.offset === offset) : undefined
  return `${object.name}${cell && first.count === 1 ? cell.path : ''}`
}

export const lockNames = ({ objects, globals }: Program): ((address: number) => string) => {
  return (address) => {
    if (address < 0) return globals.find((v) => v.id === -1 - address)?.name ?? `lock ${address}`
    const object = objects.find((o) => address >= o.base && address < o.base + o.size)
    if (!object) return `0x${address.toString(16)}`
    const offset = address - object.base
    const member = object.cells.find((c) => c.offset === offset)?.path.replace(/\.[^.]*$/, '')
    return offset === 0 && !member ? object.name : `${object.name}${member ?? `+${offset}`}`
  }
}

/** `heddle show --shared`: a variable a paragraph. */
export const protectionText = (raw: Program): string =>
  protectionOf(raw)
    .map(({ name, accesses }) => `${[name, ...accesses.map((access) => `  ${accessText(access)}`)].join('\n')}\n`)
    .join('\n')

const accessText = ({ thread, position, text, write, atomic, locks }: SharedAccess): string => {
  const how = `${atomic ? 'atomic ' : ''}${write ? 'write' : 'read'}`
  const under = locks.length > 0 ? `under ${locks.join(', ')}` : 'no lock'
  return `${position.file}:${position.line}  ${how}  ${thread}  ${under}  ${text}`
}
