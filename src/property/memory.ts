// valid-memsafety as reachability: before an access whose address is not plainly valid stands a check, and an edge to an
// error where it fails; what a pointer may point to is known from the points-to analysis. Each heap object has a
// variable beside it that knows its size while it lives (one more than that, 0 when it is freed), so that a free is a
// write of it and an access a read. At the end of the program nothing may be left that was not freed: more than is
// asked (something may still point to it), so that this error is looked at again when it is replayed.
import {
  add,
  and,
  byteSize,
  cast,
  constant,
  constantValue,
  div,
  type Edge,
  type Expr,
  eq,
  intType,
  ite,
  type Label,
  type Location,
  le,
  lt,
  type MemoryObject,
  mul,
  ne,
  not,
  or,
  POINTER,
  type Procedure,
  type Program,
  type Region,
  rem,
  sub,
  substitute,
  type Variable,
  type Violation,
  varExpr,
} from '../xcfa/index.js'
import { type Draft, draft, reachable, withEdges } from '../xcfa/passes/edit.js'
import { type PointsTo, pointsTo } from '../xcfa/passes/memory/points-to.js'

/**
 * `leaks`: errors where the program ends and something was not freed. Otherwise whoever asks can look for himself:
 * lives of heap objects end as in the program given.
 */
export const memoryChecks = (raw: Program, leaks: boolean, told = TOLD_APART): Program =>
  new Checks(raw, leaks, told).program()

/** So many instances of one heap object are told apart; more of them is an error that does not replay: unknown. */
export const TOLD_APART = 64
const EXTENT = intType(32, false)
const EXTENT_BYTES = 4

/** Labels so far, and where they lead: further, or (`error`) to a violation. */
interface Way {
  readonly labels: readonly Label[]
  readonly error?: Violation
}

class Checks {
  private readonly pointers: PointsTo
  private readonly extents = new Map<MemoryObject, MemoryObject>()
  /** Heap objects that live now. */
  private readonly living: Variable
  private readonly memory: Region
  private readonly temporaries = new Map<Procedure, Variable[]>()
  private readonly errors = new Map<Procedure, Location[]>()
  private readonly hasHeap: boolean
  /** By pthread_exit, main ends before the program. */
  private readonly mainLeaves: boolean
  private next: number

  constructor(
    private readonly raw: Program,
    private readonly leaks: boolean,
    /** How many instances of one heap object are told apart. */
    private readonly told: number,
  ) {
    this.pointers = pointsTo(raw)
    this.hasHeap = raw.objects.some(({ storage, automatic }) => storage === 'heap' && !automatic)
    this.mainLeaves = reachable(raw.main.initial, raw.main.edges).has(raw.main.final)
    const procedures = [...raw.templates.values()]
    this.next =
      1 +
      Math.max(
        0,
        ...raw.objects.map(({ id }) => id),
        ...raw.globals.map(({ id }) => id),
        ...procedures.flatMap((p) => [...p.locals, ...p.parameters, ...p.locations].map(({ id }) => id)),
      )
    this.living = { id: this.next++, name: 'heap objects', type: EXTENT, scope: 'global', initial: 0, atomic: true }
    this.addExtents()
    const ghosts = [...this.extents.values()].map((object) => ({ object, offset: 0, step: 1, count: object.size }))
    const [memory] = raw.regions
    this.memory = { ...memory!, slots: [...memory!.slots, ...ghosts] }
  }

  program(): Program {
    const program = {
      ...this.raw,
      globals: [...this.raw.globals, this.living],
      objects: [...this.raw.objects, ...this.extents.values()],
      regions: [this.memory],
    }
    const checked = withEdges(program, (procedure) => procedure.edges.flatMap((edge) => this.checked(edge, procedure)))
    const templates = new Map(
      [...checked.templates].map(([name, procedure]) => {
        const original = this.raw.templates.get(name)!
        return [
          name,
          {
            ...procedure,
            locals: [...procedure.locals, ...(this.temporaries.get(original) ?? [])],
            locations: [...procedure.locations, ...(this.errors.get(original) ?? [])],
          },
        ] as const
      }),
    )
    return { ...checked, templates, main: templates.get(checked.main.name)! }
  }

  /** A static array for each heap object: what is known of its instances. */
  private addExtents(): void {
    const ends = this.raw.objects.map((o) => o.base + (o.storage === 'static' ? o.size : o.stride * (o.instances ?? 1)))
    let base = Math.ceil((Math.max(0, ...ends) + 16) / 16) * 16
    for (const object of this.raw.objects) {
      if (object.storage !== 'heap') continue
      const count = this.instancesOf(object)
      const size = count * EXTENT_BYTES
      const stride = Math.ceil((size + 16) / 16) * 16
      const cells = [{ offset: 0, type: EXTENT, step: EXTENT_BYTES, count, path: '[0]' }]
      const name = `size of ${object.name}`
      const extent: MemoryObject = {
        ...{ id: this.next++, name, storage: 'static', base, stride, size, cells, initial: [], contents: 'zero' },
      }
      this.extents.set(object, extent)
      base += stride
    }
  }

  // ---- edges

  private checked(edge: Edge, procedure: Procedure): readonly Draft[] {
    let ways: readonly Way[] = [{ labels: [] }]
    for (const label of edge.labels)
      ways = ways.flatMap((way) =>
        way.error
          ? [way]
          : this.after(label, procedure).map((more) => ({ ...more, labels: [...way.labels, ...more.labels] })),
      )
    if (this.leaks && this.mayEnd(edge, procedure))
      ways = [
        ...ways,
        {
          labels: [{ kind: 'assume', condition: ne(varExpr(this.living), constant(EXTENT, 0)) }],
          error: { kind: 'memtrack', text: 'memory is not freed' },
        },
      ]
    return ways.map(({ labels: unplaced, error }) => {
      const labels = unplaced.map((label) => this.inMemory(label))
      return error
        ? draft(edge, { labels, target: this.error(error, edge, procedure), origins: [] })
        : draft(edge, { labels })
    })
  }

  /** The program may end with this edge: by an exit, or as the last thread where main leaves others behind. */
  private mayEnd({ target }: Edge, { final }: Procedure): boolean {
    return this.hasHeap && (target.reason?.kind === 'exit' || (this.mainLeaves && target === final))
  }

  private error(violation: Violation, { position }: Edge, procedure: Procedure): Location {
    const location: Location = { id: this.next++, kind: 'error', atomic: false, position, violation }
    const known = this.errors.get(procedure)
    if (known) known.push(location)
    else this.errors.set(procedure, [location])
    return location
  }

  private inMemory(label: Label): Label {
    return label.kind === 'load' || label.kind === 'store' ? { ...label, region: this.memory } : label
  }

  private after(label: Label, procedure: Procedure): readonly Way[] {
    switch (label.kind) {
      case 'load':
      case 'store':
        return this.access(label, byteSize(label.type), procedure)
      case 'allocate':
        return this.allocation(label)
      case 'free':
        return this.release(label.address, procedure)
      default:
        return [{ labels: [label] }]
    }
  }

  // ---- accesses

  private access(
    label: Extract<Label, { kind: 'load' | 'store' }>,
    size: number,
    procedure: Procedure,
  ): readonly Way[] {
    const { address } = label
    const writes = label.kind === 'store'
    if (this.isPlainlyValid(address, size, writes, procedure)) return [{ labels: [label] }]
    const targets = this.targets(address, procedure).filter(({ readOnly }) => !(writes && readOnly))
    const extents = this.loads(targets, address, procedure)
    const valid = or(...targets.map((object) => this.within(object, address, size, extents.known.get(object))))
    if (constantValue(valid) === 1) return [{ labels: [label] }]
    return [
      { labels: [...extents.labels, { kind: 'assume', condition: valid }, label] },
      {
        labels: [...extents.labels, { kind: 'assume', condition: not(valid) }],
        error: { kind: 'deref', text: 'invalid access' },
      },
    ]
  }

  private targets(address: Expr, procedure: Procedure): readonly MemoryObject[] {
    const objects = this.pointers.targets(address, procedure).map(({ object }) => object)
    return [...new Set(objects)].filter((object) => object.procedure === undefined)
  }

  /** A constant, or a constant distance from the thread's own instance of an object. */
  private isPlainlyValid(address: Expr, size: number, writes: boolean, { self }: Procedure): boolean {
    const first = constantValue(substitute(address, (v) => (v === self ? constant(v.type, 0) : undefined)))
    const found = first === undefined ? undefined : this.pointers.addresses.objectAt(first)
    if (!found || found.object.storage === 'heap' || found.object.procedure !== undefined) return false
    if (writes && found.object.readOnly) return false
    // Another thread's instance is nothing that a constant distance leads to.
    if (found.instance !== 0) return false
    return found.offset + size <= found.object.size
  }

  /** Looks up how large the instance is that the address lies in, for each heap object that it may lie in. */
  private loads(targets: readonly MemoryObject[], address: Expr, procedure: Procedure) {
    const labels: Label[] = []
    const known = new Map<MemoryObject, Expr>()
    for (const object of targets) {
      if (object.storage !== 'heap') continue
      const target = this.temporary(procedure)
      labels.push({ kind: 'load', target, region: this.memory, address: this.extentAt(object, address), type: EXTENT })
      known.set(object, varExpr(target))
    }
    return { labels, known }
  }

  private temporary(procedure: Procedure): Variable {
    const id = this.next++
    const variable: Variable = { id, name: `size.${id}`, type: EXTENT, scope: 'local', initial: 0 }
    const known = this.temporaries.get(procedure)
    if (known) known.push(variable)
    else this.temporaries.set(procedure, [variable])
    return variable
  }

  /** The bytes are in a live instance of the object. */
  private within(object: MemoryObject, address: Expr, size: number, extent: Expr | undefined): Expr {
    const from = this.distance(object, address)
    const { type } = from
    if (object.storage === 'static')
      return and(le(constant(type, 0), from), le(from, constant(type, object.size - size)))
    const offset = rem(from, constant(type, object.stride))
    const inside = this.inReserved(object, address)
    if (!extent) return and(inside, le(offset, constant(type, object.size - size)))
    return and(inside, lt(add(offset, constant(type, size)), cast(type, extent)))
  }

  /** From the object's first byte, as a signed number. */
  private distance({ base }: MemoryObject, address: Expr): Expr {
    const type = intType(this.pointerWidth(), true)
    return sub(cast(type, address), constant(type, base))
  }

  private inReserved(object: MemoryObject, address: Expr): Expr {
    const from = this.distance(object, address)
    const end = object.stride * this.instancesOf(object)
    return and(le(constant(from.type, 0), from), lt(from, constant(from.type, end)))
  }

  private pointerWidth(): 32 | 64 {
    return this.raw.dataModel === 'ilp32' ? 32 : 64
  }

  /** Where the size of the instance at this address is kept; of the first one, if the address is in none. */
  private extentAt(object: MemoryObject, address: Expr): Expr {
    const from = this.distance(object, address)
    const { type } = from
    const number = div(from, constant(type, object.stride))
    const index = ite(this.inReserved(object, address), number, constant(type, 0))
    const bytes = mul(index, constant(type, EXTENT_BYTES))
    return add(constant(POINTER[this.pointerWidth()], this.extents.get(object)!.base), bytes)
  }

  // ---- the heap

  private allocation(label: Extract<Label, { kind: 'allocate' }>): readonly Way[] {
    const { object, target, size } = label
    const address = varExpr(target)
    const fits = this.inReserved(object, address)
    const alive: Label = {
      ...{ kind: 'store', region: this.memory, address: this.extentAt(object, address), type: EXTENT },
      value: add(cast(EXTENT, size), constant(EXTENT, 1)),
    }
    const ways: Way[] = [{ labels: [label, { kind: 'assume', condition: fits }, alive, ...this.count(object, 1)] }]
    if ((object.instances ?? 1) > this.instancesOf(object))
      ways.push({
        labels: [label, { kind: 'assume', condition: not(fits) }],
        error: { kind: 'deref', text: 'more heap objects than are told apart' },
      })
    return ways
  }

  private count({ automatic }: MemoryObject, by: 1 | -1): readonly Label[] {
    if (automatic || !this.leaks) return []
    return [{ kind: 'assign', target: this.living, value: add(varExpr(this.living), constant(EXTENT, by)) }]
  }

  /** free: of NULL nothing happens; otherwise the address is the beginning of one of the heap objects. */
  private release(address: Expr, procedure: Procedure): readonly Way[] {
    const isNull = eq(address, constant(address.type, 0))
    const objects = this.targets(address, procedure).filter((o) => o.storage === 'heap' && !o.automatic)
    const extents = this.loads(objects, address, procedure)
    const begins = objects.map((object) => {
      const from = this.distance(object, address)
      const atStart = eq(rem(from, constant(from.type, object.stride)), constant(from.type, 0))
      const lives = ne(extents.known.get(object)!, constant(EXTENT, 0))
      return and(this.inReserved(object, address), atStart, lives)
    })
    const freed = objects.map((object, i): Way => {
      const place = this.extentAt(object, address)
      const dead = {
        ...{ kind: 'store', region: this.memory, address: place, type: EXTENT },
        value: constant(EXTENT, 0),
      }
      const ends: readonly Label[] = this.leaks ? this.count(object, -1) : [{ kind: 'free', address }]
      return { labels: [...extents.labels, { kind: 'assume', condition: begins[i]! }, dead as Label, ...ends] }
    })
    return [
      { labels: [{ kind: 'assume', condition: isNull }] },
      ...freed,
      {
        labels: [...extents.labels, { kind: 'assume', condition: and(not(isNull), ...begins.map(not)) }],
        error: { kind: 'free', text: 'invalid free' },
      },
    ]
  }

  private instancesOf({ storage, instances = 1 }: MemoryObject): number {
    return storage === 'heap' ? Math.min(instances, this.told) : instances
  }
}
