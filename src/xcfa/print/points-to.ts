// What each access to memory may mean, and how memory is split: `heddle show --points-to`.
import type { Program, Slot } from '../index.js'
import { partition } from '../passes/memory/partition.js'
import { pointsTo } from '../passes/memory/points-to.js'
import { propagate } from '../passes/propagate.js'
import { typeText } from './expr.js'
import { labelText, programAddressNames } from './label.js'
import { placeText } from './text.js'

/** For a program as it is inlined: accesses with their targets, then the classes of memory. */
export const pointsToText = (raw: Program): string => {
  const program = propagate(raw)
  const pointers = pointsTo(program)
  const { classes } = partition(program, pointers)
  const nameOf = programAddressNames(program)
  const accesses = [...program.templates.values()].flatMap((procedure) =>
    procedure.edges.flatMap((edge) =>
      edge.labels.flatMap((label) => {
        if (label.kind !== 'load' && label.kind !== 'store') return []
        const targets = pointers.targets(label.address, procedure).map(slotText)
        const place = `${procedure.name} ${placeText(edge.position)}`
        return [`${place}: ${labelText(label, nameOf)} -> ${targets.join(', ') || 'nothing'}`]
      }),
    ),
  )
  const split = classes.map(({ slots, cell, types }) => {
    const names = [...new Set(types.map(typeText))]
    return `class of ${cell === 'bytes' ? 'bytes' : names.join(', ')}: ${slots.map(slotText).join(', ')}`
  })
  const escaped = program.objects.filter((object) => object.storage !== 'static' && pointers.escaped.has(object))
  const shared = escaped.map(({ name, storage }) => `reached by other threads: ${name} (${storage})`)
  return [...accesses, ...split, ...shared, ''].join('\n')
}

const slotText = ({ object, offset, step, count }: Slot): string =>
  count > 1 ? `${object.name}+${offset}..${offset + step * (count - 1)}/${step}` : `${object.name}+${offset}`
