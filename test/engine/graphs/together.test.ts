// A search by a leader and a helper that hands over whenever it is asked: nothing is lost, nothing is counted twice.
import { expect, it } from 'vitest'
import type { Branches, Helper, Leader, Message, Order, Totals } from '../../../src/engine/crew.js'
import type { Env } from '../../../src/engine/engine.js'
import { graphsEngine } from '../../../src/engine/graphs/index.js'
import type { Result } from '../../../src/verdict/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'

const parser = await testParser()

const INCREMENTS = `#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *t(void *p) { atomic_fetch_add(&x, 1); return 0; }
int main() { pthread_t a, b, c, d, e, f; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);
  pthread_create(&c, 0, t, 0); pthread_create(&d, 0, t, 0); pthread_create(&e, 0, t, 0); pthread_create(&f, 0, t, 0);
  return 0; }`

const run = (crew: Env['crew']): Result =>
  graphsEngine.verify(
    {
      raw: compileProgram(parser, INCREMENTS),
      property: 'assert',
      settings: { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true },
    },
    {},
    { stopped: () => undefined, progress: () => {}, ...(crew && { crew }) },
  )

/** Runs the helper to its end whenever the leader looks for messages. */
class OneHelper implements Leader {
  readonly role = 'leader'
  readonly searches = true
  private given: (readonly Branches[])[] = []
  handedOver = 0
  /** It is ready every second time that somebody waits for it. */
  private waits = 0

  wanting(): number {
    return this.given.length === 0 ? 1 : 0
  }
  give(subtrees: readonly Branches[]): void {
    this.given.push(subtrees)
  }
  isBusy(): boolean {
    return this.given.length > 0
  }
  over(): void {}

  receive(mayWait: boolean): readonly Message[] {
    const isReady = mayWait && ++this.waits % 2 === 0
    const subtrees = isReady ? this.given.shift() : undefined
    if (!subtrees) return []
    const messages: Message[] = []
    const orders: Order[] = [
      { kind: 'search', subtrees },
      { kind: 'over', isProved: false },
    ]
    const helper: Helper = {
      role: 'helper',
      next: () => orders.shift()!,
      send: (message) => void messages.push(message),
      wish: () => 'share',
    }
    run(helper)
    this.handedOver += messages.filter(({ kind }) => kind === 'subtrees').length
    return messages
  }
}

it('counts and digest are those of one search', () => {
  const crew = new OneHelper()
  const [alone, together] = [run(undefined), run(crew)]
  expect(alone.stats['executions']).toBe(720)
  expect(together).toMatchObject({ verdict: 'true', stats: { executions: 720, blocked: 0 } })
  if (alone.verdict !== 'true' || together.verdict !== 'true') throw new Error('no proof')
  expect(together.certificate).toEqual(alone.certificate)
  expect(crew.handedOver).toBeGreaterThan(0)
})

it('one who cannot go on leaves the search open', () => {
  const totals: Totals = {
    ...{ executions: 0, blocked: 0, dropped: 0, graphs: 0, events: 0, covered: 0 },
    ...{ digest: '0'.repeat(16), isCut: false, leftOutWrites: false, hasRacingWrites: false },
  }
  class Failing extends OneHelper {
    override receive(mayWait: boolean): readonly Message[] {
      if (!mayWait || !this.isBusy()) return []
      return [
        { kind: 'failed', reason: { kind: 'inconclusive', why: 'it is ill' } },
        { kind: 'totals', totals, isDone: true },
      ]
    }
  }
  expect(run(new Failing())).toMatchObject({ verdict: 'unknown', reason: { why: 'it is ill' } })
})
