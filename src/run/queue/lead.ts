// The coordinator of a search over the queue. It puts the root into the queue, waits until every subtree has a result,
// and adds up. All that it knows is in Redis: one that is started again goes on where the other was.
import type { Message, Totals } from '../../engine/crew.js'
import type { Request } from '../call/request.js'
import { connect, JOB_OPTIONS } from './connection.js'
import { childKey, identityOf, type Job, jobId, ROOT, type RunData, type SubtreeResult } from './jobs.js'
import { Store } from './store.js'

const POLL_MS = 150
const ALIVE_MS = 5000

export interface SearchOverQueue {
  readonly url: string
  readonly request: Request
  readonly past: readonly boolean[]
}

/** Tells what is known so far, as sums; the last message is `isDone`, a violation, or a failure. */
export const leadSearch = async (
  { url, request, past }: SearchOverQueue,
  tell: (message: Message) => void,
  isOver: () => 'no' | 'kept' | 'finished',
): Promise<void> => {
  const connection = await connect(url)
  const store = new Store(connection.redis)
  const { deadline: _, ...lasting } = request
  const identity = identityOf('search', lasting, past)
  const data: RunData = { kind: 'search', request, past }
  const token = await store.open(identity, data)
  const add = async (key: string, subtrees: (Job & { kind: 'subtree' })['subtrees']): Promise<void> => {
    const job: Job = { kind: 'subtree', token, key, subtrees }
    await connection.queue.add('subtree', job, { ...JOB_OPTIONS, jobId: jobId(job) })
  }
  await add(ROOT, [[]])
  const known = new Known()
  let alive = Date.now()
  for (let told = false; isOver() === 'no'; ) {
    if (Date.now() - alive > ALIVE_MS) {
      alive = Date.now()
      await store.keepAlive(token)
      // Whatever was lost on the way is put into the queue again: what is there already stays as it is.
      for (const [key, subtrees] of missingOf(await store.allResults<SubtreeResult>(token))) await add(key, subtrees)
    }
    const news = await store.resultsSince<SubtreeResult>(token, known.results)
    known.add(news)
    if (news.length > 0 && !told) tell({ kind: 'sum', totals: known.totals, isDone: false })
    if (known.isComplete && !told) {
      // What Redis has now is what counts: while it was away it may have lost what was read before.
      const all = await store.allResults<SubtreeResult>(token)
      const sum = new Known()
      sum.add([...all])
      if (missingOf(all).length === 0) {
        for (const message of sum.ending()) tell(message)
        told = true
      } else known.forget()
    } else if (!told) {
      const found = known.ending().filter(({ kind }) => kind !== 'sum')
      for (const message of found) tell(message)
      told = found.length > 0
    }
    if (news.length === 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  if (isOver() === 'finished') await store.forget(identity, token)
  await connection.close()
}

/** Subtrees that have no result yet. */
const missingOf = (results: ReadonlyMap<string, SubtreeResult>) => {
  const missing: [string, SubtreeResult['left'][number]][] = []
  if (!results.has(ROOT)) missing.push([ROOT, [[]]])
  for (const [key, { left }] of results)
    left.forEach((subtrees, i) => {
      if (!results.has(childKey(key, i))) missing.push([childKey(key, i), subtrees])
    })
  return missing
}

/** Results that were read, added up. */
class Known {
  results = 0
  private expected = 1
  private list: Totals[] = []
  private violation: SubtreeResult['violation']
  private failed: SubtreeResult['failed']

  add(news: readonly (readonly [string, SubtreeResult])[]): void {
    for (const [, { totals, left, violation, failed }] of news) {
      this.results++
      this.expected += left.length
      this.list.push(totals)
      this.violation ??= violation
      this.failed ??= failed
    }
    if (this.list.length > 1) this.list = [sumOf(this.list)]
  }

  get totals(): Totals {
    return sumOf(this.list)
  }

  get isComplete(): boolean {
    return this.results >= this.expected
  }

  forget(): void {
    this.results = 0
    this.expected = 1
    this.list = []
  }

  ending(): readonly Message[] {
    const { totals } = this
    if (this.violation)
      return [
        { kind: 'sum', totals, isDone: false },
        { kind: 'violation', branches: this.violation },
      ]
    if (this.failed !== undefined) return [{ kind: 'failed', reason: this.failed }]
    return [{ kind: 'sum', totals, isDone: true }]
  }
}

const sumOf = (list: readonly Totals[]): Totals => {
  const sum = (of: (t: Totals) => number): number => list.reduce((total, t) => total + of(t), 0)
  const doubt = list.find((t) => t.doubt !== undefined)?.doubt
  return {
    executions: sum((t) => t.executions),
    blocked: sum((t) => t.blocked),
    dropped: sum((t) => t.dropped),
    graphs: sum((t) => t.graphs),
    events: list.reduce((most, t) => Math.max(most, t.events), 0),
    covered: sum((t) => t.covered),
    digest: BigInt.asUintN(
      64,
      list.reduce((total, t) => total + BigInt(`0x${t.digest}`), 0n),
    )
      .toString(16)
      .padStart(16, '0'),
    isCut: list.some((t) => t.isCut),
    leftOutWrites: list.some((t) => t.leftOutWrites),
    hasRacingWrites: list.some((t) => t.hasRacingWrites),
    ...(doubt !== undefined && { doubt }),
  }
}
