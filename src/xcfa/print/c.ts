// A program as C: `heddle show --as c`. Every step is an atomic block whose assumptions say when it can be taken, every
// choice a switch. For reading: objects in memory are named where their addresses occur, but not declared.
import { substitute, varExpr } from '../build.js'
import type { Edge, Expr, Label, Location, Procedure, Program, Variable } from '../index.js'
import { type AddressName, exprText, typeText, valueText } from './expr.js'
import { programAddressNames } from './label.js'

export const toC = (program: Program): string => {
  const nameOf = programAddressNames(program)
  const sections = [
    PRELUDE,
    program.globals.map((v) => `${declaration(v)}${initially(v, nameOf)};`).join('\n'),
    [...program.templates.values()].map((p) => `${signature(p)};`).join('\n'),
    ...[...program.templates.values()].map((procedure) => procedureC(procedure, nameOf)),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

const PRELUDE = `extern int choose(int count);        /* any number below count */
extern void assume(_Bool condition); /* the step waits until it holds */
extern void atomic_begin(void), atomic_end(void), fail(const char *), stop(const char *);`

const renamed = (variable: Variable): Expr => varExpr({ ...variable, name: nameC(variable.name) })
const nameC = (name: string): string => name.replace(/[^A-Za-z0-9_]/g, '_')

const declaration = (variable: Variable): string => {
  const type = typeText(variable.type).replace(/^bool$/, '_Bool')
  return `${type}${type.endsWith('*') ? '' : ' '}${nameC(variable.name)}`
}

const initially = ({ initial, type }: Variable, nameOf: AddressName): string =>
  initial === 'any' ? ' /* any */' : ` = ${valueText(initial, type, nameOf)}`

const signature = ({ name, parameters }: Procedure): string =>
  `void ${nameC(name)}(${parameters.map(declaration).join(', ') || 'void'})`

const procedureC = (procedure: Procedure, nameOf: AddressName): string => {
  const from = new Map<Location, Edge[]>()
  for (const edge of procedure.edges) from.set(edge.source, [...(from.get(edge.source) ?? []), edge])
  const locals = procedure.locals.filter((v) => !procedure.parameters.includes(v))
  // The first label of a function is where it begins.
  const locations = [procedure.initial, ...procedure.locations.filter((l) => l !== procedure.initial)]
  return [
    `${signature(procedure)}`,
    '{',
    ...locals.map((v) => `  ${declaration(v)};`),
    ...locations.flatMap((location) => locationC(location, from.get(location) ?? [], nameOf)),
    '}',
  ].join('\n')
}

const locationC = (location: Location, edges: readonly Edge[], nameOf: AddressName): readonly string[] => {
  const label = `L${location.id}:`
  if (location.kind === 'final') return [`${label} return;`]
  if (location.kind === 'error') return [`${label} fail(${JSON.stringify(location.violation?.text ?? '')});`]
  if (location.kind === 'halt') return [`${label} stop(${JSON.stringify(location.reason?.text ?? '')});`]
  if (edges.length === 0) return [`${label} assume(0);`]
  if (edges.length === 1) return [label, ...edgeC(edges[0]!, nameOf, '  ')]
  return [
    label,
    `  switch (choose(${edges.length})) {`,
    ...edges.flatMap((edge, i) => [`  case ${i}:`, ...edgeC(edge, nameOf, '    ')]),
    '  }',
  ]
}

const edgeC = (edge: Edge, nameOf: AddressName, indent: string): readonly string[] => {
  const { file, line } = edge.position
  const begins = edge.labels.length > 1 && !edge.source.atomic && !edge.target.atomic
  const body = edge.labels.map((label) => statement(label, nameOf))
  const enter = edge.target.atomic && !edge.source.atomic ? ['atomic_begin();'] : []
  const leave = edge.source.atomic && !edge.target.atomic ? ['atomic_end();'] : []
  const step = begins ? ['atomic_begin();', ...body, 'atomic_end();'] : [...enter, ...body, ...leave]
  const comment = edge.text ? ` /* ${file}:${line} ${edge.text.replaceAll('*/', '* /')} */` : ''
  return [...step, `goto L${edge.target.id};${comment}`].map((text) => indent + text)
}

const statement = (label: Label, nameOf: AddressName): string => {
  const show = (e: Expr): string => exprText(substitute(e, renamed), nameOf)
  switch (label.kind) {
    case 'assign':
      return `${nameC(label.target.name)} = ${show(label.value)};`
    case 'assume':
      return `assume(${show(label.condition)});`
    case 'havoc': {
      const { low, high } = label.range ?? {}
      const range = low && high ? ` /* from ${show(low)} to ${show(high)} */` : ''
      return `${nameC(label.target.name)} = any_${nameC(typeText(label.target.type))}();${range}`
    }
    case 'load':
      return `${nameC(label.target.name)} = *(${typeText(label.type)} *)(${show(label.address)});`
    case 'store':
      return `*(${typeText(label.type)} *)(${show(label.address)}) = ${show(label.value)};`
    case 'allocate':
      return `${nameC(label.target.name)} = malloc(${show(label.size)});`
    case 'free':
      return `free(${show(label.address)});`
    case 'start':
      return `${nameC(label.target.name)} = start(${[nameC(label.procedure), ...label.args.map(show)].join(', ')});`
    case 'join':
      return `join(${show(label.thread)});`
    case 'call': {
      const callee = typeof label.callee === 'string' ? nameC(label.callee) : `(*${show(label.callee)})`
      return `${label.target ? `${nameC(label.target.name)} = ` : ''}${callee}(${label.args.map(show).join(', ')});`
    }
    case 'fence':
      return 'fence();'
    case 'primitive':
      return `${label.target ? `${nameC(label.target.name)} = ` : ''}${nameC(label.name)}(${label.args.map(show).join(', ')});`
  }
}
