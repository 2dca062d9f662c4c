// A packed state as a state of the concrete semantics, for checks that are rarely made.
import type { Interpreter, State } from '../../semantics/index.js'
import type { TemplateLayout } from '../../semantics/layout.js'
import { type Block, FREED, freshBlock, initialBlock, type Memory, writeValue } from '../../semantics/memory.js'
import type { Location, MemoryObject, Value } from '../../xcfa/index.js'
import type { Layout } from './compile/layout.js'
import { readCell } from './compile/state.js'

type Slot = Layout['slots'][number]

export const decodeGlobals = (
  layout: Layout,
  interpreter: Interpreter,
  words: Int32Array,
  base: number,
): readonly Value[] => interpreter.layout.program.globals.map((v) => readCell(words, base, layout.globals.get(v)!, 0))

/** The locals of the thread in this slot, in the order of its template, and the template. */
export const decodeLocals = (
  slot: Slot,
  location: Location,
  interpreter: Interpreter,
  words: Int32Array,
  base: number,
): { readonly template: TemplateLayout; readonly locals: readonly Value[] } => {
  const { procedure, locals } = slot.templates.find(({ counters }) => counters.has(location))!
  const template = interpreter.layout.templates.get(procedure.name)!
  return {
    template,
    locals: template.variables.map((variable) => {
      if (variable === procedure.self) return slot.number
      const cells = locals.get(variable)
      return cells ? readCell(words, base, cells, 0) : 0
    }),
  }
}

export const decodeState = (layout: Layout, interpreter: Interpreter, words: Int32Array, base: number): State => ({
  globals: decodeGlobals(layout, interpreter, words, base),
  memory: decodeMemory(layout, interpreter, words, base),
  threads: layout.slots.flatMap((slot) => {
    const counter = Number(readCell(words, base, slot.counter, 0))
    if (counter === 0) return []
    const stopped = [...slot.stopped].find(([, stop]) => stop === counter)
    const location = stopped?.[0] ?? slot.locations[counter]!
    const thread = decodeLocals(slot, location, interpreter, words, base)
    return [{ ...thread, location, ...(stopped ? { stopped: STOPPED } : {}) }]
  }),
})

const STOPPED = { kind: 'undefined', text: 'undefined behaviour' } as const

const decodeMemory = (layout: Layout, interpreter: Interpreter, words: Int32Array, base: number): Memory => {
  const blocks = new Map<MemoryObject, Map<number, Block | undefined>>()
  const blockOf = (object: MemoryObject, instance: number): Block | undefined => {
    let column = blocks.get(object)
    if (!column) blocks.set(object, (column = new Map()))
    if (!column.has(instance)) column.set(instance, firstBlock(layout, interpreter, object, instance, words, base))
    return column.get(instance)
  }
  // Also those that nobody accesses live.
  for (const [object, { count }] of layout.heap.instances) for (let k = 0; k < count; k++) blockOf(object, k)
  for (const { places, cells, unchosen, elementType } of layout.regions.values())
    places.forEach(({ object, instance, offset }, cell) => {
      const block = blockOf(object, instance)
      if (!block?.live || offset >= block.bytes.length) return
      if (unchosen && readCell(words, base, unchosen, cell) === 1) return
      blocks.get(object)!.set(instance, writeValue(block, offset, elementType, readCell(words, base, cells, cell)))
    })
  return interpreter.layout.objects.map(({ object }) => {
    const column = blocks.get(object)
    if (!column) return []
    const list: (Block | undefined)[] = []
    for (const [instance, block] of column) list[instance] = block
    return Array.from(list)
  })
}

const firstBlock = (
  layout: Layout,
  interpreter: Interpreter,
  object: MemoryObject,
  instance: number,
  words: Int32Array,
  base: number,
): Block | undefined => {
  if (object.storage !== 'heap') return initialBlock(interpreter.layout.objects.find((o) => o.object === object)!)
  const { heap } = layout
  const { first } = heap.instances.get(object)!
  const allocated = readCell(words, base, heap.allocated.get(object)!, 0)
  if (instance >= allocated) return undefined
  const extent = Number(readCell(words, base, heap.extents!, first + instance))
  return extent === 0 ? FREED : freshBlock(extent - 1, object.contents)
}
