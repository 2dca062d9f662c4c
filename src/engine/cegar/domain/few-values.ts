// Variables that only ever have few values, as the program's text shows: all that is ever assigned to them are
// constants, truth values, thread numbers, and copies of such variables. Locks, flags and thread handles are of this
// kind. The product domain tracks them by value, where predicates would need one for each value.
import { children, type Expr, type Program, type Variable } from '../../../xcfa/index.js'

export const variablesWithFewValues = (program: Program): ReadonlySet<Variable> => {
  const few = new Set<Variable>(program.globals)
  for (const { locals, self } of program.templates.values()) for (const v of [...locals, self]) few.add(v)
  for (const v of few) if (v.initial === 'any' && !isTruth(v)) few.delete(v)
  const numbers = threadNumbers(program)
  for (let changed = true; changed; ) {
    const before = few.size
    for (const { target, value } of assignments(program))
      if (!isTruth(target) && (value === undefined || !hasFewValues(value, few, numbers))) few.delete(target)
    changed = few.size < before
  }
  return few
}

const isTruth = ({ type }: Variable): boolean => type.kind === 'bool' || (type.kind === 'int' && type.width === 1)

interface Assignment {
  readonly target: Variable
  /** Undefined: anything. */
  readonly value: Expr | undefined
}

const assignments = (program: Program): readonly Assignment[] => {
  const found: Assignment[] = []
  for (const { edges } of program.templates.values())
    for (const { labels } of edges)
      for (const label of labels)
        switch (label.kind) {
          case 'assign':
            found.push({ target: label.target, value: label.value })
            break
          case 'havoc':
          case 'load':
          case 'allocate':
            found.push({ target: label.target, value: undefined })
            break
          case 'start': {
            const { parameters } = program.templates.get(label.procedure)!
            for (const [i, target] of parameters.entries()) found.push({ target, value: label.args[i] })
            break
          }
          default:
        }
  return found
}

/** Variables that hold the number of a thread and are assigned nothing else: arithmetic on them has few results. */
const threadNumbers = (program: Program): ReadonlySet<Variable> => {
  const numbers = new Set<Variable>()
  for (const { self, edges } of program.templates.values()) {
    numbers.add(self)
    for (const { labels } of edges) for (const label of labels) if (label.kind === 'start') numbers.add(label.target)
  }
  for (const { target } of assignments(program)) numbers.delete(target)
  return numbers
}

const hasFewValues = (e: Expr, few: ReadonlySet<Variable>, numbers: ReadonlySet<Variable>): boolean => {
  if (e.type.kind === 'bool') return true
  switch (e.kind) {
    case 'const':
      return true
    case 'var':
      return few.has(e.variable)
    case 'cast':
      return hasFewValues(e.arg, few, numbers)
    case 'ite':
      return hasFewValues(e.then, few, numbers) && hasFewValues(e.else, few, numbers)
    case 'binary':
      return isNumber(e, numbers)
    default:
      return false
  }
}

const isNumber = (e: Expr, numbers: ReadonlySet<Variable>): boolean =>
  e.kind === 'var' ? numbers.has(e.variable) : children(e).every((child) => isNumber(child, numbers))
