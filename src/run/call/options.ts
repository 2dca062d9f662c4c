// The options of the command line as one table (docs/cli.md is the contract): parsing, help and checks derive from it.
import { ENGINES } from '../../engine/registry.js'
import { PROPERTIES } from '../../property/names.js'

export interface CommandOption {
  readonly name: string
  /** Placeholder for a value; absent for a switch. */
  readonly value?: string
  readonly values?: readonly string[]
  readonly default?: string
  readonly repeat?: boolean
  readonly help: string
}

/** Of every command that prints reports. */
export const STYLE_OPTIONS: readonly CommandOption[] = [
  {
    name: 'color',
    value: 'WHEN',
    values: ['auto', 'always', 'never'],
    default: 'auto',
    help: 'when to use colours; auto means on a terminal, unless TERM is dumb or NO_COLOR is set',
  },
  { name: 'quiet', help: 'print the verdict only: no trace, no warnings, no progress' },
]

export const VERIFY_OPTIONS: readonly CommandOption[] = [
  {
    name: 'property',
    value: 'NAME|FILE.prp',
    default: 'assert',
    repeat: true,
    help: `what to decide: ${PROPERTIES.join(', ')}, or an SV-COMP property file; give it several times, or say all, to decide several`,
  },
  {
    name: 'engine',
    value: 'NAME',
    values: ['auto', ...ENGINES.map((e) => e.name)],
    default: 'auto',
    help: 'which engine decides',
  },
  { name: 'timeout', value: 'TIME', default: '60s', help: 'wall clock limit: 500ms, 20s, 5m' },
  { name: 'memory', value: 'SIZE', default: '4G', help: 'memory limit of each engine: 800M, 4G' },
  {
    name: 'solver',
    value: 'auto|native|wasm|smtlib:COMMAND',
    default: 'auto',
    help: 'native is libz3, wasm the embedded solver, smtlib: any command that reads SMT-LIB',
  },
  { name: 'data-model', value: 'NAME', values: ['ilp32', 'lp64'], default: 'lp64', help: 'widths of C types' },
  {
    name: 'arith',
    value: 'NAME',
    values: ['auto', 'int', 'bv'],
    default: 'auto',
    help: 'integers or bit-vectors in formulas',
  },
  { name: 'entry', value: 'FUNCTION', default: 'main', help: 'where the program starts' },
  {
    name: 'memory-model',
    value: 'NAME|FILE.cat',
    default: 'sc',
    help: 'sc, tso, pso, rc11, or your own CAT file; litmus tests also take rmo, imm, arm8, power, riscv and lkmm; without this option, programs with weaker atomics are decided under rc11',
  },
  {
    name: 'fix',
    help: 'if weaker memory orders are to blame, print as a diff the weakest ones that make the property hold',
  },
  {
    name: 'spurious-wakeups',
    value: 'on|off',
    values: ['on', 'off'],
    default: 'on',
    help: 'whether a condition wait may wake by itself',
  },
  { name: 'malloc-may-fail', help: 'let malloc return NULL' },
  { name: 'volatile-is-atomic', help: 'treat accesses to volatile objects as atomic, so that they do not race' },
  {
    name: 'error-function',
    value: 'NAME,...',
    repeat: true,
    help: 'treat a call of these functions as an error, like reach_error, even if the program defines them',
  },
  {
    name: 'p',
    value: 'BUILD',
    help: 'take the files that are needed, and their options, from BUILD/compile_commands.json',
  },
  {
    name: 'file',
    value: 'FILE',
    repeat: true,
    help: 'with -p: the file of the build to start from; default: the one that defines the entry',
  },
  {
    name: 'project',
    value: 'FILE',
    help: 'take entries, properties, stubs and limits from this file, which heddle init writes (default: heddle.json, if you name no files)',
  },
  { name: 'only', value: 'NAME', repeat: true, help: 'with a project: verify only this entry' },
  { name: 'D', value: 'NAME[=VALUE]', repeat: true, help: 'define a macro' },
  { name: 'U', value: 'NAME', repeat: true, help: 'undefine a macro' },
  { name: 'I', value: 'DIR', repeat: true, help: 'search DIR for included files' },
  { name: 'isystem', value: 'DIR', repeat: true, help: 'search DIR for included files, after those of -I' },
  { name: 'include', value: 'FILE', repeat: true, help: 'read FILE before the program, as if it included it' },
  { name: 'std', value: 'NAME', help: "the dialect whose macros the system's compiler predefines, such as gnu11" },
  {
    name: 'headers',
    value: 'NAME',
    values: ['auto', 'built-in', 'system'],
    default: 'auto',
    help: "which headers to read: Heddle's own, those of the system's C compiler, or (auto) the compiler's where Heddle's are not enough",
  },
  {
    name: 'cpp',
    value: 'COMMAND',
    help: 'preprocess with this command (for example "cc -E") instead of the built-in one',
  },
  {
    name: 'assume-pure',
    value: 'F,G',
    repeat: true,
    help: 'these functions have no definition; assume that they only return some value',
  },
  {
    name: 'extern',
    value: 'NAME',
    values: ['unsupported', 'havoc'],
    default: 'unsupported',
    help: 'functions without a definition: unsupported gives UNKNOWN; havoc lets them return any value and write any value behind their pointers',
  },
  { name: 'json', help: 'print one JSON object instead of text' },
  ...STYLE_OPTIONS,
  { name: 'check', help: 'say TRUE only if `heddle check` accepts the proof within the time limit' },
  { name: 'stats', help: 'print the plan and the statistics' },
  { name: 'witness', value: 'FILE', help: 'write an SV-COMP witness (.graphml or .yml)' },
  { name: 'html', value: 'FILE', help: 'write a report that opens in a browser' },
  { name: 'sarif', value: 'FILE', help: 'write SARIF for code scanning' },
  { name: 'certificate', value: 'FILE', help: 'write the proof, for heddle check' },
  {
    name: 'proofs',
    value: 'DIR',
    help: 'keep results in this folder, and reuse them while the program stays the same (docs/ci.md)',
  },
  { name: 'dot', value: 'FILE', help: 'write the reachability graph' },
  {
    name: 'queue',
    value: 'URL',
    help: 'with --engine graphs: share the search with the workers of this Redis queue (heddle work --queue URL)',
  },
]

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** By its name: commands are built apart from the command line's entry, each with a class of its own. */
export const isUsageError = (error: unknown): error is UsageError =>
  error instanceof Error && error.name === 'UsageError'

export interface Parsed {
  readonly files: readonly string[]
  readonly options: ReadonlyMap<string, readonly string[]>
}

/** Options of compilers that change nothing of what a program means here: a build's command line can be used as it is. */
const IGNORED =
  /^-(?:W.*|O.*|g.*|f.*|m.*|l.*|L.*|pedantic(?:-errors)?|pipe|pthread|w|ansi|c|S|v|x=?c|M[DMPG]?|static|shared|rdynamic|s)$/s
const IGNORED_WITH_VALUE = /^-(?:o|MF|MT|MQ|x|arch)$/

/** As compilers write it, and as our own options are written. */
const asLong = (arg: string): string => {
  const spelling = /^-(isystem|iquote|idirafter|include|imacros)(.*)$/s.exec(arg)
  if (spelling) {
    const name = /^i(?:nclude|macros)$/.test(spelling[1]!) ? 'include' : 'isystem'
    return spelling[2] ? `--${name}=${spelling[2]}` : `--${name}`
  }
  const std = /^-std=(.*)$/.exec(arg)
  return std ? `--std=${std[1]}` : arg
}

/**
 * `--name value`, `--name=value`, `-Dname`, `-I dir`; anything else is a file. Options of compilers that matter to the
 * preprocessor are read as they are written, others of theirs ignored. Unknown options are errors with a hint.
 */
export const parseArguments = (args: readonly string[], table: readonly CommandOption[]): Parsed => {
  const known = new Map(table.map((o) => [o.name, o]))
  const files: string[] = []
  const options = new Map<string, string[]>()
  for (let i = 0; i < args.length; i++) {
    const arg = asLong(args[i]!)
    if (IGNORED.test(arg) && known.has('D')) continue
    if (IGNORED_WITH_VALUE.test(arg) && known.has('D')) {
      i++
      continue
    }
    if (arg === '--') {
      files.push(...args.slice(i + 1))
      break
    }
    const short = /^-([DIUp])(.*)$/s.exec(arg)
    const long = /^--([^=]+)(?:=(.*))?$/s.exec(arg)
    if (!short && !long) {
      if (arg.startsWith('-') && arg !== '-') throw unknownOption(arg, known)
      files.push(arg)
      continue
    }
    // `-property` is a slip, not the build folder `roperty`.
    if (short?.[1] === 'p' && isLongName(arg.slice(1).split('=')[0]!, known))
      throw unknownOption(arg.split('=')[0]!, known)
    const name = short ? short[1]! : long![1]!
    let value = short ? short[2] || undefined : long![2]
    const option = known.get(name)
    if (!option) throw unknownOption(`--${name}`, known)
    if (option.value === undefined) {
      if (value !== undefined) throw new UsageError(`--${name} takes no value`)
      value = 'on'
    } else if (value === undefined) {
      value = args[++i]
      if (value === undefined) throw new UsageError(`--${name} needs a value: ${option.value}`)
    }
    if (option.values && !option.values.includes(value))
      throw new UsageError(`--${name} ${value}${suggest(value, option.values)}: not one of ${option.values.join(', ')}`)
    const before = options.get(name)
    if (before && option.repeat) before.push(value)
    else options.set(name, [value])
  }
  return { files, options }
}

const unknownOption = (written: string, known: ReadonlyMap<string, CommandOption>): UsageError => {
  const names = [...known.keys()].filter((name) => name.length > 1)
  return new UsageError(`unknown option ${written}${suggest(written.replace(/^-+/, ''), names, '--')}`)
}

const isLongName = (text: string, known: ReadonlyMap<string, CommandOption>): boolean =>
  text.length > 3 &&
  (known.has(text) || [...known.keys()].some((name) => name.length > 3 && editDistance(name, text) < 3))

/** ` (did you mean X?)`, or nothing where no name is near. */
export const suggest = (name: string, candidates: readonly string[], prefix = ''): string => {
  const best = nearest(name, candidates)
  return best === undefined ? '' : ` (did you mean ${prefix}${best}?)`
}

const nearest = (name: string, candidates: readonly string[]): string | undefined => {
  let best: string | undefined
  let least = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    const d = editDistance(name, candidate)
    if (d < least) [best, least] = [candidate, d]
  }
  return best
}

const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

export const milliseconds = (text: string): number => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text)
  if (!match) throw new UsageError(`${text} is not a time: write 500ms, 20s or 5m`)
  return Number(match[1]) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[(match[2] ?? 's') as 'ms' | 's' | 'm' | 'h']
}

export const megabytes = (text: string): number => {
  const match = /^(\d+(?:\.\d+)?)([KMG])?B?$/i.exec(text)
  if (!match) throw new UsageError(`${text} is not a size: write 800M or 4G`)
  return Number(match[1]) * { K: 1 / 1024, M: 1, G: 1024 }[(match[2] ?? 'M').toUpperCase() as 'K' | 'M' | 'G']
}
