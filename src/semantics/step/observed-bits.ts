// Which bits of a region's cells the program can ever tell apart. To write a bit-field is to read its cell and to write it
// back with some bits changed, so that a cell of which nothing was initialised is read whole; but all that anybody looks
// at are the bits of the fields. States that differ in other bits only are bisimilar.
import type { Expr, Label, Program, Region, Type, Variable } from '../../xcfa/index.js'
import { bitand, bitor, bitxor, canonical, children, constant, sameType } from '../../xcfa/index.js'
import { expressionsOf } from '../../xcfa/passes/labels.js'

export type ObservedBits = ReadonlyMap<Region, bigint>

const known = new WeakMap<Program, ObservedBits>()

/** Regions whose cells are integers that are loaded as such; of others all bits count. */
export const observedBits = (program: Program): ObservedBits => {
  let bits = known.get(program)
  if (!bits) known.set(program, (bits = leastFixpoint(program)))
  return bits
}

const leastFixpoint = (program: Program): ObservedBits => {
  const regions = wholeCells(program)
  let bits: ObservedBits = new Map([...regions].map((region) => [region, 0n]))
  for (;;) {
    const next = seenUnder(program, bits)
    if ([...next].every(([region, seen]) => bits.get(region) === seen)) return bits
    bits = next
  }
}

const labelsOf = ({ edges }: { readonly edges: readonly { readonly labels: readonly Label[] }[] }): readonly Label[] =>
  edges.flatMap(({ labels }) => labels)

/** Regions that are accessed as integers of their own type only. */
const wholeCells = (program: Program): ReadonlySet<Region> => {
  const regions = new Set(
    program.regions.filter(({ element }) => element !== 'bytes' && element.kind === 'int' && element.width > 1),
  )
  for (const procedure of program.templates.values())
    for (const label of labelsOf(procedure))
      if (
        (label.kind === 'load' || label.kind === 'store') &&
        (label.region.element === 'bytes' || !sameType(label.type, label.region.element))
      )
        regions.delete(label.region)
  return regions
}

/** What is seen of each region, if of a value that is stored only these bits count. */
const seenUnder = (program: Program, bits: ObservedBits): ObservedBits => {
  const seen = new Map([...bits.keys()].map((region) => [region, 0n]))
  for (const { edges } of program.templates.values()) {
    const held = new Map<Variable, Region[]>()
    for (const label of labelsOf({ edges }))
      if (label.kind === 'load' && seen.has(label.region))
        held.set(label.target, [...(held.get(label.target) ?? []), label.region])
    const look = (e: Expr, mask: bigint): void =>
      observe(e, mask, (variable, part) => {
        for (const region of held.get(variable) ?? []) seen.set(region, seen.get(region)! | part)
      })
    for (const [variable, regions] of held)
      if (variable.scope === 'global') for (const region of regions) seen.set(region, allOf(variable.type))
    for (const { labels, sync } of edges) {
      if (sync?.object) look(sync.object, allOf(sync.object.type))
      for (const label of labels) {
        const stored = label.kind === 'store' ? bits.get(label.region) : undefined
        for (const e of expressionsOf(label))
          look(e, stored !== undefined && label.kind === 'store' && e === label.value ? stored : allOf(e.type))
      }
    }
  }
  return seen
}

const ALL = (1n << 64n) - 1n

const allOf = (type: Type): bigint => (type.kind === 'int' ? (1n << BigInt(type.width)) - 1n : ALL)

/** Tells the variables whose bits matter, if only these bits of the expression do. */
const observe = (e: Expr, mask: bigint, tell: (variable: Variable, bits: bigint) => void): void => {
  if (mask === 0n) return
  const whole = (part: Expr): void => observe(part, allOf(part.type), tell)
  if (e.kind === 'var') tell(e.variable, mask)
  else if (e.kind === 'cast' && isIntegral(e) && isIntegral(e.arg)) observe(e.arg, beforeCast(e, mask), tell)
  else if (e.kind === 'binary' && isIntegral(e)) {
    const by = e.right.kind === 'const' && isIntegral(e.right) ? BigInt(e.right.value) : undefined
    if (e.op === 'bitor' || e.op === 'bitxor') for (const side of [e.left, e.right]) observe(side, mask, tell)
    else if (e.op === 'bitand' && by !== undefined) observe(e.left, mask & by, tell)
    else if (e.op === 'shl' && isShift(by, e.type)) observe(e.left, mask >> by, tell)
    else if (e.op === 'shr' && isShift(by, e.type)) observe(e.left, beforeShift(e.type, mask, by), tell)
    else for (const side of [e.left, e.right]) whole(side)
  } else for (const part of children(e)) whole(part)
}

const isIntegral = ({ type }: Expr): boolean => type.kind === 'int' && !(type.width === 1 && !type.signed)

const isShift = (by: bigint | undefined, type: Type): by is bigint =>
  by !== undefined && by >= 0n && type.kind === 'int' && by < BigInt(type.width)

/** Copies of the sign count as the sign. */
const withSign = (bits: bigint, type: Type): bigint => {
  const all = allOf(type)
  const sign = type.kind === 'int' && type.signed && bits > all ? (all + 1n) >> 1n : 0n
  return (bits & all) | sign
}

const beforeCast = ({ arg }: Expr & { readonly kind: 'cast' }, mask: bigint): bigint => withSign(mask, arg.type)

const beforeShift = (type: Type, mask: bigint, by: bigint): bigint => withSign(mask << by, type)

/** An expression with the same value in these bits, in which masks stand as near to the variables as they can. */
export const withOnlyBits = (e: Expr, mask: bigint): Expr => {
  if (e.type.kind !== 'int' || mask === allOf(e.type)) return e
  if (e.kind === 'binary' && e.op === 'bitor') return bitor(withOnlyBits(e.left, mask), withOnlyBits(e.right, mask))
  if (e.kind === 'binary' && e.op === 'bitxor') return bitxor(withOnlyBits(e.left, mask), withOnlyBits(e.right, mask))
  if (e.kind === 'binary' && e.op === 'bitand' && e.right.kind === 'const')
    return withOnlyBits(e.left, mask & BigInt(e.right.value))
  return bitand(e, constant(e.type, canonical(mask)))
}
