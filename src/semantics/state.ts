// States of the interleaving semantics: immutable, with a canonical key.
import type { Halt, Location, Value } from '../xcfa/index.js'
import type { Layout, TemplateLayout } from './layout.js'
import { type Memory, memoryKey } from './memory.js'
import type { Threads } from './threads.js'

export interface ThreadState {
  readonly template: TemplateLayout
  readonly location: Location
  readonly locals: readonly Value[]
  /** Undefined behaviour met on an edge: the thread stays before that edge for ever. */
  readonly stopped?: Halt
}

export interface State {
  readonly globals: readonly Value[]
  readonly memory: Memory
  /** By number: main is 0. */
  readonly threads: Threads
}

const threadKeys = new WeakMap<ThreadState, { readonly layout: Layout; readonly key: number }>()

const threadKey = (layout: Layout, thread: ThreadState): number => {
  const known = threadKeys.get(thread)
  if (known?.layout === layout) return known.key
  const { template, location, locals, stopped } = thread
  const at = template.locationIndex.get(location)
  const key = layout.intern(`${template.index}.${at}${stopped ? '!' : ''}(${valuesKey(locals)})`)
  threadKeys.set(thread, { layout, key })
  return key
}

const valuesKey = (values: readonly Value[]): string => {
  let key = ''
  for (const value of values) key += `${Object.is(value, -0) ? '-0' : value},`
  return key
}

/** Equal exactly for equal states, among those of one layout. */
export const stateKey = (layout: Layout, state: State): string => {
  let key = `${valuesKey(state.globals)}|`
  for (const thread of state.threads) key += `${threadKey(layout, thread)},`
  return `${key}|${memoryKey(layout, state.memory)}`
}

/** Why a thread goes no further although it has not ended: at a halt or error location, or undefined behaviour. */
export const haltOf = (thread: ThreadState): Halt | undefined => {
  if (thread.stopped) return thread.stopped
  const { location } = thread
  if (location.kind === 'halt') return location.reason ?? { kind: 'exit', text: 'the program ends' }
  if (location.kind === 'error') return { kind: 'exit', text: location.violation?.text ?? 'error' }
  return undefined
}

export const hasEnded = (thread: ThreadState): boolean => thread.location.kind === 'final'
