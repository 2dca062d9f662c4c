// Labels and synchronisation as one line of text: `t1 := x`, `[t1 == 0]`, `lock m`.
import type { Edge, Label, Location, MemoryObject, Program, Sync } from '../index.js'
import { type AddressName, exprText, typeText } from './expr.js'

export const labelText = (label: Label, nameOf?: AddressName): string => {
  const show = (e: Parameters<typeof exprText>[0]): string => exprText(e, nameOf)
  switch (label.kind) {
    case 'assign':
      return `${label.target.name} := ${show(label.value)}`
    case 'assume':
      return `[${show(label.condition)}]`
    case 'havoc':
      return label.range
        ? `havoc ${label.target.name} in [${show(label.range.low)}, ${show(label.range.high)}]`
        : `havoc ${label.target.name}`
    case 'load':
      return `${label.target.name} := ${cellText(label, nameOf)}`
    case 'store':
      return `${cellText(label, nameOf)} := ${show(label.value)}`
    case 'allocate':
      return `${label.target.name} := allocate ${label.object.name}(${show(label.size)})`
    case 'free':
      return `free ${show(label.address)}`
    case 'start':
      return `${label.target.name} := start ${label.procedure}(${label.args.map(show).join(', ')})`
    case 'join':
      return `join ${show(label.thread)}`
    case 'call': {
      const callee = typeof label.callee === 'string' ? label.callee : `(*${exprText(label.callee, nameOf, 20)})`
      return `${label.target ? `${label.target.name} := ` : ''}${callee}(${label.args.map(show).join(', ')})`
    }
    case 'fence':
      return 'fence'
    case 'primitive':
      return `${label.target ? `${label.target.name} := ` : ''}${label.name}(${label.args.map(show).join(', ')})`
  }
}

/** `region[address]`, with the type where the region has none. */
const cellText = (label: Extract<Label, { kind: 'load' | 'store' }>, nameOf?: AddressName): string => {
  const { region, address, type } = label
  const cell = `${region.name}[${exprText(address, nameOf)}]`
  return region.element === 'bytes' ? `${cell}<${typeText(type)}>` : cell
}

const syncText = (sync: Sync, nameOf?: AddressName): string =>
  [sync.spurious ? 'spurious' : '', sync.kind, sync.object ? exprText(sync.object, nameOf) : '']
    .filter((part) => part !== '')
    .join(' ')

/** All that an edge does; `skip` when it does nothing. */
export const edgeText = (edge: Edge, nameOf?: AddressName): string => {
  const labels = edge.labels.map((label) => labelText(label, nameOf)).join('; ')
  if (!edge.sync) return labels || 'skip'
  return `${syncText(edge.sync, nameOf)}${labels ? `: ${labels}` : ''}`
}

export const locationText = (location: Location): string => `L${location.id}`

/** What is special about a location, if anything. */
export const locationNote = (location: Location): string => {
  const notes = [
    location.kind === 'plain' ? '' : location.kind,
    location.violation ? `${location.violation.kind} ${location.violation.text}`.trim() : '',
    location.reason ? `${location.reason.kind} ${location.reason.text}`.trim() : '',
    location.atomic ? 'atomic' : '',
  ]
  return notes.filter((note) => note !== '').join(', ')
}

/** Names for the addresses of a program's objects: `&x`, `&a[3]`, `&s.next`, `&x + 2`. */
const addressNames = (objects: readonly MemoryObject[]): AddressName => {
  const sorted = objects.filter((object) => object.storage === 'static').sort((a, b) => a.base - b.base)
  return (address) => {
    const at = Number(address)
    const object = sorted.findLast((candidate) => candidate.base <= at)
    if (!object || at > object.base + object.size) return undefined
    if (object.procedure !== undefined) return at === object.base ? `&${object.name}` : undefined
    return `&${object.name}${pathAt(object, at - object.base)}`
  }
}

const pathAt = (object: MemoryObject, offset: number): string => {
  for (const cell of object.cells) {
    const index = (offset - cell.offset) / Math.max(cell.step, 1)
    if (!Number.isInteger(index) || index < 0 || index >= cell.count) continue
    if (index === 0) return cell.path
    const start = cell.path.lastIndexOf('[0]')
    if (start >= 0) return `${cell.path.slice(0, start)}[${index}]${cell.path.slice(start + 3)}`
  }
  return offset === 0 ? '' : ` + ${offset}`
}

export const programAddressNames = (program: Program): AddressName => addressNames(program.objects)
