// What the steps of the thread library order, as C11 and POSIX promise it and no more: to take a lock acquires, to give
// it back releases. The step that takes it writes, too, but whoever merely sees that a lock is held (a trylock that
// fails) is not synchronised with its owner (C11, 7.26.4.4).
import type { MemoryOrder, Sync } from './model.js'

/** The order of a library step's access; `writes`: the step changes something. */
export const syncOrder = (kind: Sync['kind'], access: 'read' | 'write', writes: boolean): MemoryOrder => {
  switch (kind) {
    case 'lock':
    case 'trylock':
    case 'read-lock':
    case 'acquire':
    case 'wake':
      return access === 'read' && writes ? 'acquire' : 'relaxed'
    case 'unlock':
    case 'read-unlock':
    case 'post':
    case 'wait':
      return access === 'read' ? 'relaxed' : 'release'
    case 'signal':
    case 'broadcast':
    case 'barrier':
    case 'once':
      return access === 'read' ? 'acquire' : 'release'
    case 'start':
    case 'join':
      return 'relaxed'
    case 'atomic':
      return 'seq_cst'
  }
}
