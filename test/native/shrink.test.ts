import { describe, expect, it } from 'vitest'
import type { RunAnswer, Segment } from '../../src/native/index.js'
import { shrink } from '../../src/native/shrink.js'

const answer = (segments: readonly Segment[], values: readonly bigint[] = []): RunAnswer =>
  ({
    segments,
    steps: segments.reduce((sum, s) => sum + s.steps, 0),
    values: values.map((value) => ({ thread: 0, bound: 0, value, step: 0 })),
  }) as unknown as RunAnswer

const seg = (text: string): readonly Segment[] =>
  text.split(' ').map((word) => ({ thread: Number(word[0]), steps: Number(word.slice(2)) }))

describe('shrinking', () => {
  it('keeps the one switch that matters', async () => {
    // Fails if thread 1 takes a step between the first and the last one of thread 0.
    const fails = (segments: readonly Segment[]): boolean => {
      const order = segments.flatMap(({ thread, steps }) => Array.from({ length: steps }, () => thread))
      return order.slice(order.indexOf(0), order.lastIndexOf(0)).includes(1)
    }
    const first = answer(seg('2:3 0:1 1:1 2:4 1:2 0:2 2:1 1:1 0:1'))
    const small = await shrink(first, {
      attempt: async (c) => (fails(c.segments) ? answer(c.segments) : undefined),
      isOver: () => false,
    })
    expect(small.segments.map((s) => s.thread)).toEqual([0, 1, 0])
  })

  it('makes inputs small', async () => {
    const small = await shrink(answer(seg('0:1'), [1000n, 77n]), {
      attempt: async (c) =>
        c.values[0]!.value > 99n
          ? answer(
              c.segments,
              c.values.map((v) => v.value),
            )
          : undefined,
      isOver: () => false,
    })
    expect(small.values[1]!.value).toBe(0n)
    expect(small.values[0]!.value).toBeGreaterThan(99n)
  })
})
