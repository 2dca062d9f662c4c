// Which error numbers a program can tell apart. A call that fails may leave any of them in errno; if the program only
// compares errno with constants and prints it, those constants and one more number stand for all.

import { isLibrary } from '../../xcfa/index.js'
import type { CExpr, CProgram, CStatement } from './ast.js'
import { expressionsWithin, namedFunction } from './joins.js'
import { substatements } from './lower/effects/written-first.js'

const LOCATION = '__errno_location'

/** Error numbers of Linux. */
const HIGHEST = 133
const ALL: readonly number[] = Array.from({ length: HIGHEST }, (_, i) => i + 1)

/** What these make of an argument no program sees, or is the same for every error. */
const BLIND = new Set(
  'strerror printf fprintf dprintf syslog warn warnx err errx error perror exit _exit abort'.split(' '),
)

/** Empty: the program never looks at errno. */
export const errorNumbers = ({ functions }: CProgram): readonly number[] => {
  const bodies = [...functions.values()].flatMap(({ body }) => (body && !isLibrary(body.position) ? [body] : []))
  const all = bodies.flatMap(expressionsWithin)
  const mentions = all.filter((e) => namedFunction(e)?.name === LOCATION && e.kind === 'function').length
  if (mentions === 0) return []
  const compared = new Set<number>()
  let explained = 0
  const compare = (value: unknown): void => {
    if (typeof value === 'number' && value > 0 && value <= HIGHEST) compared.add(value)
  }
  for (const e of all) explained += explains(e, compare)
  for (const s of bodies.flatMap(statementsWithin))
    if (s.kind === 'switch' && isErrno(s.value)) {
      explained++
      for (const label of statementsWithin(s.body))
        if (label.kind === 'case') ALL.slice(Number(label.low) - 1, Number(label.high)).forEach(compare)
    }
  if (explained < mentions) return ALL
  const other = ALL.find((number) => !compared.has(number))
  return [...compared, ...(other === undefined ? [] : [other])].sort((a, b) => a - b)
}

/** How many mentions of errno the expression explains: it compares them with constants, sets or prints them. */
const explains = (e: CExpr, compare: (value: unknown) => void): number => {
  if (e.kind === 'assign') return isPlace(e.target) ? 1 : 0
  if (e.kind === 'call') return BLIND.has(namedFunction(e.callee)?.name ?? '') ? e.args.filter(isErrno).length : 0
  if (e.kind !== 'compare' || (e.op !== '==' && e.op !== '!=')) return 0
  const [errno, other] = isErrno(e.left) ? [e.left, e.right] : [e.right, e.left]
  const constant = peeled(other)
  if (!isErrno(errno) || constant.kind !== 'constant') return 0
  compare(Number(constant.value))
  return 1
}

const peeled = (e: CExpr): CExpr => (e.kind === 'cast' ? peeled(e.operand) : e)

const isPlace = (e: CExpr): boolean =>
  e.kind === 'deref' && e.pointer.kind === 'call' && namedFunction(e.pointer.callee)?.name === LOCATION

const isErrno = (e: CExpr): boolean => {
  const value = peeled(e)
  return value.kind === 'load' && isPlace(value.lvalue)
}

const statementsWithin = (s: CStatement): readonly CStatement[] => [s, ...substatements(s).flatMap(statementsWithin)]
