// From a verifier's execution to a schedule of the real program. The trace is taken block by block: a block is what one
// thread does until another has its turn. For each the program is run along the schedule so far, then the block's
// thread goes on alone; what it is seen to do is aligned with the block (align.ts), which tells how many steps of the
// machine the block is. Choices (inputs, which waiter a signal wakes) are made on the way as the trace has them.
import { joined } from '../beginnings.js'
import type { Choice, RunAnswer, RunRequest, Segment } from '../events.js'
import { align, type Bindings, bind, type NativeItem, nativeItems, scoreOf } from './align.js'
import type { Item, Traced } from './items.js'

export interface Machine {
  readonly run: (request: RunRequest) => Promise<RunAnswer>
  readonly base: RunRequest
  /** Lines of code addresses, all of which are looked up at once. */
  readonly lines: (pcs: readonly number[]) => (pc: number) => number | undefined
  readonly addressOf: (symbol: string) => number | undefined
}

export interface Followed {
  readonly segments: readonly Segment[]
  readonly values: RunRequest['values']
  /** Items of the trace that no step of the machine was found for. */
  readonly missed: number
  readonly items: number
  /** Both accesses of a race, which the threads stand before. */
  readonly race?: { readonly first: NativeItem; readonly second: NativeItem }
}

const MAX_BLOCK = 150
/** What comes later helps to see where a block ends; alone, the thread may soon go another way than in the trace. */
const FUTURE = 3
const MAX_ATTEMPTS = 60
const MAX_ROOM = 200_000
/** A thread that computes for ever without a step is cut; what it did before is known. */
const LOOK_MS = 3000

export const follow = async (machine: Machine, traced: Traced): Promise<Followed> => {
  const following = new Following(machine, traced)
  for (const block of blocksOf(traced.items)) await following.take(block)
  const race = traced.racing.length === 2 ? await following.standBefore(traced.racing) : undefined
  return { ...following.result, ...(race && { race }) }
}

const blocksOf = (items: readonly Item[]): readonly (readonly Item[])[] => {
  const blocks: Item[][] = []
  for (const item of items) {
    const last = blocks.at(-1)
    if (last && last[0]!.thread === item.thread && last.length < MAX_BLOCK) last.push(item)
    else blocks.push([item])
  }
  return blocks
}

class Following {
  private segments: readonly Segment[] = []
  private steps = 0
  private missed = 0
  private readonly bindings: Bindings = new Map()
  /** Choices of each thread that are settled. */
  private readonly settled = new Map<number, bigint[]>()
  /** How many items of each thread are done. */
  private readonly done = new Map<number, number>()
  private readonly ofThread = new Map<number, Item[]>()

  constructor(
    private readonly machine: Machine,
    private readonly traced: Traced,
  ) {
    for (const item of traced.items) {
      const list = this.ofThread.get(item.thread) ?? []
      list.push(item)
      this.ofThread.set(item.thread, list)
    }
    traced.objects.forEach(({ symbol }, object) => {
      const address = symbol === undefined ? undefined : machine.addressOf(symbol)
      if (address !== undefined) this.bindings.set(object, { address, size: this.sizeOf(object) })
    })
  }

  get result(): Omit<Followed, 'race'> {
    const { segments, missed } = this
    return { segments, values: this.values(undefined), missed, items: this.traced.items.length }
  }

  async take(block: readonly Item[]): Promise<void> {
    const { thread } = block[0]!
    const at = this.done.get(thread) ?? 0
    const items = this.ofThread.get(thread)!.slice(at, at + block.length + FUTURE)
    this.done.set(thread, at + block.length)
    const isCovered = (pairs: readonly (number | undefined)[]): boolean =>
      items.every((item, i) => i >= block.length || pairs[i] !== undefined || item.kind === 'spurious')
    const { natives, pairs } = await this.look(thread, 8 * block.length + 60, (seen) => {
      const found = this.alignTwice(items, block.length, seen)
      const last = found.slice(0, block.length).findLast((j) => j !== undefined)
      const itemAt = (step: number): Item | undefined =>
        items[found.findIndex((j) => j !== undefined && seen[j]!.end === step)]
      const end = last === undefined ? this.steps : seen[last]!.end
      return { pairs: found, end, isEnough: isCovered(found), itemAt }
    })
    let end = this.steps
    block.forEach((item, i) => {
      const j = pairs[i]
      if (j === undefined) {
        if (item.kind !== 'spurious') this.missed++
        return
      }
      bind(item, natives[j]!, this.bindings, this.sizeOf)
      end = natives[j]!.end
    })
    this.advance(thread, end)
  }

  private readonly sizeOf = (object: number): number => this.traced.objects[object]!.size

  /** The second time with the addresses that the first has shown. */
  private alignTwice(
    items: readonly Item[],
    own: number,
    natives: readonly NativeItem[],
  ): readonly (number | undefined)[] {
    const first = align(items, own, natives, this.bindings)
    const learnt: Bindings = new Map(this.bindings)
    items.forEach((item, i) => {
      if (first[i] !== undefined) bind(item, natives[first[i]]!, learnt, this.sizeOf)
    })
    return learnt.size === this.bindings.size ? first : align(items, own, natives, learnt)
  }

  /** Lets both threads come to just before their accesses. */
  async standBefore(racing: readonly Item[]): Promise<Followed['race']> {
    const found: NativeItem[] = []
    for (const item of racing) {
      const { natives, pairs } = await this.look(item.thread, 60, (seen) => {
        const j = bestFit(item, seen, this.bindings)
        const end = j === undefined ? this.steps : seen[j]!.end
        return { pairs: [j], end, isEnough: j !== undefined, itemAt: () => item }
      })
      const j = pairs[0]
      if (j === undefined) return undefined
      this.advance(item.thread, j === 0 ? this.steps : natives[j - 1]!.end)
      found.push(natives[j]!)
    }
    const [first, second] = found as [NativeItem, NativeItem]
    return conflict(first, second) ? { first, second } : undefined
  }

  /** What the thread does if it goes on alone, once its choices are those of the trace. */
  private async look(
    thread: number,
    first: number,
    judge: (natives: readonly NativeItem[]) => {
      readonly pairs: readonly (number | undefined)[]
      readonly end: number
      readonly isEnough: boolean
      /** The item that a step of the machine is. */
      readonly itemAt: (step: number) => Item | undefined
    },
  ): Promise<{ readonly natives: readonly NativeItem[]; readonly pairs: readonly (number | undefined)[] }> {
    let room = first
    for (let attempt = 0; ; attempt++) {
      const answer = await this.machine.run({
        ...this.machine.base,
        record: 2,
        segments: joined(this.segments, thread, room),
        values: this.values(thread),
        maxSteps: this.steps + room,
        runMs: LOOK_MS,
      })
      const lines = this.machine.lines(answer.events.map((e) => e.pc))
      const natives = nativeItems(answer.events, thread, this.steps, lines)
      const { pairs, end, isEnough, itemAt } = judge(natives)
      if (!isEnough && answer.steps >= this.steps + room && room < MAX_ROOM) room *= 4
      else if (this.settle(thread, answer, end, itemAt) || attempt >= MAX_ATTEMPTS) return { natives, pairs }
    }
  }

  private advance(thread: number, end: number): void {
    if (end <= this.steps) return
    this.segments = joined(this.segments, thread, end - this.steps)
    this.steps = end
  }

  // ---- choices

  /** Settled choices; of the thread that goes on its next inputs, too, as a guess. */
  private values(guess: number | undefined): RunRequest['values'] {
    return [...this.ofThread.keys(), ...(this.ofThread.has(0) ? [] : [0])].flatMap((thread) => {
      const settled = this.settled.get(thread) ?? []
      const next = thread === guess || guess === undefined ? this.inputs(thread).slice(this.inputsUsed(thread)) : []
      return [...settled, ...next].map((value) => ({ thread, value }))
    })
  }

  private inputs(thread: number): readonly bigint[] {
    return this.traced.inputs.filter((input) => input.thread === thread).map(({ value }) => value)
  }

  private readonly used = new Map<number, number>()
  private inputsUsed(thread: number): number {
    return this.used.get(thread) ?? 0
  }

  /** Takes over the choices up to a step; false if one was not as the trace has it: then the run is to be repeated. */
  private settle(thread: number, answer: RunAnswer, end: number, itemAt: (step: number) => Item | undefined): boolean {
    const settled = this.settled.get(thread) ?? []
    this.settled.set(thread, settled)
    const own = answer.values.filter((v) => v.thread === thread && v.step <= end).slice(settled.length)
    for (const { bound, value, step } of own) {
      const wanted = this.wanted(thread, { bound, value, step }, answer, itemAt(step))
      settled.push(wanted)
      if (bound === 0) this.used.set(thread, this.inputsUsed(thread) + 1)
      if (wanted !== value) return false
    }
    return true
  }

  private wanted(
    thread: number,
    { bound, value, step }: Omit<Choice, 'thread'>,
    answer: RunAnswer,
    item: Item | undefined,
  ): bigint {
    if (bound === 0) return this.inputs(thread)[this.inputsUsed(thread)] ?? value
    const events = upToStep(answer.events, step)
    const steps = events.filter((e) => e.isStep)
    const kind = steps.at(-1)?.kind
    const nth = (k: string): number => steps.filter((e) => e.thread === thread && e.kind === k).length - 1
    const mine = this.ofThread.get(thread) ?? []
    if (kind === 'signal') {
      const wakes = mine.filter((item) => item.kind === 'signal')[nth('signal')]?.wakes
      const at = wakes === undefined ? -1 : waitersAt(events).indexOf(wakes)
      return at < 0 ? value : BigInt(at)
    }
    if (kind === 'cond-wait') {
      const at = mine.map((item, i) => (item.kind === 'wait' ? i : -1)).filter((i) => i >= 0)[nth('cond-wait')]
      return at !== undefined && mine[at + 1]?.kind === 'spurious' ? 1n : 0n
    }
    // A weak compare and exchange that could succeed, but writes nothing in the trace.
    if (kind === 'atomic-update' && item) return item.touches.some((t) => t.write) ? 0n : 1n
    return value
  }
}

/** The first of the steps that fit best. */
const bestFit = (item: Item, natives: readonly NativeItem[], bindings: Bindings): number | undefined => {
  let [best, at] = [-1, undefined as number | undefined]
  natives.forEach((native, i) => {
    const score = scoreOf(item, native, bindings) ?? -1
    if (score > best) [best, at] = [score, i]
  })
  return at
}

const upToStep = (events: RunAnswer['events'], step: number): RunAnswer['events'] => {
  let count = 0
  const end = events.findIndex((e) => e.isStep && ++count === step)
  return events.slice(0, end + 1)
}

/** Threads that the last step, a signal, could wake: they wait for its condition and nothing has ended their wait yet. */
const waitersAt = (events: RunAnswer['events']): readonly number[] => {
  const last = events.at(-1)!
  const waiting = new Map<number, number>()
  const waitersOf = (address: number): readonly number[] =>
    [...waiting.keys()].filter((t) => waiting.get(t) === address).sort((a, b) => a - b)
  events.forEach((event, i) => {
    const choice = events[i + 1]?.kind === 'choice' ? Number(events[i + 1]!.value) : 0
    if (event === last) return
    if (event.kind === 'cond-wait' && choice === 0) waiting.set(event.thread, event.address)
    if (event.kind === 'cond-wake') waiting.delete(event.thread)
    const woken = waitersOf(event.address)
    if (event.kind === 'signal' && woken.length > 0) waiting.delete(woken[choice] ?? woken[0]!)
    if (event.kind === 'broadcast') for (const thread of woken) waiting.delete(thread)
  })
  return waitersOf(last.address)
}

const conflict = (a: NativeItem, b: NativeItem): boolean =>
  a.bytes.some((x) =>
    b.bytes.some((y) => (x.write || y.write) && x.address < y.address + y.size && y.address < x.address + x.size),
  )
