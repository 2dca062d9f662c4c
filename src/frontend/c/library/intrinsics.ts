// Functions of other people's headers that are intrinsics of ours under another name.

/** Spelling after `__VERIFIER_nondet_` and `__heddle_nondet_`, and the C type it returns (SV-COMP's list). */
export const NONDET_TYPES: Readonly<Record<string, string>> = {
  bool: '_Bool',
  _Bool: '_Bool',
  char: 'char',
  schar: 'signed char',
  uchar: 'unsigned char',
  short: 'short',
  ushort: 'unsigned short',
  int: 'int',
  uint: 'unsigned int',
  unsigned: 'unsigned int',
  unsigned_char: 'unsigned char',
  unsigned_int: 'unsigned int',
  long: 'long',
  ulong: 'unsigned long',
  longlong: 'long long',
  ulonglong: 'unsigned long long',
  size_t: 'unsigned long',
  u8: 'unsigned char',
  u16: 'unsigned short',
  u32: 'unsigned int',
  u64: 'unsigned long long',
  loff_t: 'long long',
  sector_t: 'unsigned long',
  float: 'float',
  double: 'double',
  pointer: 'void *',
}

/** A call of the key is a call of the intrinsic, with as many of the arguments as that takes. */
export const ALIASES: Readonly<Record<string, string>> = {
  __VERIFIER_atomic_begin: '__heddle_atomic_begin',
  __VERIFIER_atomic_end: '__heddle_atomic_end',
  __VERIFIER_assume: '__heddle_assume',
  __VERIFIER_error: '__heddle_reach_error',
  reach_error: '__heddle_reach_error',
  __assert_fail: '__heddle_assert_fail',
  __assert: '__heddle_assert_fail',
  abort: '__heddle_exit',
  exit: '__heddle_leave',
  _exit: '__heddle_exit',
  _Exit: '__heddle_exit',
  quick_exit: '__heddle_exit',
  ...Object.fromEntries(
    Object.keys(NONDET_TYPES).map((name) => [`__VERIFIER_nondet_${name}`, `__heddle_nondet_${name}`]),
  ),
}

/** Aliases that win over the program's own body, because the rules of SV-COMP give them their meaning. */
export const OVERRIDING: ReadonlySet<string> = new Set([
  '__VERIFIER_atomic_begin',
  '__VERIFIER_atomic_end',
  '__VERIFIER_assume',
  '__VERIFIER_error',
  'reach_error',
])
