// Persistent sets on automata: the "basic" reduction of aapor.txt (Algorithm 1), with threads instead of actions as
// members. A set of threads is closed if no thread outside can ever do anything that conflicts with what a thread
// inside does next, enabled or not; the enabled next actions of its members are then a persistent set. Departing from
// the paper, next edges that are blocked count (another thread could release them), as soundness.md 2 demands.

/** Whether the next action of one thread conflicts with anything that the other may ever do. */
export type FutureConflict = (inside: number, outside: number) => boolean

/** The least closed set with `seed`, out of the threads `live`; sets are bits. */
export const closedSet = (seed: number, live: number, conflicts: FutureConflict): number => {
  let closed = 1 << seed
  let unvisited = closed
  while (unvisited !== 0) {
    const inside = 31 - Math.clz32(unvisited)
    unvisited &= ~(1 << inside)
    let outside = live & ~closed
    while (outside !== 0) {
      const candidate = 31 - Math.clz32(outside)
      outside &= ~(1 << candidate)
      if (conflicts(inside, candidate)) {
        closed |= 1 << candidate
        unvisited |= 1 << candidate
      }
    }
  }
  return closed
}

export const sizeOf = (set: number): number => {
  let count = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) count++
  return count
}
