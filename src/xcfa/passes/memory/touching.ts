// Comparisons that could tell which objects touch each other. The end of an object may have the address of one that
// happens to lie right behind it (C11 6.5.9p6), and a block may begin inside of a larger one that was freed. Objects here
// are always apart, so that a verdict has to mention such a comparison.
import type { MemoryObject, Position, Program, Slot } from '../../model.js'
import { candidates } from './observed-addresses.js'
import { pointsTo } from './points-to.js'
import { freedObjects, isWaitersComparison } from './reuse.js'

/** What a verdict has to mention. `seesFreed`: whoever executes the program notices comparisons with freed blocks. */
export const touchingObjects = (program: Program, seesFreed: boolean): readonly string[] => {
  const sites = candidates(program, ({ op }) => op === 'eq' || op === 'ne').filter(
    ({ edge }) => !isWaitersComparison(edge),
  )
  if (sites.length === 0) return []
  const pointers = pointsTo(program)
  const freed = seesFreed ? new Set<MemoryObject>() : freedObjects(program, pointers)
  const first = (mayTouch: (a: Slot, b: Slot) => boolean): Position | undefined =>
    sites.find(({ compare, procedure }) => {
      const [left, right] = [compare.left, compare.right].map((side) => pointers.targets(side, procedure))
      return left!.some((a) => right!.some((b) => mayTouch(a, b) || mayTouch(b, a)))
    })?.edge.position
  const end = first((a, b) => a.object !== b.object && mayBeEnd(a) && b.offset === 0)
  const inside = first((a, b) => freed.has(a.object) && b.object.storage === 'heap' && mayBeInside(a, b))
  return [
    ...(end ? [`no object begins where another one ends (${placeText(end)})`] : []),
    ...(inside ? [`no block begins inside of one that was freed (${placeText(inside)})`] : []),
  ]
}

/** How long a block is may depend on the execution. */
const mayBeEnd = ({ object, offset, step }: Slot): boolean =>
  step !== 0 || offset === object.size || (object.storage === 'heap' && offset > 0)

/** Two places of one block are apart as long as it lives; the ends of a loop over it are no news. */
const mayBeInside = (a: Slot, b: Slot): boolean =>
  a.object === b.object
    ? a.step === 0 && b.step === 0 && a.offset !== b.offset
    : a.step !== 0 || b.step !== 0 || a.offset !== b.offset

const placeText = ({ file, line }: Position): string => `${file}:${line}`
