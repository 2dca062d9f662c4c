// The C functions of libz3 that we call, as a table of their types: the one thing that the two libraries (native by
// FFI, WASM) have to provide. The adapter above it does not know which one it talks to.
import type { HornResult } from '../interfaces.js'

/** A pointer into the library: a bigint in the native one, a number in WASM. 0 and null are "nothing". */
export type Handle = (bigint | number) & { readonly handle: unique symbol }

/**
 * Result first, then arguments. p: pointer; s: string; u: unsigned; i: int; b: bool; v: nothing;
 * ps: an array of pointers, which in C is two arguments, its length before it.
 */
export const FUNCTIONS = {
  get_full_version: ['s'],
  mk_config: ['p'],
  del_config: ['v', 'p'],
  set_param_value: ['v', 'p', 's', 's'],
  mk_context_rc: ['p', 'p'],
  del_context: ['v', 'p'],
  interrupt: ['v', 'p'],
  inc_ref: ['v', 'p', 'p'],
  dec_ref: ['v', 'p', 'p'],
  get_error_code: ['i', 'p'],
  get_error_msg: ['s', 'p', 'i'],

  mk_params: ['p', 'p'],
  params_inc_ref: ['v', 'p', 'p'],
  params_dec_ref: ['v', 'p', 'p'],
  params_set_bool: ['v', 'p', 'p', 'p', 'b'],
  params_set_uint: ['v', 'p', 'p', 'p', 'u'],
  params_set_symbol: ['v', 'p', 'p', 'p', 'p'],
  mk_string_symbol: ['p', 'p', 's'],
  get_symbol_string: ['s', 'p', 'p'],

  mk_bool_sort: ['p', 'p'],
  mk_int_sort: ['p', 'p'],
  mk_real_sort: ['p', 'p'],
  mk_bv_sort: ['p', 'p', 'u'],
  mk_array_sort: ['p', 'p', 'p', 'p'],
  mk_fpa_sort: ['p', 'p', 'u', 'u'],
  get_sort: ['p', 'p', 'p'],
  get_sort_kind: ['u', 'p', 'p'],
  get_bv_sort_size: ['u', 'p', 'p'],
  get_array_sort_domain: ['p', 'p', 'p'],
  get_array_sort_range: ['p', 'p', 'p'],
  fpa_get_ebits: ['u', 'p', 'p'],
  fpa_get_sbits: ['u', 'p', 'p'],

  mk_const: ['p', 'p', 'p', 'p'],
  mk_func_decl: ['p', 'p', 'p', 'ps', 'p'],
  mk_app: ['p', 'p', 'p', 'ps'],
  mk_true: ['p', 'p'],
  mk_false: ['p', 'p'],
  mk_int: ['p', 'p', 'i', 'p'],
  mk_numeral: ['p', 'p', 's', 'p'],
  mk_not: ['p', 'p', 'p'],
  mk_and: ['p', 'p', 'ps'],
  mk_or: ['p', 'p', 'ps'],
  mk_implies: ['p', 'p', 'p', 'p'],
  mk_eq: ['p', 'p', 'p', 'p'],
  mk_ite: ['p', 'p', 'p', 'p', 'p'],
  mk_add: ['p', 'p', 'ps'],
  mk_mul: ['p', 'p', 'ps'],
  mk_div: ['p', 'p', 'p', 'p'],
  mk_mod: ['p', 'p', 'p', 'p'],
  mk_le: ['p', 'p', 'p', 'p'],
  mk_lt: ['p', 'p', 'p', 'p'],
  mk_int2real: ['p', 'p', 'p'],
  mk_bvadd: ['p', 'p', 'p', 'p'],
  mk_bvmul: ['p', 'p', 'p', 'p'],
  mk_bvneg: ['p', 'p', 'p'],
  mk_bvnot: ['p', 'p', 'p'],
  mk_bvand: ['p', 'p', 'p', 'p'],
  mk_bvor: ['p', 'p', 'p', 'p'],
  mk_bvxor: ['p', 'p', 'p', 'p'],
  mk_bvudiv: ['p', 'p', 'p', 'p'],
  mk_bvurem: ['p', 'p', 'p', 'p'],
  mk_bvsdiv: ['p', 'p', 'p', 'p'],
  mk_bvsrem: ['p', 'p', 'p', 'p'],
  mk_bvshl: ['p', 'p', 'p', 'p'],
  mk_bvlshr: ['p', 'p', 'p', 'p'],
  mk_bvashr: ['p', 'p', 'p', 'p'],
  mk_bvult: ['p', 'p', 'p', 'p'],
  mk_bvule: ['p', 'p', 'p', 'p'],
  mk_bvslt: ['p', 'p', 'p', 'p'],
  mk_bvsle: ['p', 'p', 'p', 'p'],
  mk_concat: ['p', 'p', 'p', 'p'],
  mk_extract: ['p', 'p', 'u', 'u', 'p'],
  mk_zero_ext: ['p', 'p', 'u', 'p'],
  mk_sign_ext: ['p', 'p', 'u', 'p'],
  mk_bv2int: ['p', 'p', 'p', 'b'],
  mk_int2bv: ['p', 'p', 'u', 'p'],
  mk_select: ['p', 'p', 'p', 'p'],
  mk_store: ['p', 'p', 'p', 'p', 'p'],
  mk_const_array: ['p', 'p', 'p', 'p'],
  mk_fpa_rne: ['p', 'p'],
  mk_fpa_rtz: ['p', 'p'],
  mk_fpa_nan: ['p', 'p', 'p'],
  mk_fpa_add: ['p', 'p', 'p', 'p', 'p'],
  mk_fpa_sub: ['p', 'p', 'p', 'p', 'p'],
  mk_fpa_mul: ['p', 'p', 'p', 'p', 'p'],
  mk_fpa_div: ['p', 'p', 'p', 'p', 'p'],
  mk_fpa_neg: ['p', 'p', 'p'],
  mk_fpa_lt: ['p', 'p', 'p', 'p'],
  mk_fpa_leq: ['p', 'p', 'p', 'p'],
  mk_fpa_eq: ['p', 'p', 'p', 'p'],
  mk_fpa_is_nan: ['p', 'p', 'p'],
  mk_fpa_to_fp_bv: ['p', 'p', 'p', 'p'],
  mk_fpa_to_fp_float: ['p', 'p', 'p', 'p', 'p'],
  mk_fpa_to_fp_signed: ['p', 'p', 'p', 'p', 'p'],
  mk_fpa_to_fp_unsigned: ['p', 'p', 'p', 'p', 'p'],
  mk_fpa_to_sbv: ['p', 'p', 'p', 'p', 'u'],
  mk_fpa_to_ubv: ['p', 'p', 'p', 'p', 'u'],
  mk_fpa_to_ieee_bv: ['p', 'p', 'p'],
  mk_forall_const: ['p', 'p', 'u', 'ps', 'ps', 'p'],

  get_ast_kind: ['u', 'p', 'p'],
  get_app_decl: ['p', 'p', 'p'],
  get_app_num_args: ['u', 'p', 'p'],
  get_app_arg: ['p', 'p', 'p', 'u'],
  get_decl_name: ['p', 'p', 'p'],
  get_decl_num_parameters: ['u', 'p', 'p'],
  get_decl_parameter_kind: ['u', 'p', 'p', 'u'],
  get_decl_int_parameter: ['i', 'p', 'p', 'u'],
  get_index_value: ['u', 'p', 'p'],
  get_numeral_string: ['s', 'p', 'p'],
  get_bool_value: ['i', 'p', 'p'],
  simplify: ['p', 'p', 'p'],
  is_as_array: ['b', 'p', 'p'],
  get_as_array_func_decl: ['p', 'p', 'p'],
  is_quantifier_forall: ['b', 'p', 'p'],
  get_quantifier_num_bound: ['u', 'p', 'p'],
  get_quantifier_body: ['p', 'p', 'p'],
  ast_to_string: ['s', 'p', 'p'],

  mk_solver: ['p', 'p'],
  mk_simple_solver: ['p', 'p'],
  mk_solver_for_logic: ['p', 'p', 'p'],
  solver_inc_ref: ['v', 'p', 'p'],
  solver_dec_ref: ['v', 'p', 'p'],
  solver_set_params: ['v', 'p', 'p', 'p'],
  solver_push: ['v', 'p', 'p'],
  solver_pop: ['v', 'p', 'p', 'u'],
  solver_reset: ['v', 'p', 'p'],
  solver_assert: ['v', 'p', 'p', 'p'],
  solver_check: ['i', 'p', 'p'],
  solver_check_assumptions: ['i', 'p', 'p', 'ps'],
  solver_get_model: ['p', 'p', 'p'],
  solver_get_unsat_core: ['p', 'p', 'p'],
  solver_get_reason_unknown: ['s', 'p', 'p'],
  solver_get_statistics: ['p', 'p', 'p'],
  stats_inc_ref: ['v', 'p', 'p'],
  stats_dec_ref: ['v', 'p', 'p'],
  stats_to_string: ['s', 'p', 'p'],
  ast_vector_inc_ref: ['v', 'p', 'p'],
  ast_vector_dec_ref: ['v', 'p', 'p'],
  ast_vector_size: ['u', 'p', 'p'],
  ast_vector_get: ['p', 'p', 'p', 'u'],
  model_inc_ref: ['v', 'p', 'p'],
  model_dec_ref: ['v', 'p', 'p'],
  model_get_const_interp: ['p', 'p', 'p', 'p'],
  model_get_func_interp: ['p', 'p', 'p', 'p'],
  func_interp_inc_ref: ['v', 'p', 'p'],
  func_interp_dec_ref: ['v', 'p', 'p'],
  func_interp_get_num_entries: ['u', 'p', 'p'],
  func_interp_get_entry: ['p', 'p', 'p', 'u'],
  func_interp_get_else: ['p', 'p', 'p'],
  func_entry_inc_ref: ['v', 'p', 'p'],
  func_entry_dec_ref: ['v', 'p', 'p'],
  func_entry_get_value: ['p', 'p', 'p'],
  func_entry_get_arg: ['p', 'p', 'p', 'u'],

  mk_fixedpoint: ['p', 'p'],
  fixedpoint_inc_ref: ['v', 'p', 'p'],
  fixedpoint_dec_ref: ['v', 'p', 'p'],
  fixedpoint_set_params: ['v', 'p', 'p', 'p'],
  fixedpoint_register_relation: ['v', 'p', 'p', 'p'],
  fixedpoint_add_rule: ['v', 'p', 'p', 'p', 'p'],
  fixedpoint_query: ['i', 'p', 'p', 'p'],
  fixedpoint_get_answer: ['p', 'p', 'p'],
  fixedpoint_get_ground_sat_answer: ['p', 'p', 'p'],
  fixedpoint_get_cover_delta: ['p', 'p', 'p', 'i', 'p'],
  fixedpoint_get_reason_unknown: ['s', 'p', 'p'],
  fixedpoint_get_statistics: ['p', 'p', 'p'],
} as const satisfies Readonly<Record<string, readonly Kind[]>>

export type Kind = 'p' | 's' | 'u' | 'i' | 'b' | 'v' | 'ps'

type JavaScript<K> = K extends 'p'
  ? Handle
  : K extends 's'
    ? string
    : K extends 'u' | 'i'
      ? number
      : K extends 'b'
        ? boolean
        : K extends 'ps'
          ? readonly Handle[]
          : undefined

type Signature<F> = F extends readonly [infer R, ...infer A]
  ? (...args: { [I in keyof A]: JavaScript<A[I]> }) => JavaScript<R>
  : never

type FunctionName = keyof typeof FUNCTIONS
export type Functions = { readonly [N in FunctionName]: Signature<(typeof FUNCTIONS)[N]> }

/** One of the two libraries. */
export interface Library {
  readonly name: 'native' | 'wasm'
  readonly version: string
  /** Where it was found, for people. */
  readonly path: string
  readonly functions: Functions
  /** Makes errors of this context exceptions instead of the end of the process. */
  installErrorHandler(context: Handle): void
  dispose(): void
}

/** The solver itself complains: our bug, or its. Its checks answering `unknown` are no errors. */
export class SolverError extends Error {}

/** Interrupted from outside while it was not in a check: whoever asked for it wants to stop anyway. */
export class SolverInterrupted extends SolverError {}

export const solverError = (message: string): SolverError =>
  /cancell?ed/.test(message) ? new SolverInterrupted(`z3: ${message}`) : new SolverError(`z3: ${message}`)

/** The library says only in words that its time was up. */
export const givenUp = (reason: string): Extract<HornResult, { status: 'unknown' }> => ({
  ...{ status: 'unknown', reason, isOutOfTime: /cancel|timeout|interrupt/i.test(reason) },
})
