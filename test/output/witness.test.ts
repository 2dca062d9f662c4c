// Witnesses and SARIF by the rules of their formats: the keys and values that the schemas require, threads that exist
// before they act, an order across threads. What was written is read back and replays.
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { graphmlWitness, readWitness, sarif, yamlWitness } from '../../src/output/index.js'
import { replay, sharedInvariants } from '../../src/semantics/index.js'
import { traceOfSchedule } from '../../src/verdict/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import { LOST_UPDATE, PROOF, RACE, sampleOf } from './sample.js'

interface Waypoint {
  readonly type: string
  readonly action: string
  readonly location: { readonly file_name: string; readonly line: number; readonly column?: number }
  readonly constraint?: { readonly value: string; readonly format: string }
  readonly thread_id: number
}

interface Entry {
  readonly entry_type: string
  readonly metadata: Record<string, unknown>
  readonly content: readonly { readonly segment: readonly { readonly waypoint: Waypoint }[] }[]
}

interface GhostEntry {
  readonly entry_type: string
  readonly metadata: Record<string, unknown>
  readonly content: {
    readonly ghost_variables: readonly object[]
    readonly ghost_updates: readonly {
      readonly location: Waypoint['location']
      readonly updates: readonly { readonly variable: string; readonly value: string }[]
    }[]
  }
}

const TRANSFER = `#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int a = 10, b = 0;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *move(void *p) {
  pthread_mutex_lock(&m);
  a = a - 1;
  b = b + 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, move, 0);
  pthread_create(&u, 0, move, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(b == 2);
  return 0;
}
`

const entryOf = (text: string): Entry => {
  const entries = parse(text) as readonly Entry[]
  expect(entries).toHaveLength(1)
  return entries[0]!
}

const checkMetadata = ({ metadata }: Entry, path: string): void => {
  expect(metadata).toMatchObject({
    uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    producer: { name: 'Heddle', version: expect.any(String) },
    task: {
      input_files: [path],
      input_file_hashes: { [path]: expect.stringMatching(/^[0-9a-f]{64}$/) },
      data_model: 'LP64',
      language: 'C',
    },
  })
}

describe('YAML', () => {
  test('a violation: one waypoint to follow a segment, the target in the last one only', async () => {
    const sample = await sampleOf(LOST_UPDATE)
    const entry = entryOf(yamlWitness(sample)!)
    expect(entry.entry_type).toBe('violation_sequence')
    expect(entry.metadata['format_version']).toBe('2.2')
    checkMetadata(entry, sample.path)
    const waypoints = entry.content.map(({ segment }) => segment.map(({ waypoint }) => waypoint))
    for (const segment of waypoints.slice(0, -1)) {
      expect(segment).toHaveLength(1)
      expect(['assumption', 'function_return']).toContain(segment[0]!.type)
      expect(segment[0]!.constraint?.format).toMatch(/^(ext_)?c_expression$/)
    }
    const [target] = waypoints.at(-1)!
    expect(target).toMatchObject({ type: 'target', action: 'follow', thread_id: 0, location: { line: 20 } })
    expect(target!.constraint).toBeUndefined()
    const all = waypoints.flat()
    expect(new Set(all.map((w) => w.thread_id))).toEqual(new Set([0, 1, 2]))
    // The nondeterministic value, where its call returns: the closing bracket.
    const returned = all.filter((w) => w.type === 'function_return')
    expect(returned).toHaveLength(1)
    const { line, column } = returned[0]!.location
    expect(LOST_UPDATE.split('\n')[line - 1]![column! - 1]).toBe(')')
    expect(returned[0]!.constraint!.value).toBe('\\result == 1')
  })

  test('a race: both accesses are targets of the last segment, by different threads', async () => {
    const { content } = entryOf(yamlWitness(await sampleOf(RACE, 'no-data-race'))!)
    const targets = content.at(-1)!.segment.map(({ waypoint }) => waypoint)
    expect(targets.map((t) => t.type)).toEqual(['target', 'target'])
    expect(targets.map((t) => [t.thread_id, t.location.line]).sort()).toEqual([
      [0, 10],
      [1, 4],
    ])
  })

  test('a proof of which nothing is known that holds in all interleavings: no invariants', async () => {
    const sample = await sampleOf(PROOF)
    const entry = entryOf(yamlWitness(sample)!)
    expect([entry.entry_type, entry.metadata['format_version'], entry.content]).toEqual(['invariant_set', '2.0', []])
    checkMetadata(entry, sample.path)
  })

  test('a proof with a lock: what holds while it is free, by a ghost variable', async () => {
    const sample = await sampleOf(TRANSFER)
    const invariants = sharedInvariants(prepare(sample.raw, { slice: false, largeBlocks: false }))!
    const [ghosts, set] = parse(yamlWitness({ ...sample, invariants })!) as readonly [GhostEntry, Entry]
    for (const { metadata } of [ghosts, set]) expect(metadata['format_version']).toBe('2.1')
    expect([ghosts.entry_type, set.entry_type]).toEqual(['ghost_instrumentation', 'invariant_set'])
    const zero = { value: '0', format: 'c_expression' }
    const { ghost_variables, ghost_updates } = ghosts.content
    expect(ghost_variables).toEqual([{ name: 'm_locked', type: 'int', scope: 'global', initial: zero }])
    const line = (text: string): number => 1 + TRANSFER.split('\n').findIndex((l) => l.includes(text))
    expect(
      ghost_updates.map(({ location, updates }) => [location.line, updates[0]!.variable, updates[0]!.value]),
    ).toEqual([
      [line('lock(&m)'), 'm_locked', '1'],
      [line('unlock(&m)'), 'm_locked', '0'],
    ])
    // C's rules: a is 10, 9 or 8, b is 0, 1 or 2, and between the two assignments their sum is 9.
    const places = set.content as unknown as readonly { readonly invariant: Record<string, unknown> }[]
    expect(places).toHaveLength(2)
    for (const { invariant } of places)
      expect(invariant).toMatchObject({
        ...{ type: 'location_invariant', format: 'c_expression' },
        value: '(a >= 8 && a <= 10) && (b >= 0 && b <= 2) && (m_locked || ((long long)a + b == 10))',
      })
  })

  test.each([
    [
      'a function for several mutexes',
      (text: string) =>
        text
          .replace(
            'void *move',
            'pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;\nvoid take(pthread_mutex_t *l) {\n  pthread_mutex_lock(l);\n}\nvoid *move',
          )
          .replace('  pthread_mutex_lock(&m);', '  take(&m);')
          .replace('  assert(b == 2);', '  take(&n);\n  pthread_mutex_unlock(&n);\n  assert(b == 2);'),
    ],
    [
      'a lock and its release in one macro',
      (text: string) =>
        text
          .replace(
            'void *move',
            '#define LOCKED(work) pthread_mutex_lock(&m); work; pthread_mutex_unlock(&m)\nvoid *move',
          )
          .replace(/ {2}pthread_mutex_lock[\s\S]*?unlock\(&m\);/, '  LOCKED(a = a - 1; b = b + 1);'),
    ],
  ])('no ghost for %s: the places do not tell which', async (_, change) => {
    const { raw } = await sampleOf(change(TRANSFER))
    const { expressions, ghosts } = sharedInvariants(prepare(raw, { slice: false, largeBlocks: false }))!
    expect(ghosts.map(({ name }) => name)).not.toContain('m_locked')
    expect(expressions).toContain('a >= 8 && a <= 10')
  })

  test('what holds at a line, beyond what holds everywhere', async () => {
    const { raw } = await sampleOf(TRANSFER)
    const { lines } = sharedInvariants(prepare(raw, { slice: false, largeBlocks: false }))!
    const at = (text: string): readonly string[] => {
      const line = 1 + TRANSFER.split('\n').findIndex((l) => l.includes(text))
      return lines.find((entry) => entry.line === line)?.expressions ?? []
    }
    // At the end of main both threads have moved one; whoever is about to give has not taken all.
    expect(at('assert(b == 2)')).toEqual(['a == 8', 'b == 2'])
    expect(at('a = a - 1')).toEqual(['a >= 9 && a <= 10', 'b >= 0 && b <= 1', '(long long)a + b == 10'])
  })

  test('nor any invariant where an atomic block passes through states that nobody explored', async () => {
    const atomic = TRANSFER.replace('pthread_mutex_lock(&m)', '__VERIFIER_atomic_begin()').replace(
      'pthread_mutex_unlock(&m)',
      '__VERIFIER_atomic_end()',
    )
    const { raw } = await sampleOf(`extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n${atomic}`)
    expect(sharedInvariants(prepare(raw, { slice: false, largeBlocks: false }))).toBeUndefined()
  })

  test('a program with inputs has no invariants: not all its states were explored', async () => {
    const { raw } = await sampleOf(
      TRANSFER.replace('int main(void) {', 'int main(void) { a = __VERIFIER_nondet_int() & 1;'),
    )
    expect(sharedInvariants(prepare(raw, { slice: false, largeBlocks: false }))).toBeUndefined()
  })
})

/** Elements of the small XML that we write, with their attributes and data; fails on what is not well formed. */
const readXml = (text: string) => {
  const stack: string[] = []
  const nodes: Record<string, string>[] = []
  const edges: Record<string, string>[] = []
  const keys = new Map<string, string>()
  const graph: Record<string, string> = {}
  let rest = text.replace(/^<\?xml[^>]*\?>\s*/, '').replace(/<!--(?:(?!--)[\s\S])*-->/g, '')
  expect(rest).not.toContain('<!--')
  for (const [, close, name, attributes, self, content] of rest.matchAll(
    /<(\/?)([\w:]+)((?:\s+[\w.:-]+="[^"<]*")*)\s*(\/?)>([^<]*)/g,
  )) {
    const at = Object.fromEntries([...attributes!.matchAll(/([\w.:-]+)="([^"]*)"/g)].map((m) => [m[1]!, m[2]!]))
    if (close) expect(stack.pop()).toBe(name)
    else if (!self) stack.push(name!)
    if (close) continue
    if (name === 'key') keys.set(at['id']!, at['for']!)
    if (name === 'node') nodes.push(at)
    if (name === 'edge') edges.push(at)
    if (name === 'data') {
      const parent = stack.at(-2)!
      const owner = parent === 'edge' ? edges.at(-1)! : parent === 'node' ? nodes.at(-1)! : graph
      expect(keys.get(at['key']!)).toBe(parent)
      expect(content).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/)
      owner[at['key']!] = content!
    }
  }
  rest = ''
  expect(stack).toEqual([])
  return { nodes, edges, graph }
}

describe('GraphML', () => {
  test('a violation: a path from the entry to the violation, threads created before they act', async () => {
    const { nodes, edges, graph } = readXml(graphmlWitness(await sampleOf(LOST_UPDATE))!)
    expect(graph).toMatchObject({
      'witness-type': 'violation_witness',
      sourcecodelang: 'C',
      architecture: '64bit',
      programhash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(nodes.filter((n) => n['entry'] === 'true').map((n) => n['id'])).toEqual(['N0'])
    expect(nodes.filter((n) => n['violation'] === 'true').map((n) => n['id'])).toEqual([nodes.at(-1)!['id']])
    expect(edges.map((e) => [e['source'], e['target']])).toEqual(edges.map((_, i) => [`N${i}`, `N${i + 1}`]))
    const alive = new Set(['0'])
    for (const edge of edges) {
      expect(alive).toContain(edge['threadId'])
      expect(Number(edge['startline'])).toBeGreaterThan(0)
      const created = edge['createThread']
      if (created === undefined) continue
      expect(alive).not.toContain(created)
      alive.add(created)
    }
    expect(alive).toEqual(new Set(['0', '1', '2']))
    expect(edges.at(-1)!['sourcecode']).toContain('&quot;a &lt; b &amp; c -- d&quot;')
  })
  test('a proof: one node', async () => {
    const { nodes, edges, graph } = readXml(graphmlWitness(await sampleOf(PROOF))!)
    expect([graph['witness-type'], nodes.length, edges.length]).toEqual(['correctness_witness', 1, 0])
  })
})

describe('SARIF', () => {
  test('a violation: a result whose thread flows together are the execution in order', async () => {
    const sample = await sampleOf(LOST_UPDATE)
    const log = JSON.parse(sarif(sample))
    expect(log.version).toBe('2.1.0')
    const [run] = log.runs
    const [result] = run.results
    expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
    expect(result.message.text).toContain('assertion can fail')
    expect(result.locations[0].physicalLocation.region.startLine).toBe(20)
    const flows = result.codeFlows[0].threadFlows as { id: string; locations: { executionOrder: number }[] }[]
    expect(flows.map((f) => f.id)).toEqual(['main', 'T1 add', 'T2 add'])
    for (const { locations } of flows) {
      const orders = locations.map((l) => l.executionOrder)
      expect(orders).toEqual([...orders].sort((a, b) => a - b))
    }
    const together = flows.flatMap((f) => f.locations.map((l) => l.executionOrder)).sort((a, b) => a - b)
    expect(together).toEqual(sample.report.trace!.steps.map((_, i) => i + 1))
  })
  test('an execution graph of a memory model is a result, too: at the assertion, with a flow for each thread', async () => {
    const sample = await sampleOf(LOST_UPDATE)
    const { trace: _, ...report } = sample.report
    const at = { file: report.file, line: 20, column: 3, text: '' }
    const execution = {
      events: [
        { id: 0, thread: -1, label: 'W x=0' },
        { id: 1, thread: 1, label: 'R[RLX] x=0', line: 8 },
        { id: 2, thread: 2, label: 'W[RLX] x=1', line: 9 },
      ],
      edges: [{ relation: 'rf', from: 0, to: 1 }],
      notes: ['race: one and another'],
      targets: [{ thread: 0, ...at }],
    }
    const [run] = JSON.parse(sarif({ ...sample, report: { ...report, execution } })).runs
    const [result] = run.results
    expect(result.message.text).toContain('race: one and another')
    expect(result.locations[0].physicalLocation.region.startLine).toBe(20)
    const flows = result.codeFlows[0].threadFlows as { id: string; locations: { location: object }[] }[]
    expect(flows.map(({ id }) => id)).toEqual(['T1', 'T2'])
    expect(flows[0]!.locations[0]!.location).toMatchObject({
      message: { text: 'R[RLX] x=0' },
      physicalLocation: { region: { startLine: 8 } },
    })
  })
  test('a race names both places; a proof has no result', async () => {
    const [run] = JSON.parse(sarif(await sampleOf(RACE, 'no-data-race'))).runs
    expect(run.results[0].relatedLocations).toHaveLength(2)
    expect(JSON.parse(sarif(await sampleOf(PROOF))).runs[0].results).toEqual([])
  })
  test('a log is valid by the published schema, and has what GitHub requires', async () => {
    const file = new URL('../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json', import.meta.url)
    const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema)
    for (const sample of [await sampleOf(LOST_UPDATE), await sampleOf(RACE, 'no-data-race'), await sampleOf(PROOF)]) {
      const log = JSON.parse(sarif({ ...sample, fromRoot: () => 'src/a file.c' }))
      expect(isSarif(log), JSON.stringify(isSarif.errors)).toBe(true)
      const [run] = log.runs
      for (const rule of run.tool.driver.rules)
        for (const field of ['shortDescription', 'fullDescription', 'help']) expect(rule[field].text).toMatch(/\w+ \w+/)
      for (const result of run.results) {
        expect(result.partialFingerprints.primaryLocationLineHash).toMatch(/^[0-9a-f]{16}:\d+$/)
        const { artifactLocation, region } = result.locations[0].physicalLocation
        expect(artifactLocation).toEqual({ uri: 'src/a%20file.c', uriBaseId: '%SRCROOT%' })
        expect(region.endLine).toBe(region.startLine)
        expect(region.endColumn).toBeGreaterThan(region.startColumn)
      }
    }
  })
  test('a finding keeps its fingerprint when lines above it are added', async () => {
    const print = (sample: Awaited<ReturnType<typeof sampleOf>>): string =>
      JSON.parse(sarif(sample)).runs[0].results[0].partialFingerprints.primaryLocationLineHash
    const [before, after] = [await sampleOf(LOST_UPDATE), await sampleOf(`\n\n${LOST_UPDATE}`)]
    expect(print(after)).toBe(print(before))
    expect(print(await sampleOf(RACE, 'no-data-race'))).not.toBe(print(before))
  })
})

describe('read back', () => {
  test.each([
    ['YAML', yamlWitness],
    ['GraphML', graphmlWitness],
    ['the report', (s: Awaited<ReturnType<typeof sampleOf>>) => JSON.stringify(s.report)],
  ])('%s carries the execution: it replays to the same failure', async (_, write) => {
    const sample = await sampleOf(LOST_UPDATE)
    const read = readWitness(write(sample)!)
    if (read.kind !== 'witness') throw new Error(read.reason)
    expect(read.property).toBe('assert')
    expect(read.schedule).toEqual(sample.report.trace!.schedule)
    const back = traceOfSchedule(sample.raw, read.schedule)
    if (back.kind !== 'trace') throw new Error(back.problem)
    const again = replay(sample.raw, back.trace, 'assert')
    expect(again.violation).toMatchObject({ kind: 'error', thread: 0, location: { position: { line: 20 } } })
    expect(again.steps.map(({ step }) => step.edge.id)).toEqual(read.schedule.steps.map((s) => s.edge))
  })
  test('what is not a witness of ours is refused with a reason', async () => {
    expect(readWitness('{"verdict": "true"}')).toMatchObject({ kind: 'wrong' })
    expect(readWitness('- entry_type: violation_sequence\n')).toMatchObject({ kind: 'wrong' })
    expect(readWitness('{"verdict": "false", "trace": {"schedule": {"steps": [{"thread": "x"}]}}}')).toMatchObject({
      kind: 'wrong',
    })
    const { raw } = await sampleOf(PROOF)
    expect(traceOfSchedule(raw, { steps: [{ thread: 0, edge: 999_999 }] })).toEqual({
      kind: 'wrong',
      problem: 'step 1: the program has no edge 999999',
    })
  })
})
