// One file from text to XCFA in this process, as a fresh process does it: prints the processor time in milliseconds,
// the parser's loading included. Run by bench/core/run.ts.
import { loadProgram } from '../../src/run/program/load.js'

const begin = process.cpuUsage()
await loadProgram({
  ...{ files: [process.argv[2]!], dataModel: 'lp64', entry: 'main', defines: [], includeDirs: [] },
  ...{ spuriousWakeups: true, mallocMayFail: false, property: 'assert' },
})
const { user, system } = process.cpuUsage(begin)
console.log((user + system) / 1000)
