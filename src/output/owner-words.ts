// A mutex in words. Its field `__owner` is 0 while it is free, otherwise 1 more than the number of the thread that has it.

export const ownerWords = (mutex: string, owner: number): string =>
  owner === 0 ? `${mutex} is free` : `${mutex} is held by ${owner === 1 ? 'main' : `T${owner - 1}`}`
