// Help that teaches: what each command is for, an example, and every option from the tables.
import { ENGINES } from '../engine/registry.js'
import { wrapWords } from '../output/text.js'
import { type CommandOption, VERIFY_OPTIONS } from '../run/call/options.js'
import { SHOW_OPTIONS } from '../run/call/show-options.js'
import { BENCH_OPTIONS } from './bench/options.js'
import { CHECK_OPTIONS } from './check/options.js'
import { CI_OPTIONS, WATCH_OPTIONS } from './ci/options.js'
import { HARNESS_OPTIONS } from './harness-options.js'
import { INIT_OPTIONS } from './init-options.js'
import { QUEUE_OPTIONS, WORK_OPTIONS } from './queue/options.js'
import { REPLAY_OPTIONS } from './replay/options.js'
import { TEST_OPTIONS } from './test/options.js'

export const helpOverview =
  (): string => `Heddle decides properties of concurrent C programs: it proves that an assertion holds for every
interleaving and input, or shows an interleaving that breaks it.

  heddle verify FILE...      decide a property of a program (several files are linked)
  heddle test FILE...        run the real program under many schedules: races, deadlocks, crashes (C and C++)
  heddle bench TASKS...      run many tasks and compare the verdicts with the expected ones
  heddle replay FILE WITNESS execute a counterexample again, step by step, or on real threads (--native)
  heddle check FILE CERT     check a proof without the engine that found it
  heddle show FILE           print what the front end understood
  heddle ci [PATHS]          verify what changed in a project, within a budget (docs/ci.md)
  heddle watch [PATHS]       verify programs whenever they are saved, with a live page (docs/ci.md)
  heddle lsp                 serve an editor (docs/editors.md)
  heddle stubs FILE...       print C stubs for functions without a definition, to edit
  heddle init [FOLDER]       write a project file from a CMake, Meson or Make build
  heddle harness LIB.h LIB.c print a client for a library without a main, to edit and verify
  heddle work --queue URL    take part in searches that were started elsewhere (docs/queue.md)
  heddle queue status        show the workers of a queue, and what is left
  heddle doctor              show which solvers were found, and what to install for more speed

Try:  heddle verify examples/lost_update.c
      heddle verify examples/struct_field_race.c --property no-data-race
      heddle verify examples/dining_philosophers_deadlock.c --property no-deadlock

heddle COMMAND --help explains a command and its options.
Exit status of verify: 0 the property holds, 1 it is violated, 2 wrong input or call, 3 unknown.`

interface Help {
  readonly text: readonly string[]
  readonly options?: readonly CommandOption[]
}

const HELP: Readonly<Record<string, Help>> = {
  verify: {
    text: [
      'heddle verify FILE...   decide a property of a program (.c, preprocessed .i, or an SV-COMP task .yml)',
      '',
      'The last line is VERDICT: TRUE, VERDICT: FALSE(property) or VERDICT: UNKNOWN(reason).',
    ],
    options: VERIFY_OPTIONS,
  },
  test: {
    text: [
      'heddle test FILE... [-- ARGUMENTS]   compile the program (C, C++) and run it under many schedules',
      '',
      'This needs a C compiler, and it runs your program. The last line is VERDICT: FALSE(WHAT) with status 1, or',
      'VERDICT: UNKNOWN(nothing found in N schedules) with status 3: finding nothing proves nothing.',
    ],
    options: TEST_OPTIONS,
  },
  work: {
    text: [
      'heddle work --queue URL   take jobs from a queue: subtrees of a search, tasks of a bench (docs/queue.md)',
      '',
      'Start it on any number of machines with Node and this version of heddle. You can kill it at any time.',
    ],
    options: WORK_OPTIONS,
  },
  queue: {
    text: ['heddle queue status --queue URL   workers and their rates, jobs, and how much of each search is done'],
    options: QUEUE_OPTIONS,
  },
  stubs: {
    text: [
      'heddle stubs FILE... > stubs.c   a definition for each function that is called and not defined, to be edited',
      '',
      'Each stub returns any value (an uninitialised variable) and does nothing else. Give the file to heddle verify',
      'beside the others. Structs that a stub names must be included or declared there.',
    ],
  },
  init: {
    text: [
      'heddle init [FOLDER]   writes heddle.json: the programs of a build, properties, limits and stubs, to be edited',
      '',
      'The build is taken from compile_commands.json; without one, CMake or Meson is configured in build-heddle, or a',
      'Makefile is run under bear. Then heddle verify and heddle test need no files in this folder.',
    ],
    options: INIT_OPTIONS,
  },
  harness: {
    text: [
      'heddle harness LIBRARY.h LIBRARY.c... > client.c   a client for a library without a main, to be edited',
      '',
      'Threads call the functions of the header in any order, after the one that creates their object (…_init,',
      '…_create, …_new) and before the one that destroys it. Then: heddle verify client.c LIBRARY.c --property …',
    ],
    options: HARNESS_OPTIONS,
  },
  bench: {
    text: ['heddle bench TASKS...   run tasks (.yml files, folders of them, .set files) and compare the verdicts'],
    options: BENCH_OPTIONS,
  },
  ci: {
    text: [
      'heddle ci [FILES AND FOLDERS]   verify the programs (C files with a main) that changed, within a budget',
      '',
      'Exit status: 0 everything holds, 1 findings that are not in the baseline, 3 something was not decided.',
    ],
    options: CI_OPTIONS,
  },
  watch: {
    text: [
      'heddle watch [FILES AND FOLDERS]   verify programs (C files with a main) again whenever they are saved',
      '',
      'Prints each result as a compiler prints errors, and serves a page on this machine that shows all of them, each',
      'with its report. With --proofs DIR, what an edit does not change is not verified again.',
    ],
    options: WATCH_OPTIONS,
  },
  replay: {
    text: [
      'heddle replay FILE... WITNESS   WITNESS: what heddle verify wrote with --json, or with --witness',
      '',
      'Executes the counterexample in the concrete semantics and prints every step. With --native the program itself is',
      'compiled with cc and runs on real threads in exactly this order, until it fails. Exit status: 1 the violation',
      'was reached again, 3 it was not, 2 wrong input.',
    ],
    options: REPLAY_OPTIONS,
  },
  check: {
    text: [
      'heddle check FILE... CERTIFICATE   CERTIFICATE: what heddle verify wrote with --certificate',
      '',
      'The program, the property and the options are those of this call. A certificate that says anything else is',
      'rejected, and nothing in it is executed. Labelled graphs are checked node by node; other proofs are found again',
      'without the engine and its reductions, within the time limit. The command prints what was proved, what the proof',
      'assumes and what was trusted. Exit status: 0 accepted, 1 rejected (with the place), 2 wrong input, 3 not checked.',
    ],
    options: CHECK_OPTIONS,
  },
  show: {
    text: ['heddle show FILE...   what the front end understood: thread templates, their locations and edges'],
    options: SHOW_OPTIONS,
  },
  lsp: {
    text: ['heddle lsp   the language server, on standard input and output; docs/editors.md says how editors start it'],
  },
  doctor: { text: ['heddle doctor', '', 'Prints which solvers were found and what to install for more speed.'] },
}

export const helpFor = (command: string): string => {
  const help = Object.hasOwn(HELP, command) ? HELP[command] : undefined
  if (!help) return helpOverview()
  const options = help.options ? ['', ...help.options.map(line)] : []
  return [...help.text, ...options, ...(command === 'verify' ? engineOptions() : [])].join('\n')
}

const engineOptions = (): readonly string[] =>
  ENGINES.flatMap((engine) => [
    '',
    `--engine ${engine.name}: ${engine.summary}`,
    ...Object.entries(engine.options).map(([name, spec]) =>
      line({
        name,
        value: Array.isArray(spec.values) ? spec.values.join('|') : String(spec.values).toUpperCase(),
        default: spec.default,
        help: spec.help,
      }),
    ),
  ])

const LEFT = 34
const WIDTH = 110

const line = (option: CommandOption): string => {
  const dashes = option.name.length === 1 ? '-' : '--'
  const value = option.values?.join('|') ?? option.value
  const left = `  ${dashes}${option.name}${value ? ` ${value}` : ''}`
  const standard = option.default !== undefined ? ` (default ${option.default})` : ''
  const right = wrapWords(`${option.help}${standard}`, WIDTH - LEFT)
  const lines =
    left.length < LEFT
      ? [left.padEnd(LEFT) + right[0]!, ...right.slice(1).map(indented)]
      : [left, ...right.map(indented)]
  return lines.join('\n')
}

const indented = (text: string): string => ' '.repeat(LEFT) + text
