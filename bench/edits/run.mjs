// Fifty edits of one program, one after the other, each verified twice: from scratch, and with the results of the runs
// before it (--proofs). Edits that change nothing that engines see stay; one that does is taken back by the next.
//   node bench/edits/run.mjs [--property assert] [--timeout 60s] [--producers 2] [--jobs 2]
// More producers and jobs make the same program harder to prove, and no harder to recognise.
// Prints a line an edit, and for each kind the two sums of time. Verdicts must be the same, or the status is 1.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  options: {
    property: { type: 'string', default: 'assert' },
    timeout: { type: 'string', default: '60s' },
    producers: { type: 'string', default: '2' },
    jobs: { type: 'string', default: '2' },
  },
})

const before = (place, text) => (source) => source.replace(place, () => `${text}${place}`)
const instead = (place, text) => (source) => source.replace(place, () => text)

/** What a day of work does that no proof depends on. */
const HARMLESS = [
  before('static void put', '// Waits until there is room.\n'),
  before('static int take', '/* Returns 0 when all producers are done. */\n'),
  before('static void *producer', '\n\n'),
  instead('length++;', 'length ++;'),
  before('int main(void)', 'static int twice(int n) { return 2 * n; }\n\n'),
  instead('if (taken) {', 'if (taken)\n  {'),
  before('#define CAPACITY', '// How many jobs wait at most.\n'),
  before('static int done;', 'struct unused { int a, b; };\n'),
  instead('*job = queue[first];', '*job = queue[ first ];  // the oldest'),
  before('static void *worker', 'typedef unsigned long counter;\n'),
  before('  return taken;', '\n'),
  instead('int job = 0;', 'int job = 0; /* none yet */'),
  before('int main(void)', '#define LOG(...) ((void)0)\n'),
  instead('open_producers--;', 'open_producers --;'),
  before('  assert(done', '  // Every job was done once.\n'),
  before('static int queue', 'static const char *const name = "queue";\n'),
  instead('for (int i = 0; i < JOBS; i++) put(i + 1);', 'for (int i = 0; i < JOBS; i++)\n    put(i + 1);'),
  before('#include <stdlib.h>', '#include <string.h>\n'),
  before('static int first', '/* A ring. */\n'),
  before('int main(void)', 'static void *nobody(void *p) { return p; }\n'),
  instead('while (take(&job)) {', 'while (take( &job )) {'),
  before('static pthread_mutex_t', '// Protects everything below.\n'),
  before('  pthread_t threads', '\n  // Producers first.\n'),
  instead('done++;', 'done ++;'),
  before('static void put', 'enum state { IDLE, BUSY };\n'),
  before('#include <assert.h>', '// Copyright.\n'),
  instead('static int done;', 'static int done; // jobs'),
  before('static int take', 'static int is_busy(enum state s) { return s == BUSY; }\n'),
  instead('length--;', 'length --;'),
  before('static pthread_cond_t not_full', '// Nothing is left.\n'),
  instead('pthread_cond_broadcast(&not_empty);', 'pthread_cond_broadcast( &not_empty );'),
  before('int main(void)', '/* The test. */\n'),
]

/** Other programs: some hold, some do not. */
const RELEVANT = [
  instead('#define JOBS 2', '#define JOBS 1'),
  instead('while (length == CAPACITY)', 'if (length == CAPACITY)'),
  instead('pthread_cond_signal(&not_full)', 'pthread_cond_broadcast(&not_full)'),
  instead('#define CAPACITY 2', '#define CAPACITY 1'),
  instead('int job = 0;', 'int job = 7;'),
  instead('assert(job >= 1', 'assert(job > 1'),
  instead('first = (first + 1) % CAPACITY;', 'first = 1 - first;'),
  instead('  int taken = length > 0;', '  int taken = length > 0;\n  int left = length;\n  (void)left;'),
  instead('open_producers > 0', 'open_producers != 0'),
  instead('    done++;', '    done += 1;'),
  instead('assert(length >= 0)', 'assert(length >= 0 && length < CAPACITY)'),
  instead('put(i + 1)', 'put(i)'),
  instead('= PRODUCERS;', '= PRODUCERS - 1;'),
  instead('assert(done == PRODUCERS * JOBS)', 'assert(done <= PRODUCERS * JOBS)'),
  instead('int taken = length > 0;', 'int taken = length != 0;'),
  instead('int job = 0;', 'int job = 0, tries = 0;\n  tries++;'),
  instead('(first + length) % CAPACITY', '(length + first) % CAPACITY'),
  instead('i + 1', 'JOBS - i'),
]

/** A relevant edit after every second harmless one. */
const edits = HARMLESS.flatMap((edit, i) => {
  const relevant = i % 2 === 1 ? RELEVANT[(i - 1) / 2] : undefined
  return [{ kind: 'harmless', edit }, ...(relevant ? [{ kind: 'relevant', edit: relevant }] : [])]
}).concat(RELEVANT.slice(HARMLESS.length / 2).map((edit) => ({ kind: 'relevant', edit })))

/** Edits are of the text as it is in the repository; its size is set afterwards. */
const sized = (text) =>
  text
    .replace('#define PRODUCERS 2', `#define PRODUCERS ${values.producers}`)
    .replace('#define JOBS 2', `#define JOBS ${values.jobs}`)

const folder = mkdtempSync(join(tmpdir(), 'heddle-edits-'))
const verify = (text, ...options) => {
  const file = join(folder, 'program.c')
  writeFileSync(file, sized(text))
  const began = process.hrtime.bigint()
  const args = ['verify', file, '--json', '--property', values.property, '--timeout', values.timeout, ...options]
  let json
  try {
    json = execFileSync(process.execPath, [`${root}dist/cli/main.js`, ...args], { encoding: 'utf8', stdio: 'pipe' })
  } catch (failed) {
    json = failed.stdout
  }
  const { verdict, kept = false, diagnostics } = JSON.parse(json)
  if (diagnostics) throw new Error(diagnostics.join('\n'))
  return { verdict, kept, seconds: Number(process.hrtime.bigint() - began) / 1e9 }
}

let text = readFileSync(new URL('program.c', import.meta.url), 'utf8')
const proofs = ['--proofs', join(folder, 'proofs')]
verify(text, ...proofs)
const sums = { harmless: [0, 0, 0, 0], relevant: [0, 0, 0, 0] }
let wrong = 0
for (const [i, { kind, edit }] of edits.entries()) {
  const edited = edit(text)
  if (edited === text) throw new Error(`edit ${i + 1} finds no place`)
  if (kind === 'harmless') text = edited
  const scratch = verify(edited)
  const again = verify(edited, ...proofs)
  // What is not decided in time is no verdict to compare with.
  const verdicts = new Set([scratch.verdict, again.verdict].filter((verdict) => verdict !== 'unknown'))
  if (verdicts.size > 1) wrong++
  const sum = sums[kind]
  sum[0] += scratch.seconds
  sum[1] += again.seconds
  sum[2]++
  sum[3] += again.kept ? 1 : 0
  console.log(
    `${String(i + 1).padStart(2)} ${kind} ${scratch.verdict} ${scratch.seconds.toFixed(2)} s, with proofs ${again.verdict} ${again.seconds.toFixed(2)} s${again.kept ? ' (kept)' : ''}`,
  )
}
for (const [kind, [scratch, again, count, kept]] of Object.entries(sums))
  console.log(
    `${kind}: ${count} edits, ${kept} results kept, ${scratch.toFixed(1)} s from scratch, ${again.toFixed(1)} s with proofs: ${(scratch / again).toFixed(1)} times`,
  )
console.log(`${wrong} different verdicts`)
rmSync(folder, { recursive: true, force: true })
process.exitCode = wrong > 0 ? 1 : 0
