// SystemC models in C++ as C programs over the primitives of SystemC's scheduler. Going through C keeps one front end:
// types, conversions and evaluation order are checked and lowered where C's are; #line keeps the places. Elaboration is
// static (elaborate.ts): events and processes have numbers in the program text.
import type { SourceFile } from '../../c/index.js'
import { DOT, type Elaborated, Elaboration, functionName, type Process, type Signal } from './elaborate.js'
import { Emitter, elaboratedName, PRIMITIVE } from './emit.js'
import { collect } from './modules.js'
import { type CxxParser, checkSyntax } from './syntax.js'

export { spelled } from './spelling.js'
export { type CxxParser, loadCxxParser } from './syntax.js'

const PRIMITIVES = [
  'events(int)',
  'sensitive(int, int)',
  'dont_initialize(int)',
  'update_process(int)',
  'request_update(int)',
  'notify(int)',
  'notify_delta(int)',
  'notify_time(int, long long)',
  'cancel(int)',
  'list(int)',
  'next_trigger(int)',
  'next_trigger_time(long long)',
  'stop(void)',
  'start(long long)',
  'wait(void)',
  'wait_event(int)',
  'wait_time(long long)',
  'wait_any(void)',
  'wait_all(void)',
  'wait_method(void)',
  'wait_update(void)',
]

/** The C program that a model stands for, and the names of its events, whose numbers count from 1. */
export const systemCToC = (
  { name, text }: SourceFile,
  parser: CxxParser,
): SourceFile & { readonly events: readonly string[] } => {
  const root = parser.parse(text)
  checkSyntax(name, root)
  const model = collect(name, root)
  const elaborated = new Elaboration(model)
  const emitter = new Emitter(model, elaborated)
  const { top, instances, signals, processes, variables } = elaborated
  const updateOf = (signal: Signal): number => processes.length + 1 + signals.indexOf(signal)
  const methods = instances.flatMap((instance) =>
    [...instance.module!.methods.values()].map((method) => ({ instance, method })),
  )
  const functions = [...model.functions.values()].map((method) => ({ instance: top, method }))
  const all = [...functions, ...methods]
  const bodies = all.map(({ instance, method }) => emitter.method(instance, method))
  const sensitivity = processes.flatMap((process, i) => described(process, i + 1, emitter))
  const initialised = new Set(elaborated.assignments.map((each) => each.name))
  const construction = [
    ...elaborated.assignments.map(({ name: target, instance, value }) =>
      emitter.line(value, `${target} = ${emitter.expression(instance, value)};`),
    ),
    ...elaborated.construction.map(({ instance, node }) => emitter.statement(instance, node)),
  ]
  const main = elaborated.main.map((node) => emitter.statement(top, node))
  const lines = [
    '#include <assert.h>',
    ...PRIMITIVES.map((primitive) => `extern void ${PRIMITIVE}${primitive};`),
    ...model.plain.map((node) => emitter.line(node, node.text.replace(/\bbool\b/g, '_Bool'))),
    ...variables.map(({ name: variable, field }) => `${field.type} ${variable}${field.dimensions};`),
    ...signals.flatMap((signal) => signalText(signal, updateOf(signal))),
    ...all.map(({ instance, method }) => `${emitter.signature(instance, method)};`),
    ...bodies,
    ...processes.map((process) => emitter.line(process.node, processText(process, elaborated))),
    'int main(void)',
    '{',
    `${PRIMITIVE}events(${elaborated.events.length});`,
    ...variables.flatMap(({ name: variable, field }) =>
      initialised.has(variable) ? [] : [emitter.line(field.node, arbitrary(variable, field))],
    ),
    ...construction,
    ...processes.map((process) =>
      emitter.line(process.node, `__heddle_start((void *(*)(void *))${processName(process)}, 0);`),
    ),
    ...signals.map((signal) => `__heddle_start((void *(*)(void *))${signal.name}${DOT}update, 0);`),
    ...signals.map((signal) => `${PRIMITIVE}update_process(${updateOf(signal)});`),
    ...sensitivity,
    ...main,
    'return 0;',
    '}',
    '',
  ]
  return { name: elaboratedName(name), text: lines.join('\n'), events: elaborated.events }
}

/** Members of objects in sc_main begin with any value. */
const arbitrary = (name: string, { type, dimensions }: { readonly type: string; readonly dimensions: string }) => {
  const sizes = [...dimensions.matchAll(/\[([^\]]*)\]/g)].map(([, size]) => size!)
  const index = sizes.map((_, i) => `[i${i}]`).join('')
  const loops = sizes.map((size, i) => `for (int i${i} = 0; i${i} < (${size}); i${i}++) `).join('')
  return `${loops}{ ${type} any; ${name}${index} = any; }`
}

const described = (process: Process, number: number, emitter: Emitter): readonly string[] => [
  ...process.sensitive.map((node) => `${PRIMITIVE}sensitive(${number}, ${emitter.event(process.instance, node)});`),
  ...(process.initializes ? [] : [`${PRIMITIVE}dont_initialize(${number});`]),
]

const processName = ({ instance, method }: Process): string => `${instance.prefix}${method}`

const processText = (process: Process, elaborated: Elaborated): string => {
  const call = `${functionName(process.instance, process.method, elaborated)}();`
  const body = process.kind === 'thread' ? call : `while (1) { ${call} ${PRIMITIVE}wait_method(); }`
  return `void ${processName(process)}(void *argument) { ${body} }`
}

/** A signal: the current value, the one that was written last, and the process that updates it. */
const signalText = ({ name, type, events }: Signal, update: number): readonly string[] => {
  const notify = (kind: 'changed' | 'pos' | 'neg', guard: string): string => {
    const number = events.get(kind)
    return number === undefined ? '' : `${guard}${PRIMITIVE}notify_delta(${number}); `
  }
  const notifications = `${notify('changed', '')}${notify('pos', `if (${name}) `)}${notify('neg', `if (!${name}) `)}`
  const next = `${name}${DOT}next`
  return [
    `${type} ${name};`,
    `${type} ${next};`,
    `void ${name}${DOT}write(${type} value) { ${next} = value; ${PRIMITIVE}request_update(${update}); }`,
    `void ${name}${DOT}update(void *argument) { while (1) { if (${name} != ${next}) { ${name} = ${next}; ${notifications}} ${PRIMITIVE}wait_update(); } }`,
  ]
}
