// What the variables and regions of a program are called in formulas.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Region, Variable } from '../model.js'
import type { Encoding } from './encoding.js'

export interface Names {
  variable(v: Variable, thread: number): string
  region(r: Region, thread: number): string
}

/** Globals by their name, locals with the thread's number before it; ids tell equal names apart. */
export const defaultNames: Names = {
  variable: (v, thread) => (v.scope === 'global' ? `${v.name}#${v.id}` : `${thread}:${v.name}#${v.id}`),
  region: (r, thread) => (r.scope === 'global' ? `memory:${r.name}#${r.id}` : `${thread}:memory:${r.name}#${r.id}`),
}

/** The plain term of a variable or a region, as `Names` calls it. */
export const variableTerm = (v: Variable, thread: number, encoding: Encoding, names: Names = defaultNames): Term =>
  logic.variable(names.variable(v, thread), encoding.sortOf(v.type))
export const regionTerm = (r: Region, thread: number, encoding: Encoding, names: Names = defaultNames): Term =>
  logic.variable(names.region(r, thread), encoding.regionSort(r))
