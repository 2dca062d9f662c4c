// One line a scheduler. Nobody else knows their names.

import { fairThreads } from './fairthreads.js'
import { fixedPriority } from './priority.js'
import type { Scheduler } from './scheduler.js'
import { systemC } from './systemc.js'

export * from './scheduler.js'

export type SchedulerName = 'fairthreads' | 'systemc' | 'priority'

interface Entry {
  /** The library whose primitives it executes. */
  readonly executes: 'fairthreads' | 'systemc'
  readonly create: (order: 'anew' | 'fixed') => Scheduler
}

/** States go only to the scheduler that made them. */
const opaque = (scheduler: object): Scheduler => scheduler as Scheduler

export const SCHEDULERS: Readonly<Record<SchedulerName, Entry>> = {
  fairthreads: { executes: 'fairthreads', create: (order) => opaque(fairThreads(order)) },
  systemc: { executes: 'systemc', create: () => opaque(systemC()) },
  priority: { executes: 'fairthreads', create: () => opaque(fixedPriority()) },
}
