// What stands around a race or a deadlock: the locks that a thread holds, what it waits for, who waits for whom in a
// circle.
import { addressName, cellValue, type Layout, type Replay, type Waiting } from '../semantics/index.js'
import { INT } from '../xcfa/index.js'

const OF_LOCKS: ReadonlySet<string> = new Set(['lock', 'trylock', 'unlock', 'read-lock', 'read-unlock'])

/** The locks that a thread holds at the end of the execution: those that were locked in it, by their owner. */
export const locksHeld = ({ steps }: Replay, layout: Layout, thread: number): readonly string[] => {
  const last = steps.at(-1)?.state
  if (!last) return []
  const names = new Map<number, string>()
  for (const { step, state } of steps) {
    const { sync } = step.edge
    if (!sync?.object || !OF_LOCKS.has(sync.kind)) continue
    const { template, locals } = state.threads.at(step.thread)!
    const address = Number(layout.evaluator(template, sync.object)({ globals: state.globals, locals }))
    const name = addressName(layout, address).replace(/(\.__\w+)+$/, '')
    // Locks begin with their owner's number plus one (the pthread model); who only reads is not written there.
    if (Number(cellValue(layout, last, address, INT) ?? 0) === thread + 1) names.set(address, name)
    else if (step.thread !== thread) continue
    else if (sync.kind === 'read-lock') names.set(address, `${name} for reading`)
    else names.delete(address)
  }
  return [...names.values()]
}

/** What has to happen before the thread can go on. */
export const waitsFor = ({ kind, object, text }: Waiting): string => {
  const name = object ?? text
  switch (kind) {
    case 'wait':
    case 'wake':
      return `${name} to be signalled`
    case 'acquire':
      return `${name} to be posted`
    case 'barrier':
      return `the others at ${name}`
    default:
      return name
  }
}

/** Threads of which each waits for the next, and the last for the first; starts with the least number. */
export const circleOf = (waiting: readonly Waiting[]): readonly number[] | undefined => {
  const next = new Map(waiting.map(({ thread, heldBy, joins }) => [thread, heldBy ?? joins]))
  for (const { thread: first } of waiting) {
    const circle: number[] = []
    for (let at: number | undefined = first; at !== undefined && !circle.includes(at); at = next.get(at))
      circle.push(at)
    const back = next.get(circle.at(-1)!)
    if (back === undefined) continue
    const closed = circle.slice(circle.indexOf(back))
    const least = closed.indexOf(Math.min(...closed))
    return [...closed.slice(least), ...closed.slice(0, least)]
  }
  return undefined
}
