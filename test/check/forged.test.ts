// Every kind of certificate, forged on purpose: none is accepted for a program whose property is violated, what is
// malformed is rejected with its place, and nothing outside of the checker is touched.
import { beforeAll, describe, expect, test } from 'vitest'
import type { CParser } from '../../src/frontend/c/index.js'
import type { Smt } from '../../src/smt/index.js'
import { testParser } from '../frontend/parse/load.js'
import { libraryKinds, withSmt } from '../smt/backends.js'
import { answerTo, copy, type Genuine, genuineCertificates, type Json } from './forged.js'
import { randomChange } from './random-change.js'

let parser: CParser
let smt: Smt
let genuine: readonly Genuine[]
beforeAll(async () => {
  parser = await testParser()
  smt = await withSmt(libraryKinds[0]!, (loaded) => loaded)
  genuine = await genuineCertificates(parser, smt)
}, 120_000)

type Change = (file: Json, data: Json) => unknown
type Node = { label: number[]; threads?: number[]; coveredBy?: number; parent?: number } & Json

const changed = ({ file }: Genuine, change: Change): string => {
  const forged = copy(file)
  const data = ((forged['certificate'] as Json)['data'] ?? {}) as Json
  change(forged, data)
  return JSON.stringify(forged)
}
const taskOf = (file: Json): Json => file['task'] as Json
const proofOf = (file: Json): Json => file['certificate'] as Json
const nodesOf = ({ nodes }: Json): Node[] => (Array.isArray(nodes) ? nodes : [])

test('proofs of every engine are accepted as they are', () => {
  for (const each of genuine) {
    const answer = answerTo(JSON.stringify(each.file), each.safe, each.property, smt, 20)
    expect({ name: each.name, answer }).toMatchObject({ answer: { kind: 'accepted' } })
  }
})

/** Whoever reads the file notices, whatever the program: with the place that is named. */
const MALFORMED: readonly (readonly [string, Change, string])[] = [
  ['no verdict', (f) => delete f['verdict'], 'verdict'],
  ['another verdict', (f) => (f['verdict'] = 'false'), 'verdict'],
  ['a verdict that is none', (f) => (f['verdict'] = ['true']), 'verdict'],
  ['another property', (f) => (f['property'] = f['property'] === 'assert' ? 'no-overflow' : 'assert'), 'property'],
  ['a property that is a number', (f) => (f['property'] = 7), 'property'],
  ['no task', (f) => delete f['task'], 'task'],
  ['another entry', (f) => (taskOf(f)['entry'] = 'first'), 'task.entry'],
  ['no entry', (f) => delete taskOf(f)['entry'], 'task.entry'],
  ['other defines', (f) => (taskOf(f)['defines'] = ['assert(x)=']), 'task.defines'],
  ['defines that are a text', (f) => (taskOf(f)['defines'] = '-DX'), 'task.defines'],
  ['a command', (f) => (taskOf(f)['cpp'] = 'touch executed'), 'task.cpp'],
  ['another data model', (f) => (taskOf(f)['dataModel'] = 'ilp32'), 'task.dataModel'],
  ['another text', (f) => (taskOf(f)['hashes'] = ['beef']), 'task.hashes[0]'],
  ['no text', (f) => (taskOf(f)['hashes'] = []), 'task.hashes'],
  ['two texts', (f) => (taskOf(f)['hashes'] = ['c0ffee', 'c0ffee']), 'task.hashes'],
  ['assumptions that are none', (f) => (f['assumptions'] = {}), 'assumptions'],
  ['a status that is none', (f) => (f['assumptions'] = [{ kind: 'x', status: 'proved' }]), 'assumptions[0].status'],
  [
    'another memory model',
    (f) => (f['assumptions'] = [{ kind: 'memory-model', model: 'tso', status: 'open' }]),
    'assumptions',
  ],
  ['no certificate', (f) => delete f['certificate'], 'certificate'],
  ['a kind that is none', (f) => (proofOf(f)['kind'] = 'oracle'), 'certificate.kind'],
  ['a kind of the prototype', (f) => (proofOf(f)['kind'] = '__proto__'), 'certificate.kind'],
  ['a kind that every object has', (f) => (proofOf(f)['kind'] = 'constructor'), 'certificate.kind'],
  ['no data', (f) => (proofOf(f)['data'] = null), 'certificate.data'],
  ['data that are a list', (f) => (proofOf(f)['data'] = [1]), 'certificate.data'],
]

test.each(MALFORMED)('rejected: %s', (_, change, place) => {
  for (const each of genuine) {
    const answer = answerTo(changed(each, change), each.safe, each.property, smt)
    expect({ name: each.name, answer }).toMatchObject({ answer: { kind: 'rejected' } })
    expect(answer).toMatchObject({ place: expect.stringContaining(place) })
  }
})

const formula =
  (text: string): Change =>
  (_, data) => {
    ;(data['formulas'] as string[])[0] = text
  }
const firstNode =
  (change: (node: Node) => unknown): Change =>
  (_, data) =>
    change(nodesOf(data)[0]!)

const MALFORMED_GRAPHS: readonly (readonly [string, Change])[] = [
  ['an identity that is no integer', firstNode((n) => (n['id'] = 0.5))],
  ['an identity that is huge', firstNode((n) => (n['id'] = 1e308))],
  ['an identity that is negative', firstNode((n) => (n['id'] = -1))],
  ['an identity that is a text', firstNode((n) => (n['id'] = '0'))],
  ['two nodes of one identity', (_, d) => nodesOf(d).push(copy(nodesOf(d)[0]!))],
  ['a node that is its own parent', firstNode((n) => (n['parent'] = n['id'] as number))],
  ['a parent that is none', (_, d) => (nodesOf(d)[1]!.parent = 123_456_789)],
  ['an edge that is none', (_, d) => (nodesOf(d)[1]!['edge'] = 2 ** 53 - 1)],
  ['a thread that is none', (_, d) => (nodesOf(d)[1]!['thread'] = 99)],
  ['a formula that is none', firstNode((n) => (n.label = [10 ** 9]))],
  ['labels that are a text', firstNode((n) => ((n as Json)['label'] = 'true'))],
  ['no nodes', (_, d) => (d['nodes'] = [])],
  ['no list of nodes', (_, d) => (d['nodes'] = { length: 1 })],
  ['no formulas', (_, d) => delete d['formulas']],
  ['another arithmetic', (_, d) => (d['arithmetic'] = 'float')],
  ['another reduction', (_, d) => (d['reduction'] = 'none')],
  ['a formula that is not closed', formula('(and true')],
  ['a formula that closes too often', formula('true))')],
  ['a formula of two', formula('true true')],
  ['no formula at all', formula('')],
  ['a number as a formula', formula('17')],
  ['a formula of other variables', formula('(= secret 1)')],
  ['a formula that is nested deeply', formula(`${'(not '.repeat(100_000)}true${')'.repeat(100_000)}`)],
  ['a bit-vector that is too wide', formula('(= (_ bv1 4000000000) (_ bv1 4000000000))')],
  ['an index that is too large', formula('(= ((_ zero_extend 4000000000) #b1) #b1)')],
  ['a number that is too long', formula(`(= ${'9'.repeat(5000)} 0)`)],
  ['an operator that is none', formula('(constructor true)')],
  ['an operator of the prototype', formula('(__proto__ true true)')],
  ['sorts that do not fit', formula('(and 1 true)')],
]

test.each(MALFORMED_GRAPHS)('labelled graphs, rejected: %s', (_, change) => {
  for (const each of genuine.filter(({ file }) => proofOf(file)['kind'] === 'labelled-graph')) {
    const answer = answerTo(changed(each, change), each.safe, each.property, smt)
    expect({ name: each.name, answer }).toMatchObject({ answer: { kind: 'rejected' } })
  }
})

/** Well-formed, and wrong: for the program whose property is violated. */
const WRONG: readonly (readonly [string, Change])[] = [
  ['as it is', () => {}],
  ['every kind of assumption is open', (f) => (f['assumptions'] = OPEN)],
  ['another engine', (f) => (f['engine'] = 'explicit')],
  ['all labels are true', (_, d) => nodesOf(d).forEach((n) => void (n.label = []))],
  ['all labels are the first formula', (_, d) => nodesOf(d).forEach((n) => void (n.label = [0]))],
  ['labels without their last conjunct', (_, d) => nodesOf(d).forEach((n) => void n.label?.pop())],
  ['false is a formula', (_, d) => falsify(d, () => true)],
  ['errors are impossible', (_, d) => falsify(d, (n) => n.threads === undefined)],
  ['the root is impossible', (_, d) => falsify(d, (n) => n.parent === undefined)],
  ['only the root', (_, d) => void nodesOf(d).splice(1)],
  ['half of the nodes', (_, d) => void nodesOf(d).splice(nodesOf(d).length / 2)],
  ['the last node is missing', (_, d) => void nodesOf(d).pop()],
  ['nobody is followed', (_, d) => nodesOf(d).forEach((n) => void (n.threads = []))],
  ['only main is followed', (_, d) => nodesOf(d).forEach((n) => void (n.threads &&= [0]))],
  [
    'everything is covered by the root',
    (_, d) =>
      nodesOf(d)
        .slice(1)
        .forEach((n) => void (n.coveredBy = 0)),
  ],
  ['leaves are covered by the root', (_, d) => nodesOf(d).forEach((n) => void (n.threads ?? (n.coveredBy = 0)))],
  ['nodes cover each other', (_, d) => nodesOf(d).forEach((n, i) => void (n.coveredBy = i ^ 1))],
  ['the other reduction', (_, d) => other(d, 'reduction', ['persistent', 'monotonic'])],
  ['the other arithmetic', (_, d) => other(d, 'arithmetic', ['int', 'bv'])],
  ['the other handling of stray accesses', (_, d) => other(d, 'strayAccess', ['stops', 'goes-on'])],
  ['the other blocks', (_, d) => (d['largeBlocks'] = d['largeBlocks'] === false)],
  ['too large', (_, d) => (d['tooLarge'] = true)],
  ['no bound', (_, d) => (d['bound'] = 0)],
  ['a huge bound', (_, d) => (d['bound'] = Number.MAX_SAFE_INTEGER)],
  ['no states', (_, d) => (d['states'] = 0)],
  ['false as a predicate', (_, d) => (d['predicates'] = ['false', 'true', '(not true)'])],
  ['no predicates', (_, d) => delete d['predicates']],
  ['no solution', (_, d) => delete d['solution']],
  ['no steps', (_, d) => (d['steps'] = [])],
  ['no forest', (_, d) => void nodesOf(d).splice(0)],
  ['sleeping threads', (_, d) => nodesOf(d).forEach((n) => void (n['sleep'] = [0, 1, 2]))],
  ['another scheduler', (_, d) => other(d, 'scheduler', ['fairthreads', 'systemc'])],
  ['a scheduler of the prototype', (_, d) => other(d, 'scheduler', ['__proto__', 'constructor'])],
  ['polluted', (_, d) => Object.defineProperty(d, '__proto__', { value: { kind: 'locks' }, enumerable: true })],
  ...[
    'labelled-graph',
    'horn',
    'bounded',
    'termination',
    'locks',
    'exploration',
    'abstract-reachability',
    'forest',
  ].map((kind): readonly [string, Change] => [`called ${kind}`, (f) => (proofOf(f)['kind'] = kind)]),
]
const OPEN = ['no-overflow', 'valid-dereferences', 'anything'].map((kind) => ({ kind, status: 'open' }))
const other = (data: Json, name: string, [first, second]: readonly [string, string]): void => {
  if (name in data) data[name] = data[name] === first ? second : first
}
const falsify = (data: Json, isMeant: (node: Node) => boolean): void => {
  const formulas = data['formulas'] as string[] | undefined
  if (!formulas) return
  formulas.push('false')
  for (const node of nodesOf(data)) if (isMeant(node)) node.label = [formulas.length - 1]
}

describe('of a program whose property is violated nothing is accepted', () => {
  test.each(WRONG)('%s', (name, change) => {
    for (const each of genuine) {
      const forged = changed(each, change)
      // Most kinds have only some of the parts.
      if (name !== 'as it is' && forged === JSON.stringify(each.file)) continue
      const answer = answerTo(forged, each.unsafe, each.property, smt, 2)
      expect({ name: each.name, answer }).not.toMatchObject({ answer: { kind: 'accepted' } })
    }
  })
})

test('texts that are too deep, cut off, or no JSON', () => {
  const whole = JSON.stringify(genuine[0]!.file)
  const { safe, property } = genuine[0]!
  const depth = 100_000
  for (const [text, why] of [
    [`${'['.repeat(depth)}${']'.repeat(depth)}`, 'nested deeper'],
    [`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`, 'nested deeper'],
    [whole.slice(0, -10), 'this is not JSON'],
    ['', 'this is not JSON'],
    ['\u0000', 'this is not JSON'],
    ['null', 'is no object'],
    ['"true"', 'is no object'],
  ] as const) {
    const answer = answerTo(text, safe, property, smt)
    expect(answer).toMatchObject({ kind: 'rejected', place: expect.stringContaining(why) })
  }
})

test('changed at random: harmless, or rejected', () => {
  const before = Object.getOwnPropertyNames(Object.prototype).join()
  const kinds = new Set<string>()
  for (let seed = 1; seed <= 150; seed++) {
    const each = genuine[seed % genuine.length]!
    const answer = answerTo(randomChange(JSON.stringify(each.file), seed), each.unsafe, each.property, smt, 1)
    expect({ seed, name: each.name, answer }).not.toMatchObject({ answer: { kind: 'accepted' } })
    kinds.add(answer.kind)
  }
  expect(kinds).toContain('rejected')
  expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before)
})
