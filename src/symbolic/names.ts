// What the variables of formulas are called, apart from those of the program (xcfa/terms/path.ts). Only this file knows
// how a name begins: whoever wants to know what a variable is asks here.
import type { Sort, Term } from '../logic/index.js'
import * as logic from '../logic/index.js'
import type { Edge, MemoryObject } from '../xcfa/index.js'
import type { Encoding } from '../xcfa/terms/index.js'

const INPUT = 'input:'

/** What a step chooses: the value of its havoc label number `index`. */
export const inputVariable = (index: number, name: string, sort: Sort): Term =>
  logic.variable(`${INPUT}${index}:${name}`, sort)

/** Also of a copy that belongs to one step of a path. */
export const isInput = (term: Term): boolean => term.name?.startsWith(INPUT) === true

const STEP_INPUT = 'choice:'

/** The same of one thread at one edge, for formulas that speak of several steps at once. */
export const stepInputVariable = (thread: number, edge: Edge, index: number, name: string, sort: Sort): Term =>
  logic.variable(`${STEP_INPUT}${thread}:${edge.id}:${index}:${name}`, sort)

export const isStepInput = (term: Term): boolean => term.name?.startsWith(STEP_INPUT) === true

const FINISHED = 'finished:'

/** The thread with this number is at its final location. */
export const finishedVariable = (number: number): Term => logic.variable(`${FINISHED}${number}`, logic.BOOL_SORT)

/** Whose end a variable says. */
export const finishedThread = (term: Term): number | undefined =>
  term.name?.startsWith(FINISHED) ? Number(term.name.slice(FINISHED.length)) : undefined

/** How many instances of a heap object there are, or how far behind the first the next one will be. */
export const allocatedVariable = (object: MemoryObject, encoding: Encoding): Term =>
  logic.variable(`allocated:${object.name}#${object.id}`, encoding.addressSort)
