import { type CommandOption, VERIFY_OPTIONS } from '../../run/call/options.js'

const OWN: readonly CommandOption[] = [
  { name: 'timeout', value: 'TIME', default: '20s', help: 'time limit of each task' },
  { name: 'jobs', value: 'N', default: '1', help: 'how many tasks run at the same time' },
  { name: 'grid', value: 'KEY=V1,V2...', repeat: true, help: 'run every combination of these options' },
  { name: 'repeat', value: 'N', default: '1', help: 'how often to run each task' },
  {
    name: 'out',
    value: 'DIR',
    help: 'write results.csv, results.md and results.html (plots) there; a run that was interrupted continues',
  },
  { name: 'compare', value: 'OLD.csv', help: 'show what changed since an earlier run' },
]

export const BENCH_OPTIONS: readonly CommandOption[] = [
  ...OWN,
  ...VERIFY_OPTIONS.filter(
    (o) =>
      !OWN.some((own) => own.name === o.name) &&
      !['json', 'witness', 'html', 'sarif', 'certificate', 'dot'].includes(o.name),
  ),
]
