// Indexed variables: `x@3` is x after its third assignment, `x'` the next state's x.
import { renameVariables } from './rewrite.js'
import { type Term, variable } from './term.js'

export const indexed = (v: Term, index: number): Term => variable(`${v.name}@${index}`, v.sort)

/** The variable without its index, and the index (undefined if there is none). */
export const unindexed = (v: Term): { readonly base: Term; readonly index: number | undefined } => {
  const at = v.name.lastIndexOf('@')
  const digits = at < 0 ? '' : v.name.slice(at + 1)
  return /^\d+$/.test(digits)
    ? { base: variable(v.name.slice(0, at), v.sort), index: Number(digits) }
    : { base: v, index: undefined }
}

export const primed = (v: Term): Term => variable(`${v.name}'`, v.sort)

/** Gives each variable the index that the function says, and leaves out those for which it says nothing. */
export const withIndices = (term: Term, indexOf: (v: Term) => number | undefined): Term =>
  renameVariables(term, (v) => {
    const index = indexOf(v)
    return index === undefined ? v : indexed(v, index)
  })
