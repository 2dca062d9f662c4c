// Terms of Z3 read back as ours: values of models, Horn solutions. By the names of operators, which versions share.
import {
  type ArraySort,
  applyNamed,
  arraySort,
  BOOL_SORT,
  boolConst,
  bvConst,
  bvSort,
  constArray,
  floatConst,
  floatSort,
  INT_SORT,
  intConst,
  REAL_SORT,
  realConst,
  type Sort,
  store,
  type Term,
} from '../../logic/index.js'
import type { Z3Context } from './context.js'
import { type Handle, SolverError } from './functions.js'

const NUMERAL = 0
const APPLICATION = 1
const BOUND_VARIABLE = 2
const INTEGER_PARAMETER = 0
const ROUNDING_MODE_SORT = 10

export interface ReadOptions {
  /** The meaning of a bound variable by its de Bruijn index. */
  readonly bound?: (index: number) => Term | undefined
  /** The model, for arrays given as functions. */
  readonly model?: Handle
}

const readSort = (c: Z3Context, sort: Handle): Sort => {
  const { z3, context } = c
  switch (z3.get_sort_kind(context, sort)) {
    case 1:
      return BOOL_SORT
    case 2:
      return INT_SORT
    case 3:
      return REAL_SORT
    case 4:
      return bvSort(z3.get_bv_sort_size(context, sort))
    case 5:
      return arraySort(
        readSort(c, z3.get_array_sort_domain(context, sort)),
        readSort(c, z3.get_array_sort_range(context, sort)),
      )
    case 9:
      return floatSort(z3.fpa_get_ebits(context, sort), z3.fpa_get_sbits(context, sort))
    default:
      throw new SolverError('a sort that we do not have')
  }
}

const readNumeral = (c: Z3Context, ast: Handle): Term => {
  const sort = readSort(c, c.z3.get_sort(c.context, ast))
  if (sort.kind === 'float') return readFloat(c, ast, sort)
  const text = c.z3.get_numeral_string(c.context, ast)
  if (sort.kind === 'bv') return bvConst(BigInt(text), sort.width)
  if (sort.kind === 'int') return intConst(BigInt(text))
  const [numerator, denominator] = text.split('/')
  return realConst(BigInt(numerator!), BigInt(denominator ?? '1'))
}

/** The bits of a floating-point constant; NaN has many, and here one. */
const readFloat = (c: Z3Context, ast: Handle, sort: Extract<Sort, { kind: 'float' }>): Term => {
  const { z3, context } = c
  const noNumber = c.keep(z3.simplify(context, c.keep(z3.mk_fpa_is_nan(context, ast))))
  if (z3.get_bool_value(context, noNumber) === 1) return floatConst(Number.NaN, sort)
  const bits = c.keep(z3.simplify(context, c.keep(z3.mk_fpa_to_ieee_bv(context, ast))))
  const width = sort.exponent + sort.significand
  return applyNamed(
    'to_fp',
    [sort.exponent, sort.significand],
    [bvConst(BigInt(z3.get_numeral_string(context, bits)), width)],
  )
}

const readFunctionAsArray = (c: Z3Context, ast: Handle, sort: ArraySort, options: ReadOptions): Term => {
  const { z3, context } = c
  if (!options.model) throw new SolverError('an array as a function outside a model')
  const declaration = c.keep(z3.get_as_array_func_decl(context, ast))
  const interpretation = z3.model_get_func_interp(context, options.model, declaration)
  if (!interpretation) throw new SolverError('an array without an interpretation')
  z3.func_interp_inc_ref(context, interpretation)
  let array = constArray(sort, readTerm(c, c.keep(z3.func_interp_get_else(context, interpretation)), options))
  const entries = z3.func_interp_get_num_entries(context, interpretation)
  for (let i = 0; i < entries; i++) {
    const entry = z3.func_interp_get_entry(context, interpretation, i)
    z3.func_entry_inc_ref(context, entry)
    const index = readTerm(c, c.keep(z3.func_entry_get_arg(context, entry, 0)), options)
    array = store(array, index, readTerm(c, c.keep(z3.func_entry_get_value(context, entry)), options))
    z3.func_entry_dec_ref(context, entry)
  }
  z3.func_interp_dec_ref(context, interpretation)
  return array
}

const readApplication = (c: Z3Context, ast: Handle, argument: (arg: Handle) => Term, options: ReadOptions): Term => {
  const { z3, context } = c
  const declaration = z3.get_app_decl(context, ast)
  const name = z3.get_symbol_string(context, z3.get_decl_name(context, declaration))
  const count = z3.get_app_num_args(context, ast)
  const sort = () => readSort(c, z3.get_sort(context, ast))
  if (count === 0) {
    if (name === 'true' || name === 'false') return boolConst(name === 'true')
    if (z3.is_as_array(context, ast)) return readFunctionAsArray(c, ast, sort() as ArraySort, options)
    const known = c.meaning(ast)
    if (known) return known
    const itsSort = sort()
    if (itsSort.kind === 'float') return readFloat(c, ast, itsSort)
    throw new SolverError(`a constant that we do not know: ${name}`)
  }
  const args: Term[] = []
  let rounds = false
  for (let i = 0; i < count; i++) {
    const arg = z3.get_app_arg(context, ast, i)
    if (z3.get_sort_kind(context, z3.get_sort(context, arg)) === ROUNDING_MODE_SORT) rounds = true
    else args.push(argument(arg))
  }
  if (name === 'const') return constArray(sort() as ArraySort, args[0]!)
  const indices: number[] = []
  const parameters = z3.get_decl_num_parameters(context, declaration)
  for (let i = 0; i < parameters; i++)
    if (z3.get_decl_parameter_kind(context, declaration, i) === INTEGER_PARAMETER)
      indices.push(z3.get_decl_int_parameter(context, declaration, i))
  return applyNamed(name, indices, args, rounds)
}

/** Iterative: what a solver gives back may be deep. */
export const readTerm = (c: Z3Context, root: Handle, options: ReadOptions = {}): Term => {
  const { z3, context } = c
  const done = new Map<Handle, Term>()
  const stack: Handle[] = [root]
  const isRounding = (ast: Handle) => z3.get_sort_kind(context, z3.get_sort(context, ast)) === ROUNDING_MODE_SORT
  while (stack.length > 0) {
    const ast = stack[stack.length - 1]!
    if (done.has(ast)) {
      stack.pop()
      continue
    }
    switch (z3.get_ast_kind(context, ast)) {
      case NUMERAL:
        done.set(ast, readNumeral(c, ast))
        break
      case BOUND_VARIABLE: {
        const meaning = options.bound?.(z3.get_index_value(context, ast))
        if (!meaning) throw new SolverError('a bound variable without a meaning')
        done.set(ast, meaning)
        break
      }
      case APPLICATION: {
        const count = z3.get_app_num_args(context, ast)
        let ready = true
        for (let i = 0; i < count; i++) {
          const arg = z3.get_app_arg(context, ast, i)
          if (!done.has(arg) && !isRounding(arg)) {
            stack.push(arg)
            ready = false
          }
        }
        if (ready)
          done.set(
            ast,
            readApplication(c, ast, (arg) => done.get(arg)!, options),
          )
        break
      }
      default:
        throw new SolverError('a quantifier')
    }
  }
  return done.get(root)!
}
