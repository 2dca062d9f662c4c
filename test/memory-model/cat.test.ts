// The CAT language: what is wrong is said with its position, and what is right means what herd's manual says.
import { describe, expect, it } from 'vitest'
import {
  builtInModel,
  compileModel,
  Evaluator,
  explainViolation,
  MODEL_NAMES,
  Relation,
  type Skeleton,
} from '../../src/memory-model/index.js'

const wrong = (text: string): string => {
  const compiled = compileModel(text, 'm.cat')
  if (compiled.kind === 'model') return 'no mistake found'
  const { at, message } = compiled.error
  return `${at.line}:${at.column}: ${message}`
}

describe('mistakes have a position and a message', () => {
  it.each([
    ['let a = po\nacyclic a |', '2:12: expected a set or a relation, but found the end of the file'],
    ['let a = pi', '1:9: "pi" is not defined'],
    ['acyclic PO', '1:9: "PO" is not defined: did you mean "po"?'],
    ['acyclic R', '1:1: "acyclic" needs a relation, but this is a set'],
    ['let a = po | W', '1:12: "|" combines a relation with a set: both must be of one kind'],
    ['let a = [po]', '1:10: the brackets [ ] need a set, but this is a relation'],
    ['let a = W ; po', '1:9: ";" composes relations, but this is a set: write [S] for the identity on a set S'],
    ['let a = (po | rf', '1:17: expected ")" to close the parenthesis, but found the end of the file'],
    ['let f(r) = r+\nlet a = f(po, rf)', '2:9: "f" takes 1 argument, not 2'],
    ['(* a comment', '1:1: this comment does not end'],
    ['include "nowhere.cat"', '1:1: cannot find the included file "nowhere.cat"'],
    ['let a = po @ rf', '1:12: the character "@" is not part of the CAT language'],
    [
      'po | rf as x',
      '1:4: expected a statement (let, acyclic, irreflexive, empty, flag, show, include), but found "|"',
    ],
  ])('%s', (text, message) => {
    expect(wrong(text)).toBe(message)
  })
})

/** Two threads, message passing: a: W x, b: W y in the first, c: R y, d: R x in the second; 0 and 1 are initial. */
const messagePassing = (): Skeleton => {
  const tags = { tags: [] }
  const none = new Relation(6)
  return {
    events: [
      { id: 0, thread: -1, kind: 'W', location: 0, ...tags },
      { id: 1, thread: -1, kind: 'W', location: 1, ...tags },
      { id: 2, thread: 0, kind: 'W', location: 0, ...tags },
      { id: 3, thread: 0, kind: 'W', location: 1, ...tags },
      { id: 4, thread: 1, kind: 'R', location: 1, ...tags },
      { id: 5, thread: 1, kind: 'R', location: 0, ...tags },
    ],
    po: Relation.of(6, [
      [2, 3],
      [4, 5],
    ]),
    si: none,
    ...{ addr: none, data: none, ctrl: none, rmw: none, amo: none, rcuSections: none },
  }
}

const evaluated = (text: string, rf: readonly (readonly [number, number])[]): Evaluator => {
  const compiled = compileModel(text, 'm.cat')
  if (compiled.kind === 'wrong') throw new Error(compiled.error.message)
  const evaluator = new Evaluator(compiled.model, messagePassing())
  evaluator.setRf(Relation.of(6, rf))
  evaluator.setCo(
    Relation.of(6, [
      [0, 2],
      [1, 3],
    ]),
  )
  return evaluator
}

describe('evaluation', () => {
  const stale = [
    [3, 4],
    [0, 5],
  ] as const

  it('sequential consistency forbids message passing to fail, and says by which edges', () => {
    const evaluator = evaluated('acyclic po | rf | co | fr as sc', stale)
    const axiom = evaluator.violated()!
    expect(axiom.name).toBe('sc')
    const { steps, reasons, complete } = explainViolation(evaluator, axiom)
    expect(steps.map(({ from }) => from).sort()).toEqual([2, 3, 4, 5])
    expect(complete).toBe(true)
    expect(reasons.filter((r) => r.relation === 'rf').map((r) => [r.from, r.to])).toContainEqual([0, 5])
    expect(reasons.filter((r) => r.relation === 'co')).toEqual([{ relation: 'co', from: 0, to: 2 }])
  })

  it('coherence alone allows it', () => {
    expect(evaluated('acyclic po-loc | rf | co | fr', stale).violated()).toBeUndefined()
  })

  it('a recursive definition is a least fixed point', () => {
    const same = 'let rec r = po | rf | (r ; r) let s = (po | rf)+ empty (r \\ s) | (s \\ r) as equal'
    expect(evaluated(same, stale).violated()).toBeUndefined()
  })

  it('an edge of a recursive definition is explained by base edges', () => {
    const evaluator = evaluated('let rec r = po | rf | (r ; r) empty r & (W * R) & (_ * R) \\ rf as none', stale)
    const { reasons } = explainViolation(evaluator, evaluator.violated()!)
    expect(reasons.every(({ relation }) => ['po', 'rf'].includes(relation))).toBe(true)
    expect(reasons.length).toBeGreaterThan(1)
  })

  it('what subtracts a part of rf has no complete explanation', () => {
    const evaluator = evaluated('empty po \\ rf as none', stale)
    expect(explainViolation(evaluator, evaluator.violated()!).complete).toBe(false)
  })

  it('functions, local definitions, complements, products and flags', () => {
    const text = `let f(r, S) = r & (S * ~S)
      let g = let w = f(po | rf, W) in w ; [R]
      flag ~empty g as seen`
    const evaluator = evaluated(text, stale)
    expect([...evaluator.relation(evaluator.model.definitions.get('g')!).pairs()]).toEqual([
      [0, 5],
      [3, 4],
    ])
    expect(evaluator.model.flags.map((flag) => evaluator.holds(flag))).toEqual([true])
  })
})

describe('the models that come with it', () => {
  it.each(MODEL_NAMES)(
    '%s is coherent by an axiom, except RMO, which lets reads of one location be reordered',
    (name) => {
      const model = builtInModel(name)
      expect(model.axioms.length).toBeGreaterThan(0)
      expect(model.coherent).toBe(name !== 'rmo')
      expect(model.atomic).toBe(true)
    },
  )
})
