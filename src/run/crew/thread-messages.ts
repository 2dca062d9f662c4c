// What the threads of an engine's process share: numbers to wait for, and a channel to each helper. All of it works
// without an event loop, because a search never returns to one.
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { Message, Order } from '../../engine/crew.js'
import type { Request } from '../call/request.js'
import type { SearchOverQueue } from '../queue/lead.js'

export const ENTRY = new URL('./engine-process.cjs', import.meta.url)

/** What a thread begins with: one that helps, or one that talks to the queue. */
export type ThreadData =
  | HelperData
  | {
      readonly kind: 'queue'
      readonly search: SearchOverQueue
      readonly shared: SharedArrayBuffer
      readonly port: MessagePort
    }

export interface HelperData {
  readonly kind: 'helper'
  readonly request: Request
  readonly shared: SharedArrayBuffer
  readonly port: MessagePort
  /** Its slot among the shared numbers. */
  readonly slot: number
  /** Of searches that are over, whether they ended with a proof: it decides which one comes next. */
  readonly past: readonly boolean[]
}

/** Counts what was sent to the leader. */
export const LEADER_SLOT = 0
/** 1: somebody has nothing to do. */
export const WANTED_SLOT = 1
/** For the queue: whether the search is over. */
export const OVER_SLOT = 1
export const FIRST_HELPER_SLOT = 2

/** Tells the owner of a slot that something has arrived. */
export const ring = (slots: Int32Array, slot: number): void => {
  Atomics.add(slots, slot, 1)
  Atomics.notify(slots, slot)
}

export const receive = <T extends Message | Order>(port: MessagePort): T | undefined =>
  receiveMessageOnPort(port)?.message as T | undefined
