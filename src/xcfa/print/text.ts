// A program as readable text: `heddle show --as xcfa`.
import type { Edge, MemoryObject, Position, Procedure, Program, Region, Variable } from '../index.js'
import { type AddressName, typeText, valueText } from './expr.js'
import { edgeText, locationNote, locationText, programAddressNames } from './label.js'

export const toText = (program: Program): string => {
  const nameOf = programAddressNames(program)
  const sections = [
    [`program ${program.dataModel}`],
    program.globals.map((variable) => globalText(variable, nameOf)),
    program.objects.filter((object) => object.procedure === undefined).map((object) => objectText(object, nameOf)),
    program.regions.map(regionText),
    ...[...program.templates.values()].map((procedure) => procedureText(procedure, nameOf)),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

const globalText = (variable: Variable, nameOf: AddressName): string => {
  const initial = variable.initial === 'any' ? 'any' : valueText(variable.initial, variable.type, nameOf)
  return `global ${variable.atomic ? '_Atomic ' : ''}${declaration(variable)} = ${initial}`
}

const declaration = (variable: Variable): string => {
  const type = typeText(variable.type)
  return `${type}${type.endsWith('*') ? '' : ' '}${variable.name}`
}

const objectText = (object: MemoryObject, nameOf: AddressName): string => {
  const initial = object.initial.map(({ offset, type, value }) => `${offset}: ${valueText(value, type, nameOf)}`)
  const contents = [...initial, ...(object.contents === 'any' ? ['any'] : [])]
  const stride = object.storage === 'static' ? '' : ` stride ${object.stride}`
  return `object ${object.name}: ${object.storage}, ${object.size} bytes at 0x${object.base.toString(16)}${stride}${
    contents.length > 0 ? ` = { ${contents.join(', ')} }` : ''
  }`
}

const regionText = (region: Region): string => {
  const element = region.element === 'bytes' ? 'bytes' : typeText(region.element)
  const slots = region.slots.map(({ object, offset, step, count }) =>
    count === 1 ? `${object.name}+${offset}` : `${object.name}+${offset}..${offset + step * (count - 1)}/${step}`,
  )
  return `region ${region.name}: ${region.scope} ${element} { ${slots.join(', ')} }`
}

const procedureText = (procedure: Procedure, nameOf: AddressName): string[] => {
  const locals = procedure.locals.filter((variable) => !procedure.parameters.includes(variable))
  const from = new Map<number, Edge[]>()
  for (const edge of procedure.edges) from.set(edge.source.id, [...(from.get(edge.source.id) ?? []), edge])
  return [
    `thread ${procedure.name}(${procedure.parameters.map(declaration).join(', ')}) self ${procedure.self.name}`,
    ...locals.map((variable) => `  local ${declaration(variable)}`),
    `  initial ${locationText(procedure.initial)}`,
    ...procedure.locations.flatMap((location) => {
      const note = locationNote(location)
      return [
        ...(note ? [`  ${locationText(location)} is ${note}`] : []),
        ...(from.get(location.id) ?? []).map((edge) => lineText(edge, nameOf)),
      ]
    }),
  ]
}

const lineText = (edge: Edge, nameOf: AddressName): string => {
  const arrow = `  ${locationText(edge.source)} -> ${locationText(edge.target)}${edge.back ? ' (back)' : ''}`
  return `${arrow}: ${edgeText(edge, nameOf)}${edge.text ? `  // ${placeText(edge.position)} ${edge.text}` : ''}`
}

export const placeText = (position: Position): string => `${position.file}:${position.line}`
