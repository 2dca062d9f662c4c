// What the page and an engine's worker say to each other.
import type { Outcome, Progress, Request } from '../../src/run/call/request.js'
import type { Facts } from '../../src/xcfa/passes/index.js'

export interface Start {
  readonly request: Request
}

export type FromWorker =
  | { readonly type: 'facts'; readonly facts: Facts }
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'outcome'; readonly outcome: Outcome }
