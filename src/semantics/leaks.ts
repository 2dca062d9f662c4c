// valid-memtrack: when the program ends, every heap object was freed or something still points to it (or into it): a
// variable, memory that outlives the end, or an object that is itself pointed to. Looked at only there: what is lost
// earlier is still lost at the end.

import type { Position, Type } from '../xcfa/index.js'
import { byteAt } from './bytes.js'
import type { Layout } from './layout.js'
import { type Block, initialBlock, type Memory, placeOf } from './memory.js'
import { haltOf, hasEnded, type State, type ThreadState } from './state.js'
import { livenessOf } from './step/liveness.js'

/** A heap object that nothing points to, by name and place of allocation. */
export interface Leak {
  readonly name: string
  readonly position: Position | undefined
}

/** `isGone`: the threads whose variables no longer count, as that of a return from the program's entry. */
export const leakAt = (layout: Layout, state: State, isGone: (thread: number) => boolean): Leak | undefined => {
  const open = liveHeap(layout, state.memory)
  if (open.size === 0) return undefined
  const reach = (address: number): void => {
    const place = placeOf(layout, address)
    const key = place && `${place.owner.index}.${place.instance}`
    const block = key === undefined ? undefined : open.get(key)
    if (key === undefined || !block) return
    open.delete(key)
    scan(layout, block, reach)
  }
  for (const [variable, slot] of layout.globals)
    if (isAddress(layout, variable.type)) reach(Number(state.globals[slot]))
  state.threads.forEach((thread, number) => {
    if (!hasEnded(thread) && !isGone(number)) scanLocals(layout, thread, reach)
  })
  for (const { object, index } of layout.objects) {
    if (object.storage === 'heap') continue
    const instances = object.storage === 'static' ? 1 : state.threads.length
    for (let k = 0; k < instances; k++) {
      const isLost = object.storage === 'thread' && (isGone(k) || hasEnded(state.threads.at(k)!))
      if (!isLost) scan(layout, state.memory[index]?.at(k) ?? initialBlock(layout.objects[index]!), reach)
    }
  }
  const [lost] = open.keys()
  if (lost === undefined) return undefined
  const [owner, instance] = lost.split('.').map(Number)
  const { object } = layout.objects[owner!]!
  return { name: `${object.name}#${instance}`, position: object.position }
}

const isAddress = ({ program }: Layout, type: Type): boolean =>
  type.kind === 'pointer' || (type.kind === 'int' && type.width === (program.dataModel === 'ilp32' ? 32 : 64))

/** The program's variables, and what the translation still needs. */
const scanLocals = (layout: Layout, thread: ThreadState, reach: (address: number) => void): void => {
  const { template, location, locals } = thread
  const { isLiveAt } = livenessOf(template.procedure)
  for (const [variable, slot] of template.slots)
    if (isAddress(layout, variable.type) && (variable.source !== undefined || isLiveAt(variable, location)))
      reach(Number(locals[slot]))
}

const liveHeap = (layout: Layout, memory: Memory): Map<string, Block> => {
  const live = new Map<string, Block>()
  for (const { object, index } of layout.objects)
    if (object.storage === 'heap' && !object.automatic)
      memory[index]?.forEach((block, k) => {
        if (block?.live) live.set(`${index}.${k}`, block)
      })
  return live
}

/** Pointers lie at multiples of their size. */
const scan = ({ program }: Layout, { bytes }: Block, reach: (address: number) => void): void => {
  const size = program.dataModel === 'ilp32' ? 4 : 8
  const word = (at: number): number =>
    byteAt(bytes, at) +
    byteAt(bytes, at + 1) * 2 ** 8 +
    byteAt(bytes, at + 2) * 2 ** 16 +
    byteAt(bytes, at + 3) * 2 ** 24
  for (let at = 0; at + size <= bytes.length; at += size) if (size === 4 || word(at + 4) === 0) reach(word(at))
}

/** Threads of a state in which the program goes on: none has ended it, or failed an assumption. */
export const isRunning = ({ threads }: State): boolean => !threads.some((thread) => haltOf(thread))
