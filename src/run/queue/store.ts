// Results of jobs, in Redis. A run (a search, or a bench) has a token; a job of it has a key. The first result that is
// recorded for a key counts, later ones are ignored: a job may run twice, and counts once. Nothing else is believed:
// whoever adds up reads the results, not what workers say.
import type { Redis } from 'ioredis'
import { randomHex } from '../hash.js'

const KEPT_SECONDS = 86_400
/** Who waits for a run says so that often; jobs of a run that nobody waits for are not begun. */
const ALIVE_SECONDS = 30
const WORKER_SECONDS = 10

export interface WorkerState {
  readonly name: string
  readonly since: number
  readonly jobs: number
  readonly executions: number
  /** What it does now. */
  readonly doing: string
}

const RECORD = `
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1`

export class Store {
  constructor(private readonly redis: Redis) {}

  /** The token of a run that nobody has finished yet, or of a new one. `identity`: what the run is about. */
  async open(identity: string, data: object): Promise<string> {
    await this.redis.hsetnx('heddle:runs', identity, randomHex(8))
    const token = (await this.redis.hget('heddle:runs', identity))!
    await this.redis.set(key(token, 'data'), JSON.stringify(data), 'EX', KEPT_SECONDS)
    await this.keepAlive(token)
    return token
  }

  /** The run is finished: nothing of it is needed any more. */
  async forget(identity: string, token: string): Promise<void> {
    await this.redis.hdel('heddle:runs', identity)
    await this.redis.del(...['data', 'alive', 'results', 'order'].map((part) => key(token, part)))
  }

  async keepAlive(token: string): Promise<void> {
    await this.redis.set(key(token, 'alive'), '1', 'EX', ALIVE_SECONDS)
  }

  /** `gone`: the run is finished, or too old. `left`: nobody waits for it at the moment. */
  async stateOf(token: string): Promise<'alive' | 'left' | 'gone'> {
    const [data, alive] = await this.redis.mget(key(token, 'data'), key(token, 'alive'))
    return data === null ? 'gone' : alive === null ? 'left' : 'alive'
  }

  async dataOf<T>(token: string): Promise<T | undefined> {
    const text = await this.redis.get(key(token, 'data'))
    return text === null ? undefined : (JSON.parse(text!) as T)
  }

  /** Records a result unless there is one; answers with the one that counts. */
  async record<T>(token: string, job: string, result: T): Promise<T> {
    const [results, order] = [key(token, 'results'), key(token, 'order')]
    await this.redis.eval(RECORD, 2, results, order, job, JSON.stringify(result), KEPT_SECONDS)
    return (await this.resultOf<T>(token, job)) ?? result
  }

  async resultOf<T>(token: string, job: string): Promise<T | undefined> {
    const text = await this.redis.hget(key(token, 'results'), job)
    return text === null ? undefined : (JSON.parse(text!) as T)
  }

  /** Results in the order in which they came, from a number on. */
  async resultsSince<T>(token: string, from: number): Promise<readonly (readonly [string, T])[]> {
    const jobs = await this.redis.lrange(key(token, 'order'), from, from + 999)
    if (jobs.length === 0) return []
    const texts = await this.redis.hmget(key(token, 'results'), ...jobs)
    return jobs.flatMap((job, i) => (texts[i] ? [[job, JSON.parse(texts[i]!) as T] as const] : []))
  }

  async allResults<T>(token: string): Promise<ReadonlyMap<string, T>> {
    const texts = await this.redis.hgetall(key(token, 'results'))
    return new Map(Object.entries(texts).map(([job, text]) => [job, JSON.parse(text as string) as T]))
  }

  async tokens(): Promise<readonly string[]> {
    return Object.values(await this.redis.hgetall('heddle:runs')) as string[]
  }

  async showWorker(state: WorkerState): Promise<void> {
    await this.redis.set(`heddle:worker:${state.name}`, JSON.stringify(state), 'EX', WORKER_SECONDS)
  }

  async workers(): Promise<readonly WorkerState[]> {
    const names = await this.redis.keys('heddle:worker:*')
    if (names.length === 0) return []
    const texts = await this.redis.mget(...names)
    return texts.flatMap((text) => (text ? [JSON.parse(text) as WorkerState] : []))
  }
}

const key = (token: string, part: string): string => `heddle:run:${token}:${part}`
