// What the tree-sitter-c grammar does differently with words than C11 with GNU extensions.

/** GNU spellings, and what the grammar knows for them. '' : without meaning for a program's behaviour. */
export const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['__extension__', ''],
  ['__signed__', 'signed'],
  ['__signed', 'signed'],
  ['__const', 'const'],
  ['__const__', 'const'],
  ['__volatile', 'volatile'],
  ['__volatile__', 'volatile'],
  ['__restrict', ''],
  ['__restrict__', ''],
  ['restrict', ''],
  ['__inline', 'inline'],
  ['__inline__', 'inline'],
  ['_Noreturn', ''],
  ['_Thread_local', '__thread'],
])

/** Words of the grammar that are ordinary identifiers of C11 until a typedef or macro says otherwise. */
export const GRAMMAR_WORDS: ReadonlySet<string> = new Set(
  `bool size_t ssize_t ptrdiff_t intptr_t uintptr_t charptr_t nullptr_t max_align_t
  int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t char8_t char16_t char32_t char64_t
  TRUE true FALSE false NULL nullptr alignas alignof _alignof constexpr noreturn thread_local _Nonnull _unaligned
  __based __cdecl __clrcall __declspec __except __fastcall __finally __forceinline __leave __sptr __stdcall
  __thiscall __try __unaligned __uptr __vectorcall offsetof`.split(/\s+/),
)

/** Types without a typedef that the grammar takes for ordinary identifiers. */
export const BUILTIN_TYPES: readonly string[] =
  '_Bool __auto_type __builtin_va_list __int128 __int128_t __uint128_t'.split(' ')

export const TYPE_KEYWORDS: ReadonlySet<string> = new Set(
  'void char short int long float double signed unsigned __signed__ __signed _Complex __complex__ __complex'.split(' '),
)

export const QUALIFIERS: ReadonlySet<string> = new Set(
  `const volatile restrict _Atomic __const __const__ __volatile __volatile__ __restrict __restrict__`.split(/\s+/),
)

/** Words that may stand before a declared name without a type: then it is an int. */
export const STORAGE: ReadonlySet<string> = new Set(
  'static extern auto register inline __inline __inline__ _Noreturn _Thread_local __thread'.split(' '),
)

/** Beside a type: its complex numbers; alone: those of double. */
export const COMPLEX: ReadonlySet<string> = new Set(['_Complex', '__complex__', '__complex'])

/** GNU operators. */
export const COMPLEX_PARTS: ReadonlySet<string> = new Set(['__real__', '__real', '__imag__', '__imag'])

export const ALIGNOF: ReadonlySet<string> = new Set(['_Alignof', '__alignof', '__alignof__'])

export const TYPEOF: ReadonlySet<string> = new Set(['typeof', '__typeof', '__typeof__'])

/** Builtins that take types as arguments, which the grammar does not allow in a call. */
export const TYPE_ARGUMENT_BUILTINS: ReadonlySet<string> = new Set([
  '__builtin_va_arg',
  '__builtin_types_compatible_p',
  '__builtin_offsetof',
])

export const KEYWORDS: ReadonlySet<string> = new Set(
  `auto break case char const continue default do double else enum extern float for goto if inline int long register
  return short signed sizeof static struct switch typedef union unsigned void volatile while _Alignas _Alignof _Atomic
  _Generic _Static_assert _Thread_local`.split(/\s+/),
)
