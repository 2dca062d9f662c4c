// Names of properties, property files, and which error locations count.
import { describe, expect, it } from 'vitest'
import { errorsOf, isProperty, parsePropertyFile } from '../../src/property/index.js'
import { oracle } from '../../src/semantics/index.js'
import { constant, eq, INT, type Program, varExpr } from '../../src/xcfa/index.js'
import { handMade } from '../xcfa/hand.js'

describe('property files', () => {
  it.each([
    ['CHECK( init(main()), LTL(G ! call(reach_error())) )', 'unreach-call'],
    ['CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n\n', 'unreach-call'],
    ['CHECK( init(main()), LTL(G ! data-race) )', 'no-data-race'],
    ['CHECK( init(main()), LTL(G ! overflow) )', 'no-overflow'],
    ['CHECK( init(main()), LTL(F end) )', 'termination'],
    [
      'CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )',
      'valid-memsafety',
    ],
  ])('%s', (text, property) => {
    expect(parsePropertyFile(text)).toEqual({ kind: 'property', property })
  })

  it.each([
    '',
    'assert',
    'CHECK( init(main()), LTL(G happiness) )',
    'COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )',
  ])('says what is wrong with %j', (text) => {
    expect(parsePropertyFile(text).kind).toBe('wrong')
  })

  it('does not join two properties', () => {
    const two = 'CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(F end) )'
    expect(parsePropertyFile(two).kind).toBe('wrong')
  })

  it('names are those of the contract', () => {
    expect(isProperty('no-data-race')).toBe(true)
    expect(isProperty('data-race')).toBe(false)
  })
})

describe('errors of a property', () => {
  const failing = (): Program => {
    const p = handMade()
    p.template('main', (t) => {
      t.edge(t.initial, t.error('assert'), [])
      t.edge(t.initial, t.error('reach-error'), [])
    })
    return p.program()
  }
  const kinds = (program: Program): string[] =>
    program.main.edges.map((edge) => edge.target.violation?.kind ?? edge.target.kind)

  it('assert: both; unreach-call: reach_error only; race and deadlock: none', () => {
    expect(kinds(errorsOf(failing(), 'assert'))).toEqual(['assert', 'reach-error'])
    expect(kinds(errorsOf(failing(), 'unreach-call'))).toEqual(['halt', 'reach-error'])
    expect(kinds(errorsOf(failing(), 'no-data-race'))).toEqual(['halt', 'halt'])
    expect(kinds(errorsOf(failing(), 'no-deadlock'))).toEqual(['halt', 'halt'])
  })

  it('the changed edges remember the ones they come from', () => {
    const program = failing()
    const changed = errorsOf(program, 'unreach-call').main.edges[0]
    expect(changed?.origins).toEqual([program.main.edges[0]])
  })

  it('verdicts are those of the unchanged program', () => {
    for (const property of ['assert', 'unreach-call', 'no-deadlock'] as const)
      expect(oracle(errorsOf(failing(), property), property).verdict).toBe(oracle(failing(), property).verdict)
  })
})

describe('ends inside atomic blocks', () => {
  /** A block that writes x and then fails an assumption; another thread reports x if it sees it. */
  const half = (): Program => {
    const p = handMade()
    const x = p.global('x')
    p.template('block', (t) => {
      const cut = t.location({ kind: 'halt', atomic: true, reason: { kind: 'assume', text: 'assume(0)' } })
      t.edge(t.initial, cut, [{ kind: 'assign', target: x, value: constant(INT, 1) }], { sync: { kind: 'atomic' } })
    })
    p.template('main', (t) => {
      const started = t.location()
      t.edge(t.initial, started, [{ kind: 'start', target: t.local('h'), procedure: 'block', args: [] }])
      t.edge(started, t.error(), [{ kind: 'assume', condition: eq(varExpr(x), constant(INT, 1)) }])
    })
    return p.program()
  }

  it('show nobody the half of the block', () => {
    expect(oracle(half(), 'assert').verdict).toBe('true')
    expect(oracle(errorsOf(half(), 'assert'), 'assert').verdict).toBe('true')
  })

  it('are left out, or hold nobody up, for engines', () => {
    const ends = (property: 'assert' | 'no-data-race' | 'no-deadlock') =>
      errorsOf(half(), property)
        .templates.get('block')!
        .edges.map(({ target }) => target.atomic)
    expect(ends('assert')).toEqual([])
    expect(ends('no-data-race')).toEqual([false])
    expect(ends('no-deadlock')).toEqual([true])
  })
})
