// Locks that a program builds itself: one atomic step that waits until a shared cell is zero and makes it something else,
// `atomic { assume(m == 0); m = 1; }`, a successful test-and-set or compare-and-exchange. Whether the cell then protects
// anything is for the analysis of movers to find out: nobody else may write it while it is not zero.
import {
  constantValue,
  type Edge,
  type Expr,
  type Label,
  type Region,
  substitute,
  type Variable,
  varExpr,
} from '../xcfa/index.js'

/** A cell that works as a lock: a variable, or a place in memory. Memory is known by its address, like other locks. */
export interface LockCell {
  readonly key: number
  readonly matches: (label: Label) => boolean
}

/** Cells that the step takes as locks. */
export const takenCells = (edge: Edge): readonly LockCell[] => {
  if (edge.sync !== undefined && edge.sync.kind !== 'atomic') return []
  const reading = new Reading()
  for (const label of edge.labels) reading.label(label)
  return reading.taken()
}

interface Cell extends LockCell {
  readonly region: Region
  /** Stands for what the cell held before the step. */
  readonly variable: Variable
}

/** What a step reads and writes, in terms of what cells held before it. */
class Reading {
  private readonly cells = new Map<number, Cell>()
  private readonly values = new Map<Variable, Expr>()
  private readonly zero = new Set<Variable>()
  private readonly written = new Map<Variable, Expr | undefined>()
  private readonly overwritten = new Set<Region>()

  label(label: Label): void {
    switch (label.kind) {
      case 'assume':
        for (const v of zeros(this.now(label.condition))) this.zero.add(v)
        return
      case 'assign':
        this.set(label.target, this.now(label.value))
        return
      case 'load': {
        const cell = this.cellAt(label.region, label.address, label.type)
        if (cell) this.set(label.target, this.now(varExpr(cell.variable)))
        else this.forget(label.target)
        return
      }
      case 'store': {
        const cell = this.cellAt(label.region, label.address, label.type)
        if (cell) this.set(cell.variable, this.now(label.value))
        else this.overwrite(label.region)
        return
      }
      case 'havoc':
      case 'allocate':
      case 'start':
        this.forget(label.target)
        return
      case 'primitive':
      case 'call':
        if (label.target) this.forget(label.target)
        return
      case 'free':
      case 'join':
      case 'fence':
        return
    }
  }

  taken(): readonly LockCell[] {
    return [...this.written].flatMap(([v, value]) => {
      const constant = value && constantValue(value)
      if (!this.zero.has(v) || constant === undefined || Number(constant) === 0) return []
      const cell = [...this.cells.values()].find((c) => c.variable === v)
      return [cell ?? variableCell(v)]
    })
  }

  private now(e: Expr): Expr {
    return substitute(e, (v) => this.values.get(v))
  }

  private set(v: Variable, value: Expr): void {
    this.values.set(v, value)
    if (v.scope === 'global') this.written.set(v, value)
  }

  /** Any value: a variable of its own stands for it. */
  private forget(v: Variable): void {
    const unknown: Variable = { ...v, id: -1, scope: 'local' }
    this.values.set(v, varExpr(unknown))
    if (v.scope === 'global') this.written.set(v, undefined)
  }

  /** Somewhere: nothing is known of the region any more. */
  private overwrite(region: Region): void {
    this.overwritten.add(region)
    for (const cell of this.cells.values()) if (cell.region === region) this.forget(cell.variable)
  }

  private cellAt(region: Region, at: Expr, type: Variable['type']): Cell | undefined {
    const address = constantValue(this.now(at))
    if (address === undefined || region.element === 'bytes' || region.scope !== 'global') return undefined
    if (this.overwritten.has(region)) return undefined
    const key = Number(address)
    let cell = this.cells.get(key)
    if (!cell) {
      const variable: Variable = { id: -2, name: `cell ${key}`, type, scope: 'global', initial: 'any' }
      cell = { key, region, variable, matches: (label) => storesTo(label, region, key) }
      this.cells.set(key, cell)
    }
    return cell
  }
}

const variableCell = (v: Variable): LockCell => ({
  key: -1 - v.id,
  matches: (label) => label.kind === 'assign' && label.target === v,
})

const storesTo = (label: Label, region: Region, address: number): boolean =>
  label.kind === 'store' && label.region === region && constantValue(label.address) === address

/** Shared variables that are zero where the condition holds. */
const zeros = (condition: Expr): readonly Variable[] => {
  switch (condition.kind) {
    case 'and':
      return condition.args.flatMap(zeros)
    case 'compare': {
      if (condition.op !== 'eq') return []
      const [a, b] = [condition.left, condition.right].map(withoutWidening) as [Expr, Expr]
      const side = constantValue(b) === 0 ? a : constantValue(a) === 0 ? b : undefined
      return side?.kind === 'var' && side.variable.scope === 'global' ? [side.variable] : []
    }
    default:
      return []
  }
}

/** Converted to a wider type, zero is zero, and nothing else is. */
const withoutWidening = (e: Expr): Expr =>
  e.kind === 'cast' && e.type.kind === 'int' && e.arg.type.kind === 'int' && e.type.width >= e.arg.type.width
    ? withoutWidening(e.arg)
    : e
