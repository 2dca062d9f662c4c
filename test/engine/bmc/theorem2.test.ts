// Theorems 1 and 2 of peephole.txt by enumeration: of each class of equivalent interleavings at least one survives, and
// for two threads exactly one; Figures 1, 5 and 6; footnote 3. Classes are computed without the engine (traces.ts).
import { describe, expect, test } from 'vitest'
import type { GirEncoding, Reduction } from '../../../src/engine/bmc/interleaving/peephole.js'
import { closedSet, sizeOf } from '../../../src/reduction/index.js'
import { createSmt } from '../../../src/smt/index.js'
import { seededChoices } from '../../generate/choices.js'
import type { Global, Index, Statement } from './statements.js'
import { survivorsOf } from './survivors.js'
import { classesOf, executionsOf, independentAt, type Rules } from './traces.js'

const smt = await createSmt('auto')

const ENCODINGS: readonly GirEncoding[] = ['plain', 'merged', 'dependent']
const REDUCTION: Readonly<Record<Rules, Reduction>> = { static: 'static', simple: 'ppor-simple', full: 'ppor-full' }

/** How many words of each class survive. */
const survivorsByClass = (
  threads: readonly (readonly Statement[])[],
  length: number,
  rules: Rules,
  encoding: GirEncoding,
) => {
  const survivors = survivorsOf(threads, length, smt, REDUCTION[rules], encoding)
  const classes = classesOf(threads, length, rules)
  expect(new Set(survivors).size).toBe(survivors.length)
  expect(survivors.every((word) => classes.some((c) => c.includes(word)))).toBe(true)
  return classes.map((words) => words.filter((word) => survivors.includes(word)).length)
}

// ---- Figures 1, 5 and 6: A, B write a[i], C reads a[j]; alpha, beta write a[j], gamma reads a[i]

const figure = (i: Index, j: Index, p: Global, q: Global): readonly (readonly Statement[])[] => [
  [
    { kind: 'store', index: i, value: 10 },
    { kind: 'update', index: i, by: 20 },
    { kind: 'fetch', target: p, index: j },
  ],
  [
    { kind: 'store', index: j, value: 50 },
    { kind: 'update', index: j, by: 100 },
    { kind: 'fetch', target: q, index: i },
  ],
]

/** Words over ABC and abg of the two threads in all orders. */
const shuffles = (a: string, b: string): readonly string[] => {
  if (a === '' || b === '') return [a + b]
  return [...shuffles(a.slice(1), b).map((w) => a[0] + w), ...shuffles(a, b.slice(1)).map((w) => b[0] + w)]
}

describe('Figures 5 and 6', () => {
  const threads = figure(1, 2, 'x', 'y')
  const letters = (word: string): string =>
    word
      .split(' ')
      .map((step) => ({ '1': 'ABC', '2': 'abg' })[step[0] as '1' | '2'][Number(step[2])]!)
      .join('')

  test('without reduction all 20 interleavings survive', () =>
    expect(survivorsOf(threads, 6, smt, 'none', 'plain')).toHaveLength(20))

  test.each(ENCODINGS)('what survives is what the fragments of Figure 6 leave (%s)', (encoding) => {
    const allowed = shuffles('ABC', 'abg').filter((w) => !/aA|bA|aB|bB|gC/.test(w))
    for (const reduction of ['static', 'ppor-simple'] as const) {
      const survivors = survivorsOf(threads, 6, smt, reduction, encoding)
      expect(survivors.map(letters).sort()).toEqual([...allowed].sort())
    }
  })

  test('there is no redundant interleaving', () =>
    expect(new Set(survivorsByClass(threads, 6, 'simple', 'plain'))).toEqual(new Set([1])))

  test('smallest persistent sets leave more', () => {
    const survivors = survivorsOf(threads, 6, smt, 'ppor-simple', 'plain')
    expect(persistentSequences(threads)).toBeGreaterThan(survivors.length)
  })
})

/** How many sequences a search with a smallest persistent set in every state explores. */
const persistentSequences = (threads: readonly (readonly Statement[])[]): number => {
  const state = executionsOf(threads, 0)[0]!.states[0]!
  const conflict = (i: number, index: number, j: number, other: number): boolean =>
    !independentAt(threads, { thread: i + 1, index, way: 0 }, { thread: j + 1, index: other, way: 0 }, state, 'simple')
  const explore = (at: readonly number[]): number => {
    const live = at.reduce((bits, index, i) => (index < threads[i]!.length ? bits | (1 << i) : bits), 0)
    if (live === 0) return 1
    const later = (i: number, j: number): boolean =>
      threads[j]!.some((_, other) => other >= at[j]! && conflict(i, at[i]!, j, other))
    const sets = threads.flatMap((_, seed) => ((live >> seed) & 1 ? [closedSet(seed, live, later)] : []))
    const smallest = sets.reduce((a, b) => (sizeOf(b) < sizeOf(a) ? b : a))
    return at.reduce(
      (sum, _, i) => ((smallest >> i) & 1 ? sum + explore(at.map((index, k) => (k === i ? index + 1 : index))) : sum),
      0,
    )
  }
  return explore(threads.map(() => 0))
}

describe('Figure 1', () => {
  // i and j are known only when the program runs: thread 1 sets i to 1, thread 2 leaves j as it is, or sets it to 1.
  const running = (j: number): readonly (readonly Statement[])[] => {
    const [one, two] = figure('z', 'm', 'x', 'y')
    return [
      [{ kind: 'set', target: 'z', value: 1 }, ...one!],
      [{ kind: 'set', target: 'm', value: j }, ...two!],
    ]
  }
  test.each([0, 1])('one interleaving for each class, j = %i', (j) => {
    for (const rules of ['simple', 'full'] as const)
      expect(new Set(survivorsByClass(running(j), 8, rules, 'merged'))).toEqual(new Set([1]))
  })
  test('fewer where the indices differ', () => {
    const differ = survivorsOf(running(0), 8, smt, 'ppor-simple', 'plain').length
    const same = survivorsOf(running(1), 8, smt, 'ppor-simple', 'plain').length
    expect(differ).toBeLessThan(same)
  })
})

describe('footnote 3: three threads with one transition each', () => {
  // A pair is dependent if both assign one variable, with different values.
  const PAIRS: readonly (readonly [number, number, Global])[] = [
    [0, 1, 'x'],
    [1, 2, 'y'],
    [0, 2, 'z'],
  ]
  const scenario = (dependent: number): readonly (readonly Statement[])[] =>
    [0, 1, 2].map((thread) => {
      const mine = PAIRS.filter(([a, b], i) => (dependent >> i) & 1 && (a === thread || b === thread))
      return [{ kind: 'set-all', values: Object.fromEntries(mine.map(([, , name]) => [name, thread + 1])) }]
    })
  const survivors = (dependent: number) => survivorsByClass(scenario(dependent), 3, 'simple', 'plain')

  test('each has six interleavings', () =>
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((d) => survivorsOf(scenario(d), 3, smt, 'none', 'plain').length)).toEqual(
      Array(8).fill(6),
    ))
  test('all redundant sequences go except one, where the first and the last thread depend and the other on none', () => {
    const redundant = [0, 1, 2, 3, 4, 5, 6, 7].map((d) => survivors(d).reduce((sum, n) => sum + n - 1, 0))
    expect(redundant).toEqual([0, 0, 0, 0, 1, 0, 0, 0])
  })
  test('with the threads in another order that one goes, too', () => expect(survivors(1)).toEqual([1, 1]))
})

describe('generated programs', () => {
  const statement = (choices: ReturnType<typeof seededChoices>): Statement => {
    const name = (): Global => choices.pick(['x', 'y', 'z'] as const)
    const index = (): Index => (choices.below(2) ? choices.below(3) : name())
    const kinds: (() => Statement)[] = [
      () => ({ kind: 'set', target: name(), value: choices.below(3) }),
      () => ({ kind: 'copy', target: name(), from: name() }),
      () => ({ kind: 'increment', target: name() }),
      () => ({ kind: 'read', from: name() }),
      () => ({ kind: 'branch', on: name(), below: choices.below(3) }),
      () => ({ kind: 'await', on: name(), below: 1 + choices.below(2) }),
      () => ({ kind: 'store', index: index(), value: choices.below(3) }),
      () => ({ kind: 'load', index: index() }),
      () => ({ kind: 'update', index: index(), by: choices.below(2) }),
      () => ({ kind: 'fetch', target: name(), index: index() }),
    ]
    return choices.pick(kinds)()
  }
  const thread = (choices: ReturnType<typeof seededChoices>, most: number): readonly Statement[] => {
    const body = Array.from({ length: 1 + choices.below(most) }, () => statement(choices))
    return choices.rarely(4) ? [{ kind: 'lock' }, ...body, { kind: 'unlock' }] : body
  }
  const RULES: readonly Rules[] = ['full', 'simple', 'full', 'static']

  test('two threads: exactly one interleaving of each class survives (Theorem 2)', () => {
    let reduced = 0
    for (let seed = 0; seed < 200; seed++) {
      const choices = seededChoices(seed)
      const threads = [thread(choices, 3), thread(choices, 3)]
      const rules = RULES[seed % 4]!
      const length = threads[0]!.length + threads[1]!.length - (seed % 3 === 0 ? 1 : 0)
      const counts = survivorsByClass(threads, length, rules, ENCODINGS[seed % 3]!)
      expect({ seed, others: counts.filter((n) => n !== 1) }).toEqual({ seed, others: [] })
      if (executionsOf(threads, length).length > counts.length) reduced++
    }
    // Otherwise nothing was reduced.
    expect(reduced).toBeGreaterThan(100)
  })

  test('three threads: at least one of each class survives (Theorem 1)', () => {
    for (let seed = 0; seed < 60; seed++) {
      const choices = seededChoices(1000 + seed)
      const threads = [thread(choices, 2), thread(choices, 2), thread(choices, 1)]
      const length = Math.min(6, threads.flat().length)
      const counts = survivorsByClass(threads, length, RULES[seed % 4]!, ENCODINGS[seed % 3]!)
      expect({ seed, lost: counts.filter((n) => n === 0) }).toEqual({ seed, lost: [] })
    }
  })
})
