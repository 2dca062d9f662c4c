// Statements of the generated C as the model spells them: in traces one reads `t.e.notify(SC_ZERO_TIME)`, not the
// primitive that stands for it.
import type { Edge, Program } from '../../../xcfa/index.js'
import { DOT } from './elaborate.js'
import { PRIMITIVE } from './emit.js'

/** The program with its steps' texts spelled like the model; events by number, from 1. */
export const spelled = (program: Program, events: readonly string[]): Program => {
  const edgeOf = (edge: Edge): Edge => ({ ...edge, text: spell(edge.text, events) })
  const templates = new Map(
    [...program.templates].map(([name, template]) => [name, { ...template, edges: template.edges.map(edgeOf) }]),
  )
  return { ...program, templates, main: templates.get(program.main.name)! }
}

const CALL = new RegExp(`${PRIMITIVE}(\\w+)\\(((?:[^()]|\\([^()]*\\))*)\\)`, 'g')

const spell = (text: string, events: readonly string[]): string => {
  const event = (number: string | undefined): string => events[Number(number) - 1] ?? ''
  return text
    .replace(CALL, (_, name: string, list: string) => {
      const args = list.split(',').map((arg) => arg.trim())
      switch (name) {
        case 'notify':
        case 'cancel':
          return `${event(args[0])}.${name}()`
        case 'notify_delta':
          return `${event(args[0])}.notify(SC_ZERO_TIME)`
        case 'notify_time':
          return `${event(args[0])}.notify(${time(args[1])})`
        case 'list':
          return event(args[0])
        case 'wait_event':
          return `wait(${event(args[0])})`
        case 'wait_time':
          return `wait(${time(args[0])})`
        case 'next_trigger':
          return `next_trigger(${event(args[0])})`
        case 'next_trigger_time':
          return `next_trigger(${time(args[0])})`
        case 'start':
          return args[0] === '-1' ? 'sc_start()' : `sc_start(${time(args[0])})`
        case 'stop':
          return 'sc_stop()'
        case 'wait':
        case 'wait_any':
        case 'wait_all':
          return 'wait()'
        case 'wait_method':
          return 'method ends'
        default:
          return name.replaceAll('_', ' ')
      }
    })
    .replaceAll(PRIMITIVE, '')
    .replaceAll(DOT, '.')
}

/** In the largest unit; `(long long)(x) * 1000LL` is x SC_NS. */
const time = (text = ''): string => {
  const [, count = '1', product] = /^(?:\(long long\)\((.*)\) \* )?(\d+)LL$/.exec(text) ?? []
  if (product === undefined) return text === '0' ? 'SC_ZERO_TIME' : text
  const [size, unit] = UNITS.find(([each]) => Number(product) % each === 0)!
  return `${count === '1' ? Number(product) / size : count}, ${unit}`
}

const UNITS: readonly (readonly [number, string])[] = [
  [1e12, 'SC_SEC'],
  [1e9, 'SC_MS'],
  [1e6, 'SC_US'],
  [1e3, 'SC_NS'],
  [1, 'SC_PS'],
]
