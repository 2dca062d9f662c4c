// docs/options.md, from the tables that parse the options: `npm run docs` writes it, a test compares.
import { ENGINES } from '../engine/index.js'
import { type CommandOption, VERIFY_OPTIONS } from '../run/call/options.js'
import { BENCH_OPTIONS } from './bench/options.js'
import { CHECK_OPTIONS } from './check/options.js'
import { HARNESS_OPTIONS } from './harness-options.js'
import { INIT_OPTIONS } from './init-options.js'
import { QUEUE_OPTIONS, WORK_OPTIONS } from './queue/options.js'
import { TEST_OPTIONS } from './test/options.js'

export const optionsPage = (): string =>
  [
    '# Options',
    '',
    '<!-- written by npm run docs from the tables in src: do not edit -->',
    '',
    'Every option of every command, from the tables that parse them. A combination that has no meaning is an error with',
    'status 2. [cli.md](cli.md) is the contract with scripts; [engines.md](engines.md) says which engine to take.',
    '',
    '## heddle verify',
    '',
    ...table(VERIFY_OPTIONS),
    ...ENGINES.flatMap(({ name, summary, options }) => [
      '',
      `### --engine ${name}`,
      '',
      `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
      '',
      ...table(
        Object.entries(options).map(([option, { values, default: standard, help }]) => ({
          name: option,
          value: typeof values === 'string' ? values.toUpperCase() : values.join('|'),
          default: standard,
          help,
        })),
      ),
    ]),
    '',
    '## heddle test',
    '',
    ...table(TEST_OPTIONS),
    '',
    '## heddle init',
    '',
    ...table(INIT_OPTIONS),
    '',
    '## heddle harness',
    '',
    ...table(HARNESS_OPTIONS),
    '',
    '## heddle check',
    '',
    ...table(CHECK_OPTIONS),
    '',
    '## heddle bench',
    '',
    ...table(BENCH_OPTIONS),
    '',
    '## heddle work',
    '',
    ...table(WORK_OPTIONS),
    '',
    '## heddle queue status',
    '',
    ...table(QUEUE_OPTIONS),
    '',
  ].join('\n')

const table = (options: readonly CommandOption[]): readonly string[] => [
  '| option | default | what it does |',
  '|---|---|---|',
  ...options.map(({ name, value, values, default: standard, help, repeat }) => {
    const dashes = name.length === 1 ? '-' : '--'
    const shown = values?.join('|') ?? value
    const left = `\`${dashes}${name}${shown ? ` ${cell(shown)}` : ''}\`${repeat ? ' (repeatable)' : ''}`
    return `| ${left} | ${standard === undefined ? '' : `\`${cell(standard)}\``} | ${cell(help)} |`
  }),
]

const cell = (text: string): string => text.replaceAll('|', '\\|')
