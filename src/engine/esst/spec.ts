// What the command line knows of the engine.
import { type EngineSpec, givenOptions, type OptionsOf, type OptionTable } from '../engine.js'

export const ESST_OPTIONS = {
  por: {
    values: ['none', 'persistent', 'sleep', 'both'],
    default: 'both',
    help: 'partial-order reduction: persistent sets, sleep sets, or both',
  },
  independence: {
    values: ['static', 'guarded'],
    default: 'static',
    help: 'which blocks commute: by what they may access, or by what the regions let them',
  },
  cycles: {
    values: ['expand', 'check'],
    default: 'expand',
    help: 'persistent sets: expand a node on every cycle, or only on those that some execution can follow',
  },
  scheduler: {
    values: ['auto', 'fairthreads', 'systemc', 'priority'],
    default: 'auto',
    help: 'the scheduler that is executed; auto: the one of the library that the program uses',
  },
  order: {
    values: ['anew', 'fixed'],
    default: 'anew',
    help: 'FairThreads: each round chooses its order, or every order of the first round, then kept',
  },
  switches: {
    values: 'number',
    default: '0',
    help: 'explore so many choices of the scheduler at most; 0: no bound',
  },
  depth: {
    values: 'number',
    default: '0',
    help: 'follow so many steps of threads on a path at most; 0: no bound',
  },
  regions: {
    values: ['predicate', 'impact'],
    default: 'predicate',
    help: 'regions by predicate abstraction, or labels that only interpolants strengthen',
  },
  precision: {
    values: ['location', 'thread', 'global'],
    default: 'location',
    help: 'where predicates over one thread and globals are tracked',
  },
  leak: {
    values: ['on', 'off'],
    default: 'off',
    help: 'regions of waiting threads see operations with the locals of the running thread, instead of HAVOC',
  },
} as const satisfies OptionTable

export type EsstOptions = OptionsOf<typeof ESST_OPTIONS>

export const esstSpec: EngineSpec = {
  name: 'esst',
  summary:
    'cooperative threads (FairThreads, SystemC): the scheduler is executed, the threads are explored symbolically',
  needsSolver: true,
  decides: ['assert', 'unreach-call'],
  options: ESST_OPTIONS,
  validateOptions: (raw) => {
    const { order, scheduler, precision, leak, regions } = givenOptions(ESST_OPTIONS, raw)
    if (order === 'fixed' && (scheduler === 'systemc' || scheduler === 'priority'))
      return `--order fixed has no meaning for the scheduler ${scheduler}`
    const unused = precision !== undefined && precision !== 'location' ? 'precision' : undefined
    const lazily = unused ?? (leak === 'on' ? 'leak' : undefined)
    if (regions === 'impact' && lazily) return `--${lazily} has no meaning for --regions impact`
    return undefined
  },
}
