// Programs whose outcome may depend on which addresses malloc returns. In every model of this program a heap block has an
// address of its own, in a fixed order; a real allocator gives the address of a freed block to the next one (ABA), and
// blocks in any order. Where an address is compared so that this could show, no proof over the model is one of the program.
import { children, type Edge, type Expr, type Position, type Program, type Variable } from '../xcfa/index.js'
import { expressionsOf, outgoing } from '../xcfa/passes/index.js'

/** Where it may show, as far as this tells: numbers made from addresses are followed through variables, not memory. */
export const mayShowAddresses = (program: Program): Position | undefined => {
  const edges = [...program.templates.values()].flatMap((template) => template.edges)
  if (!edges.some(allocates)) return undefined
  const numbers = madeFromAddresses(edges)
  const isReused = mayReuse(program)
  const shows = (e: Expr): boolean =>
    (e.kind === 'compare' && isObservation(e, numbers, isReused)) || children(e).some(shows)
  return edges.find(({ labels }) => labels.some((label) => expressionsOf(label).some(shows)))?.position
}

const allocates = ({ labels }: Edge): boolean =>
  labels.some((label) => label.kind === 'allocate' && !label.object.automatic)

const frees = ({ labels }: Edge): boolean => labels.some(({ kind }) => kind === 'free')

/** After a free somebody may allocate. */
const mayReuse = ({ templates }: Program): boolean => {
  const all = [...templates.values()]
  return all.some((template) => {
    const from = outgoing(template.edges)
    const after = new Set(template.edges.filter(frees).map(({ target }) => target))
    if (after.size === 0) return false
    for (const place of after) for (const { target } of from.get(place) ?? []) after.add(target)
    const isAfter = template.edges.some((edge) => allocates(edge) && after.has(edge.source))
    return isAfter || all.some((other) => other !== template && other.edges.some(allocates))
  })
}

/** Variables of integer types that hold what was computed from an address. */
const madeFromAddresses = (edges: readonly Edge[]): ReadonlySet<Variable> => {
  const found = new Set<Variable>()
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const { labels } of edges)
      for (const label of labels)
        if (label.kind === 'assign' && label.target.type.kind === 'int' && isAddressNumber(label.value, found))
          found.add(label.target)
  }
  return found
}

/** An integer whose value comes from an address. */
const isAddressNumber = (e: Expr, numbers: ReadonlySet<Variable>): boolean => {
  if (e.kind === 'compare' || e.kind === 'not' || e.kind === 'and' || e.kind === 'or') return false
  if (e.kind === 'var') return numbers.has(e.variable)
  if ((e.kind === 'cast' || e.kind === 'bitcast') && e.arg.type.kind === 'pointer') return e.arg.kind !== 'const'
  return children(e).some((child) => isAddressNumber(child, numbers))
}

/** Two addresses that are equal only if one is reused, or whose order tells which is which. */
const isObservation = (
  { op, left, right }: Extract<Expr, { kind: 'compare' }>,
  numbers: ReadonlySet<Variable>,
  isReused: boolean,
): boolean => {
  if (left.kind === 'const' || right.kind === 'const') return false
  const arePointers = left.type.kind === 'pointer' && right.type.kind === 'pointer'
  const areNumbers = isAddressNumber(left, numbers) || isAddressNumber(right, numbers)
  // Pointers are ordered only within one object.
  return op === 'eq' || op === 'ne' ? isReused && (arePointers || areNumbers) : areNumbers
}
