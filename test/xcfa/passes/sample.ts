// Hand-made programs for tests of passes: a template is a list of edges between named locations.
import { varExpr } from '../../../src/xcfa/build.js'
import type {
  Edge,
  Expr,
  Label,
  Location,
  MemoryObject,
  Position,
  Procedure,
  Program,
  Region,
  Sync,
  Type,
  Variable,
} from '../../../src/xcfa/index.js'
import { INT, intType } from '../../../src/xcfa/index.js'
import { edgeText } from '../../../src/xcfa/print/index.js'

const position: Position = { file: 'sample.c', line: 1, column: 1 }
let numbers = 0

const variable = (name: string, scope: 'global' | 'local', type: Type = INT): Variable => ({
  id: numbers++,
  name,
  type,
  scope,
  initial: 0,
})
export const global = (name: string, type?: Type): Variable => variable(name, 'global', type)
export const local = (name: string, type?: Type): Variable => variable(name, 'local', type)

export const set = (target: Variable, value: Expr | Variable): Label => ({
  kind: 'assign',
  target,
  value: 'scope' in value ? varExpr(value) : value,
})
export const assume = (condition: Expr): Label => ({ kind: 'assume', condition })

export interface EdgeSpec {
  readonly from: string
  readonly to: string
  readonly labels?: readonly Label[]
  readonly sync?: Sync
  readonly text?: string
}

/** Locations are named by their first letters: `a...` atomic, `error`, `final`, `halt`, `exit`; the first is initial. */
const locationOf = (id: number, name: string): Location => {
  const atomic = name.startsWith('a')
  const base = { id, position, atomic }
  if (name.startsWith('error')) return { ...base, kind: 'error', violation: { kind: 'assert', text: name } }
  if (name.startsWith('halt')) return { ...base, kind: 'halt', reason: { kind: 'assume', text: name } }
  if (name.startsWith('exit')) return { ...base, kind: 'halt', reason: { kind: 'exit', text: name } }
  return { ...base, kind: name === 'final' ? 'final' : 'plain' }
}

export const template = (name: string, locals: readonly Variable[], specs: readonly EdgeSpec[]): Procedure => {
  const names = [...new Set([...specs.flatMap(({ from, to }) => [from, to]), 'final'])]
  const locations = new Map(names.map((n, id) => [n, locationOf(id, n)]))
  const edges: Edge[] = specs.map(({ from, to, labels = [], sync, text = '' }, id) => ({
    id,
    source: locations.get(from)!,
    target: locations.get(to)!,
    labels,
    position,
    text,
    ...(sync ? { sync } : {}),
  }))
  return {
    name,
    parameters: [],
    locals,
    self: variable('self', 'local', intType(32, false)),
    locations: [...locations.values()],
    initial: locations.get(names[0]!)!,
    final: locations.get('final')!,
    edges,
    objects: [],
    position,
  }
}

export const programOf = (
  globals: readonly Variable[],
  templates: readonly Procedure[],
  memory: { readonly objects?: readonly MemoryObject[]; readonly regions?: readonly Region[] } = {},
): Program => ({
  dataModel: 'lp64',
  main: templates[0]!,
  templates: new Map(templates.map((t) => [t.name, t])),
  globals,
  regions: memory.regions ?? [],
  objects: memory.objects ?? [],
})

/** Edges of main as text, with locations by their numbers (the order in which the sample names them). */
export const edgesOf = (program: Program, name = program.main.name): string[] =>
  program.templates.get(name)!.edges.map((e) => `${e.source.id} -> ${e.target.id}: ${edgeText(e)}`)
