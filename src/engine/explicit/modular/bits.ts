// Bits of a word as locks: who finds a bit zero and sets it, before anybody else can look, has taken it until he clears it.
// Here is what a thread knows of bits: those of its own variables that are zero, which variables equal the word as it is
// now, and which bits it has taken if they were zero in what it read.
//   What is known of a word holds to the end of the step, and longer as long as nobody else can write the word: where that
// rests on locks, whoever uses the knowledge says so (`relies`), and the word's writers are held to it.
import { children, type Expr, type Procedure, type Type, type Variable } from '../../../xcfa/index.js'
import { expressionsOf } from '../../../xcfa/passes/labels.js'
import type { Cell, Place } from './cells.js'

/** A word by its cells, and what is known of its value now. */
interface Word {
  readonly cells: readonly Place[]
  readonly zero: bigint
  /** Variables that have this value. */
  readonly holders: readonly Variable[]
  /** The locks that were held ever since; undefined: it was learnt in this step. */
  readonly since: ReadonlySet<Cell> | undefined
}

export interface BitFacts {
  readonly words: readonly Word[]
  /** Local variables that have the same value. */
  readonly equal: readonly (readonly Variable[])[]
  /** Bits of local variables that are zero. */
  readonly zero: ReadonlyMap<Variable, bigint>
  /** Bits that the thread has set: it took those that were zero in what the variable has. */
  readonly taking: ReadonlyMap<Variable, Change>
}

export interface Change {
  readonly cells: readonly Place[]
  readonly bits: bigint
}

export const NO_FACTS: BitFacts = { words: [], equal: [], zero: new Map(), taking: new Map() }

const isSame = (a: readonly Place[], b: readonly Place[]): boolean =>
  a.length === b.length && a.every((cell, i) => cell === b[i])

/** What is known of a word. */
const wordOf = ({ words }: BitFacts, cells: readonly Place[]): Word =>
  words.find((word) => isSame(word.cells, cells)) ?? { cells, zero: 0n, holders: [], since: undefined }

const withWord = (facts: BitFacts, word: Word): BitFacts => ({
  ...facts,
  words: [...facts.words.filter((other) => !isSame(other.cells, word.cells)), word],
})

/** The variable has another value. */
export const forget = (facts: BitFacts, variable: Variable): BitFacts => {
  if (facts === NO_FACTS) return facts
  const without = <T>(map: ReadonlyMap<Variable, T>): ReadonlyMap<Variable, T> =>
    map.has(variable) ? new Map([...map].filter(([other]) => other !== variable)) : map
  const words = facts.words.map((word) => ({ ...word, holders: word.holders.filter((other) => other !== variable) }))
  const equal = facts.equal.map((all) => all.filter((other) => other !== variable)).filter(({ length }) => length > 1)
  return { words, equal, zero: without(facts.zero), taking: without(facts.taking) }
}

/** The variable gets the value of the word. */
export const hasRead = (facts: BitFacts, variable: Variable, cells: readonly Place[]): BitFacts => {
  const before = forget(facts, variable)
  const word = wordOf(before, cells)
  const after = withWord(before, { ...word, holders: [...word.holders, variable] })
  return { ...after, zero: new Map([...after.zero, [variable, word.zero]]) }
}

const equalTo = ({ equal }: BitFacts, variable: Variable): readonly Variable[] =>
  equal.find((all) => all.includes(variable)) ?? [variable]

/** Two variables have the same value: one gets that of the other, or a condition says so. */
export const areEqual = (facts: BitFacts, a: Variable, b: Variable): BitFacts => {
  const all = [...new Set([...equalTo(facts, a), ...equalTo(facts, b)])]
  const zero = all.reduce((bits, each) => bits | zeroOf(facts, each), 0n)
  const words = facts.words.map((word) =>
    word.holders.some((each) => all.includes(each))
      ? { ...word, zero: word.zero | zero, holders: [...new Set([...word.holders, ...all])] }
      : word,
  )
  const equal = [...facts.equal.filter((others) => !others.some((each) => all.includes(each))), all]
  const zeros = all.map((each) => [each, zero] as const)
  return { ...facts, words, equal, zero: new Map([...facts.zero, ...zeros]) }
}

/** The word of which the variable has the value that it has now. */
export const heldIn = ({ words }: BitFacts, variable: Variable): Word | undefined =>
  words.find(({ holders }) => holders.includes(variable))

/** Bits of a variable are zero; `taken`: what the thread has taken, as is known now. */
export const learnZero = (
  facts: BitFacts,
  variable: Variable,
  bits: bigint,
): { readonly facts: BitFacts; readonly taken: Change | undefined } => {
  if (variable.scope === 'global') {
    const word = wordOf(facts, [variable])
    return { facts: withWord(facts, { ...word, zero: word.zero | bits }), taken: undefined }
  }
  const word = heldIn(facts, variable)
  const known = word ? withWord(facts, { ...word, zero: word.zero | bits }) : facts
  const zero = new Map([...known.zero, [variable, zeroOf(known, variable) | bits]])
  const change = facts.taking.get(variable)
  return { facts: { ...known, zero }, taken: change && { ...change, bits: change.bits & bits } }
}

export const zeroOf = ({ zero }: BitFacts, variable: Variable): bigint => zero.get(variable) ?? 0n

/** The thread writes cells: what was known of words with them holds no longer. */
export const forgetWords = (facts: BitFacts, cells: readonly Place[]): BitFacts => {
  const isTouched = (each: readonly Place[]): boolean => each.some((cell) => cells.includes(cell))
  if (!facts.words.some((word) => isTouched(word.cells)) && facts.taking.size === 0) return facts
  const taking = new Map([...facts.taking].filter(([, change]) => !isTouched(change.cells)))
  return { ...facts, words: facts.words.filter((word) => !isTouched(word.cells)), taking }
}

/** The thread sets bits in a word, which had the value that the variable has. */
export const hasSet = (
  facts: BitFacts,
  variable: Variable,
  cells: readonly Place[],
  bits: bigint,
): { readonly facts: BitFacts; readonly taken: Change } => {
  const zero = zeroOf(facts, variable)
  const after = withWord(forgetWords(facts, cells), { cells, zero: zero & ~bits, holders: [], since: undefined })
  const taking = new Map([...after.taking, [variable, { cells, bits: bits & ~zero }]])
  return { facts: { ...after, taking }, taken: { cells, bits: bits & zero } }
}

/** The end of a step. `outside`: the locks that were held at its beginning; others may move from now on if `isOpen`. */
export const afterStep = (
  facts: BitFacts,
  outside: ReadonlySet<Cell>,
  held: ReadonlySet<Cell>,
  isOpen: boolean,
): BitFacts => {
  if (!isOpen || facts.words.length === 0) return facts
  const words = facts.words.flatMap((word): readonly Word[] => {
    const since = word.since ?? outside
    return since.size > 0 && [...since].every((lock) => held.has(lock)) ? [{ ...word, since }] : []
  })
  return { ...facts, words }
}

export const numbersOf = (bits: bigint): readonly number[] => {
  const found: number[] = []
  for (let rest = bits, bit = 0; rest > 0n; rest >>= 1n, bit++) if (rest & 1n) found.push(bit)
  return found
}

/** What the next steps may need, as far as its variables are still read. */
export const factsKey = (
  { words, equal, zero, taking }: BitFacts,
  isLive: (variable: Variable) => boolean,
  nameOf: (cell: Cell) => string,
): string => {
  const nameAll = (cells: Iterable<Cell>): string => Array.from(cells, nameOf).sort().join('.')
  const live = <T>(map: ReadonlyMap<Variable, T>): readonly (readonly [Variable, T])[] =>
    [...map].filter(([variable]) => isLive(variable))
  return [
    ...words.map((word) => {
      const holders = word.holders.filter(isLive).map(({ id }) => id)
      return `w${nameAll(word.cells)}=${word.zero}:${holders.sort().join('.')}@${nameAll(word.since ?? [])}`
    }),
    ...equal.map(
      (all) =>
        `e${Array.from(all.filter(isLive), ({ id }) => id)
          .sort()
          .join('.')}`,
    ),
    ...live(zero).map(([{ id }, bits]) => `z${id}=${bits}`),
    ...live(taking).map(([{ id }, { cells, bits }]) => `t${id}=${nameAll(cells)}&${bits}`),
  ]
    .sort()
    .join()
}

// ---- expressions

/** What is kept of a variable, set in it, or tested. */
export interface Masked {
  readonly variable: Variable
  readonly mask: Expr
  /** The variable was shifted to the right by so much before. */
  readonly shift?: Expr
}

/** Without casts that keep the lowest bits, so many of them. */
const lowest = (e: Expr, width: number): Expr =>
  e.kind === 'cast' && e.type.kind === 'int' && e.arg.type.kind === 'int' && e.type.width >= width
    ? lowest(e.arg, width)
    : e

/** Without casts that keep all bits of an integer. */
const widened = (e: Expr): Expr =>
  e.kind === 'cast' && e.type.kind === 'int' && e.arg.type.kind === 'int' && e.type.width >= e.arg.type.width
    ? widened(e.arg)
    : e

/** `v | mask` or `v & mask`, as the value of a word of so many bits. */
export const maskedBy = (op: 'bitor' | 'bitand', value: Expr, width: number): Masked | undefined => {
  const e = lowest(value, width)
  if (e.kind !== 'binary' || e.op !== op || e.type.kind !== 'int' || e.type.width < width) return undefined
  for (const [side, mask] of [
    [e.left, e.right],
    [e.right, e.left],
  ] as const) {
    const at = widened(side)
    if (at.kind === 'var' && at.variable.type.kind === 'int' && at.variable.type.width === width)
      return { variable: at.variable, mask }
  }
  return undefined
}

/** `(v & mask) == 0` or `((v >> shift) & mask) == 0`; `isZero`: whether the condition says so, or the opposite. */
export const testOf = (condition: Expr): (Masked & { readonly isZero: boolean }) | undefined => {
  if (condition.kind === 'not') {
    const inner = testOf(condition.arg)
    return inner && { ...inner, isZero: !inner.isZero }
  }
  if (condition.kind !== 'compare' || (condition.op !== 'eq' && condition.op !== 'ne')) return undefined
  const { left, right } = condition
  if (right.kind !== 'const' || Number(right.value) !== 0) return undefined
  const e = widened(left)
  if (e.kind !== 'binary' || e.op !== 'bitand') return undefined
  for (const [side, mask] of [
    [e.left, e.right],
    [e.right, e.left],
  ] as const) {
    const at = widened(side)
    const shift = at.kind === 'binary' && at.op === 'shr' ? at.right : undefined
    const shifted = shift && at.kind === 'binary' ? widened(at.left) : at
    if (shifted.kind === 'var' && shifted.variable.type.kind === 'int')
      return { variable: shifted.variable, mask, isZero: condition.op === 'eq', ...(shift && { shift }) }
  }
  return undefined
}

const isLocal = ({ variable }: Extract<Expr, { kind: 'var' }>): boolean => variable.scope === 'local'

/** The local variables that a condition says are equal. */
export const equated = (e: Expr): readonly [Variable, Variable] | undefined =>
  e.kind === 'compare' &&
  e.op === 'eq' &&
  e.left.kind === 'var' &&
  e.right.kind === 'var' &&
  isLocal(e.left) &&
  isLocal(e.right)
    ? [e.left.variable, e.right.variable]
    : undefined

/** Local variables in which bits are tested, set or cleared, or that are compared with these, or copied. */
export const maskedVariables = (templates: Iterable<Procedure>): ReadonlySet<Variable> => {
  const found = new Set<Variable>()
  const pairs: (readonly [Variable, Variable])[] = []
  const visit = (e: Expr): void => {
    const test = e.kind === 'compare' ? testOf(e) : undefined
    if (test) found.add(test.variable)
    const pair = equated(e)
    if (pair) pairs.push(pair)
    for (const part of children(e)) visit(part)
  }
  const visitValue = (value: Expr, { type }: { readonly type: Type }): void => {
    for (const op of ['bitor', 'bitand'] as const) {
      const masked = type.kind === 'int' ? maskedBy(op, value, type.width) : undefined
      if (masked) found.add(masked.variable)
    }
  }
  for (const { edges } of templates)
    for (const label of edges.flatMap(({ labels }) => labels)) {
      for (const e of expressionsOf(label)) visit(e)
      if (label.kind === 'assign' && label.target.scope === 'global') visitValue(label.value, label.target)
      if (label.kind === 'store') visitValue(label.value, label)
      if (label.kind === 'assign' && label.value.kind === 'var') pairs.push([label.target, label.value.variable])
    }
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const pair of pairs)
      if (pair.every(({ scope }) => scope === 'local') && pair.some((each) => found.has(each)))
        for (const each of pair) found.add(each)
  }
  return found
}
