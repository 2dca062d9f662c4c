// Hand-made programs for tests: a few lines a thread, no C in between. Each label list is an edge.
import type {
  Edge,
  Label,
  Location,
  MemoryObject,
  Position,
  Procedure,
  Program,
  Region,
  Sync,
  Type,
  Value,
  Variable,
} from '../../src/xcfa/index.js'
import { INT, intType } from '../../src/xcfa/index.js'

interface EdgeOptions {
  readonly text?: string
  readonly sync?: Sync
}

export interface TemplateBuilder {
  local(name: string, type?: Type): Variable
  parameter(name: string, type?: Type): Variable
  readonly self: Variable
  readonly initial: Location
  readonly final: Location
  location(options?: Partial<Location>): Location
  /** A location where `assert` (or `reach-error`) is violated. */
  error(kind?: 'assert' | 'reach-error'): Location
  halt(kind: 'exit' | 'assume' | 'undefined'): Location
  edge(source: Location, target: Location, labels: readonly Label[], options?: EdgeOptions): Edge
  /** Edges one after the other from `source` to `target`, over fresh locations. */
  path(source: Location, target: Location, ...edges: readonly (readonly Label[])[]): readonly Edge[]
}

export interface ProgramBuilder {
  global(name: string, options?: { type?: Type; initial?: Value | 'any'; atomic?: boolean }): Variable
  /** An object of memory in the one region of bytes. Addresses are given out from 4096 on. */
  object(name: string, size: number, options?: Partial<MemoryObject>): MemoryObject
  readonly memory: Region
  /** `main` is the template of that name. */
  template(name: string, define: (t: TemplateBuilder) => void): void
  program(): Program
}

export const handMade = (): ProgramBuilder => {
  let counter = 0
  let nextAddress = 4096
  const globals: Variable[] = []
  const objects: MemoryObject[] = []
  const templates = new Map<string, Procedure>()
  const slots: { object: MemoryObject; offset: number; step: number; count: number }[] = []
  const memory: Region = { id: 0, name: 'memory', scope: 'global', element: 'bytes', slots }
  const at = (): Position => ({ file: 'hand.c', line: counter, column: 1 })
  const variable = (name: string, type: Type, scope: Variable['scope'], rest: Partial<Variable> = {}): Variable => ({
    id: counter++,
    name,
    type,
    scope,
    initial: 0,
    source: name,
    ...rest,
  })

  return {
    memory,
    global(name, { type = INT, ...rest } = {}) {
      const created = variable(name, type, 'global', rest)
      globals.push(created)
      return created
    },
    object(name, size, options = {}) {
      const stride = size + 16
      const instances = options.storage === 'heap' || options.storage === 'thread' ? 64 : 1
      const base = nextAddress
      nextAddress += stride * instances + 16
      const id = counter++
      const object: MemoryObject = {
        ...{ id, name, storage: 'static', base, stride, size, cells: [], initial: [], contents: 'zero' },
        ...options,
      }
      objects.push(object)
      slots.push({ object, offset: 0, step: 1, count: size })
      return object
    },
    template(name, define) {
      const locals: Variable[] = []
      const parameters: Variable[] = []
      const locations: Location[] = []
      const edges: Edge[] = []
      const location = (options: Partial<Location> = {}): Location => {
        const created: Location = { id: counter++, kind: 'plain', atomic: false, position: at(), ...options }
        locations.push(created)
        return created
      }
      const local = (id: string, type: Type = INT): Variable => {
        const created = variable(id, type, 'local')
        locals.push(created)
        return created
      }
      const self = local('self', intType(32, false))
      const initial = location()
      const final = location({ kind: 'final' })
      const edge = (source: Location, target: Location, labels: readonly Label[], options: EdgeOptions = {}): Edge => {
        const created: Edge = { id: counter++, source, target, labels, position: at(), text: '', ...options }
        edges.push(created)
        return created
      }
      const position = at()
      define({
        local,
        parameter(id, type) {
          const created = local(id, type)
          parameters.push(created)
          return created
        },
        self,
        initial,
        final,
        location,
        error: (kind = 'assert') => location({ kind: 'error', violation: { kind, text: kind } }),
        halt: (kind) => location({ kind: 'halt', reason: { kind, text: kind } }),
        edge,
        path(source, target, ...labels) {
          const stops = [source, ...labels.slice(1).map(() => location()), target]
          return labels.map((list, i) => edge(stops[i]!, stops[i + 1]!, list))
        },
      })
      templates.set(name, { name, parameters, locals, self, locations, initial, final, edges, objects: [], position })
    },
    program(): Program {
      const main = templates.get('main')
      if (!main) throw new Error('a program needs a template main')
      return { dataModel: 'lp64', main, templates, globals, regions: [memory], objects }
    },
  }
}
