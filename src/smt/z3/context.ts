// One Z3 context and the translation of terms into it, each once. Every result is referenced at once and kept until
// the context is dropped; two unreferenced results never meet.
import {
  bvSort,
  conjuncts,
  constant,
  disjuncts,
  floatToBits,
  type Rational,
  type Sort,
  type Term,
  type Value,
} from '../../logic/index.js'

import { type Functions, type Handle, type Library, SolverError, solverError } from './functions.js'

/** Nested conjunctions become one flat one: Z3 walks deep terms recursively. */
const operandsOf = (term: Term): readonly Term[] =>
  term.op === 'and' ? conjuncts(term) : term.op === 'or' ? disjuncts(term) : term.args

export class Z3Context {
  readonly z3: Functions
  readonly context: Handle
  private readonly sorts = new Map<Sort, Handle>()
  private readonly terms = new Map<Term, Handle>()
  private readonly meanings = new Map<Handle, Term>()
  private readonly declared = new Map<string, Sort>()
  private readonly nearestEven: Handle
  private readonly towardsZero: Handle

  constructor(readonly library: Library) {
    this.z3 = library.functions
    const config = this.z3.mk_config()
    this.context = this.z3.mk_context_rc(config)
    this.z3.del_config(config)
    library.installErrorHandler(this.context)
    this.nearestEven = this.keep(this.z3.mk_fpa_rne(this.context))
    this.towardsZero = this.keep(this.z3.mk_fpa_rtz(this.context))
  }

  dispose(): void {
    this.z3.del_context(this.context)
  }

  /** References a result; nothing instead of one is an error of the library. */
  keep(result: Handle): Handle {
    if (!result) this.fail()
    this.z3.inc_ref(this.context, result)
    return result
  }

  /** For calls without a result. The native library throws by itself; WASM remembers a code. */
  checkError(): void {
    if (this.z3.get_error_code(this.context) !== 0) this.fail()
  }

  private fail(): never {
    const code = this.z3.get_error_code(this.context)
    throw solverError(this.z3.get_error_msg(this.context, code))
  }

  symbol(name: string): Handle {
    return this.z3.mk_string_symbol(this.context, name)
  }

  sort(sort: Sort): Handle {
    let handle = this.sorts.get(sort)
    if (!handle) this.sorts.set(sort, (handle = this.keep(this.makeSort(sort))))
    return handle
  }

  private makeSort(sort: Sort): Handle {
    const { z3, context } = this
    switch (sort.kind) {
      case 'bool':
        return z3.mk_bool_sort(context)
      case 'int':
        return z3.mk_int_sort(context)
      case 'real':
        return z3.mk_real_sort(context)
      case 'bv':
        return z3.mk_bv_sort(context, sort.width)
      case 'array':
        return z3.mk_array_sort(context, this.sort(sort.index), this.sort(sort.element))
      case 'float':
        return z3.mk_fpa_sort(context, sort.exponent, sort.significand)
    }
  }

  /** The term that a handle stands for, if it was translated here. */
  meaning(handle: Handle): Term | undefined {
    return this.meanings.get(handle)
  }

  term(root: Term): Handle {
    const known = this.terms.get(root)
    if (known) return known
    const stack: Term[] = [root]
    const operands = new Map<Term, readonly Term[]>()
    while (stack.length > 0) {
      const term = stack[stack.length - 1]!
      let args = operands.get(term)
      if (this.terms.has(term)) stack.pop()
      else if (!args) {
        operands.set(term, (args = operandsOf(term)))
        for (let i = args.length - 1; i >= 0; i--) if (!this.terms.has(args[i]!)) stack.push(args[i]!)
      } else {
        stack.pop()
        const handles = args.map((arg) => this.terms.get(arg)!)
        const handle = this.keep(this.make(term, handles))
        this.terms.set(term, handle)
        if (!this.meanings.has(handle)) this.meanings.set(handle, term)
      }
    }
    return this.terms.get(root)!
  }

  private make(term: Term, args: readonly Handle[]): Handle {
    switch (term.op) {
      case 'const':
        return this.constant(term.sort, term.value!)
      case 'var':
        return this.z3.mk_const(this.context, this.symbol(this.nameOf(term)), this.sort(term.sort))
      default:
        return term.op.startsWith('bv') || term.op === 'concat'
          ? this.bitVector(term, args[0]!, args[1]!)
          : term.op.startsWith('fp.')
            ? this.float(term, args[0]!, args[1]!)
            : this.core(term, args)
    }
  }

  /** Two variables of one name and different sorts are two: the later one gets the sort in its name. */
  private nameOf(term: Term): string {
    const sort = this.declared.get(term.name)
    if (!sort) this.declared.set(term.name, term.sort)
    return sort && sort !== term.sort ? `${term.name}:${term.sort.id}` : term.name
  }

  private constant(sort: Sort, value: Value): Handle {
    const { z3, context } = this
    switch (sort.kind) {
      case 'bool':
        return value ? z3.mk_true(context) : z3.mk_false(context)
      case 'int':
      case 'bv': {
        const number = value as bigint
        return number > -0x80000000n && number < 0x80000000n
          ? z3.mk_int(context, Number(number), this.sort(sort))
          : z3.mk_numeral(context, String(number), this.sort(sort))
      }
      case 'real': {
        const { numerator, denominator } = value as Rational
        return z3.mk_numeral(context, `${numerator}/${denominator}`, this.sort(sort))
      }
      case 'float': {
        if (Number.isNaN(value)) return z3.mk_fpa_nan(context, this.sort(sort))
        const bits = constant(
          bvSort(sort.exponent + sort.significand),
          floatToBits(value as number, sort.exponent + sort.significand),
        )
        return z3.mk_fpa_to_fp_bv(context, this.term(bits), this.sort(sort))
      }
      case 'array':
        throw new SolverError('array constants are written with stores')
    }
  }

  private core(term: Term, args: readonly Handle[]): Handle {
    const { z3, context } = this
    const [a, b, c] = args as readonly [Handle, Handle, Handle]
    switch (term.op) {
      case 'and':
        return z3.mk_and(context, args)
      case 'or':
        return z3.mk_or(context, args)
      case 'not':
        return z3.mk_not(context, a)
      case '=':
        return z3.mk_eq(context, a, b)
      case 'ite':
        return z3.mk_ite(context, a, b, c)
      case '+':
        return z3.mk_add(context, args)
      case '*':
        return z3.mk_mul(context, args)
      case 'div':
        return z3.mk_div(context, a, b)
      case 'mod':
        return z3.mk_mod(context, a, b)
      case '<=':
        return z3.mk_le(context, a, b)
      case '<':
        return z3.mk_lt(context, a, b)
      case 'to_real':
        return z3.mk_int2real(context, a)
      case 'extract':
        return z3.mk_extract(context, Math.floor(term.index / 65536), term.index % 65536, a)
      case 'zero_extend':
        return z3.mk_zero_ext(context, term.index, a)
      case 'sign_extend':
        return z3.mk_sign_ext(context, term.index, a)
      case 'int2bv':
        return z3.mk_int2bv(context, (term.sort as { width: number }).width, a)
      case 'select':
        return z3.mk_select(context, a, b)
      case 'store':
        return z3.mk_store(context, a, b, c)
      case 'const-array':
        return z3.mk_const_array(context, this.sort((term.sort as { index: Sort }).index), a)
      default:
        throw new SolverError(`no translation of ${term.op}`)
    }
  }

  private bitVector(term: Term, a: Handle, b: Handle): Handle {
    const { z3, context } = this
    switch (term.op) {
      case 'bvneg':
        return z3.mk_bvneg(context, a)
      case 'bvnot':
        return z3.mk_bvnot(context, a)
      case 'bv2nat':
        return z3.mk_bv2int(context, a, false)
      case 'concat':
        return z3.mk_concat(context, a, b)
      case 'bvadd':
      case 'bvmul':
      case 'bvand':
      case 'bvor':
      case 'bvxor':
      case 'bvudiv':
      case 'bvurem':
      case 'bvsdiv':
      case 'bvsrem':
      case 'bvshl':
      case 'bvlshr':
      case 'bvashr':
      case 'bvult':
      case 'bvule':
      case 'bvslt':
      case 'bvsle':
        return z3[`mk_${term.op}`](context, a, b)
      default:
        throw new SolverError(`no translation of ${term.op}`)
    }
  }

  private float(term: Term, a: Handle, b: Handle): Handle {
    const { z3, context, nearestEven, towardsZero } = this
    const sort = () => this.sort(term.sort)
    const width = (term.sort as { width?: number }).width ?? 0
    switch (term.op) {
      case 'fp.add':
        return z3.mk_fpa_add(context, nearestEven, a, b)
      case 'fp.sub':
        return z3.mk_fpa_sub(context, nearestEven, a, b)
      case 'fp.mul':
        return z3.mk_fpa_mul(context, nearestEven, a, b)
      case 'fp.div':
        return z3.mk_fpa_div(context, nearestEven, a, b)
      case 'fp.neg':
        return z3.mk_fpa_neg(context, a)
      case 'fp.lt':
        return z3.mk_fpa_lt(context, a, b)
      case 'fp.leq':
        return z3.mk_fpa_leq(context, a, b)
      case 'fp.eq':
        return z3.mk_fpa_eq(context, a, b)
      case 'fp.isNaN':
        return z3.mk_fpa_is_nan(context, a)
      case 'fp.from_bits':
        return z3.mk_fpa_to_fp_bv(context, a, sort())
      case 'fp.to_bits':
        return z3.mk_fpa_to_ieee_bv(context, a)
      case 'fp.from_fp':
        return z3.mk_fpa_to_fp_float(context, nearestEven, a, sort())
      case 'fp.from_signed':
        return z3.mk_fpa_to_fp_signed(context, nearestEven, a, sort())
      case 'fp.from_unsigned':
        return z3.mk_fpa_to_fp_unsigned(context, nearestEven, a, sort())
      case 'fp.to_signed':
        return z3.mk_fpa_to_sbv(context, towardsZero, a, width)
      case 'fp.to_unsigned':
        return z3.mk_fpa_to_ubv(context, towardsZero, a, width)
      default:
        throw new SolverError(`no translation of ${term.op}`)
    }
  }
}
