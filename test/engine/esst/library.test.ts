// The scheduler of SystemC against the library itself, where it is installed (Debian: libsystemc-dev). Each model notes
// what happens in one number; the library prints its number, and ours must be able to end with the same. Where the
// standard leaves no choice, ours must not be able to end with another.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CParser } from '../../../src/frontend/c/index.js'
import type { CxxParser } from '../../../src/frontend/cooperative/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { cxxParser, expected, modelOf } from './support.js'

interface Model {
  readonly what: string
  /** Fields and methods. */
  readonly members: string
  /** Of the constructor. */
  readonly created: string
  readonly start?: string
  readonly isDetermined?: boolean
}

const THREADS = 'SC_THREAD(one); SC_THREAD(two);'

const MODELS: readonly Model[] = [
  {
    what: 'an immediate notification reaches who waits already',
    members: 'sc_event e; void one() { wait(e); note(1); } void two() { note(2); e.notify(); note(3); }',
    created: THREADS,
  },
  {
    what: 'a delta notification comes when all have run, an immediate one at once',
    members: `sc_event e, f;
      void one() { note(1); wait(e); note(2); f.notify(); note(3); }
      void two() { e.notify(SC_ZERO_TIME); note(4); wait(f); note(5); }`,
    created: THREADS,
  },
  {
    what: 'a signal changes in the update phase, and tells of it in the next delta cycle',
    members: `sc_signal<int> s;
      void one() { s.write(7); s.write(5); note(s.read() + 1); wait(SC_ZERO_TIME); note(s.read()); s.write(5); }
      void two() { wait(s.value_changed_event()); note(s.read() + 3); wait(1, SC_NS); note(9); }`,
    created: THREADS,
  },
  {
    what: 'the earliest notification of an event counts, and a cancelled one does not',
    members: `sc_event e, f;
      void one() { e.notify(20, SC_NS); e.notify(10, SC_NS); e.notify(30, SC_NS); f.notify(5, SC_NS); f.cancel(); wait(15, SC_NS); note(1); wait(20, SC_NS); note(2); }
      void two() { wait(e); note(3); wait(e | f); note(4); }`,
    created: THREADS,
    isDetermined: true,
  },
  {
    what: 'an immediate notification replaces a pending one',
    members: `sc_event e;
      void one() { wait(e); note(1); wait(e); note(2); }
      void two() { wait(1, SC_NS); e.notify(SC_ZERO_TIME); e.notify(); note(3); wait(1, SC_NS); note(4); }`,
    created: THREADS,
    isDetermined: true,
  },
  {
    what: 'lists of events, and waits that end by time',
    members: `sc_event e, f;
      void one() { wait(e & f); note(1); wait(2, SC_NS, e); note(2); wait(1, SC_NS, e | f); note(3); }
      void two() { wait(1, SC_NS); f.notify(); wait(1, SC_NS); e.notify(); note(4); wait(9, SC_NS); note(5); }`,
    created: THREADS,
    isDetermined: true,
  },
  {
    what: 'methods: static sensitivity, dont_initialize, next_trigger',
    members: `sc_event e; int count = 0;
      void one() { e.notify(1, SC_NS); wait(2, SC_NS); e.notify(); note(1); wait(9, SC_NS); note(2); }
      void two() { note(3); count++; if (count == 1) next_trigger(3, SC_NS); }
      void three() { note(4); }`,
    created: 'SC_THREAD(one); SC_METHOD(two); sensitive << e; dont_initialize(); SC_METHOD(three);',
  },
  {
    what: 'edges of a signal',
    members: `sc_signal<bool> b;
      void one() { b = true; wait(1, SC_NS); b = true; wait(1, SC_NS); b = false; wait(1, SC_NS); note(5); }
      void two() { note(1); } void three() { note(2); } void four() { note(3); }`,
    created: `SC_THREAD(one); SC_METHOD(two); sensitive << b.posedge_event(); dont_initialize();
      SC_METHOD(three); sensitive << b.negedge_event(); dont_initialize();
      SC_METHOD(four); sensitive << b; dont_initialize();`,
  },
  {
    what: 'sc_start(time) ends before what is due then; the next one goes on with it',
    members: 'sc_event e; void one() { wait(10, SC_NS); note(1); wait(5, SC_NS); note(2); wait(1, SC_NS); note(3); }',
    created: 'SC_THREAD(one);',
    start: 'sc_start(10, SC_NS); t.note(7); sc_start(5, SC_NS); t.note(8); sc_start(1, SC_NS); t.note(9); sc_start();',
    isDetermined: true,
  },
  {
    what: 'sc_stop lets the delta cycle end',
    members: `sc_signal<int> s;
      void one() { s.write(1); sc_stop(); note(1); wait(SC_ZERO_TIME); note(2); }
      void two() { wait(s.value_changed_event()); note(3); }`,
    created: THREADS,
    start: 'sc_start(); t.note(4 + t.s.read());',
    isDetermined: true,
  },
  {
    what: 'wait() and a thread that is not initialised',
    members: `sc_event e, f;
      void one() { note(1); wait(); note(2); wait(); note(3); }
      void two() { wait(1, SC_NS); f.notify(); e.notify(); wait(1, SC_NS); f.notify(SC_ZERO_TIME); wait(SC_ZERO_TIME); wait(SC_ZERO_TIME); note(4); }`,
    created: 'SC_THREAD(one); sensitive << e << f; dont_initialize(); SC_THREAD(two);',
  },
]

const moduleText = ({ members, created }: Model, name: string): string =>
  `SC_MODULE(${name}) {
  int log;
  void note(int k) { log = log * 10 + k; }
  ${members}
  SC_CTOR(${name}) : log(0) { ${created} }
};`

const startOf = ({ start = 'sc_start();' }: Model): string => start

const forLibrary = `#include <systemc.h>
#include <cstdlib>
${MODELS.map((model, i) => moduleText(model, `m${i}`)).join('\n')}
int sc_main(int argc, char *argv[]) {
  switch (atoi(argv[1])) {
${MODELS.map((model, i) => `    case ${i}: { m${i} t("t"); ${startOf(model)} std::cout << "log " << t.log << std::endl; break; }`).join('\n')}
  }
  return 0;
}
`

const forUs = (model: Model, assertion: string): string =>
  `#include <systemc.h>
${moduleText(model, 'top')}
int sc_main(int argc, char *argv[]) { top t("t"); ${startOf(model)} assert(t.log ${assertion}); return 0; }
`

const folder = mkdtempSync(join(tmpdir(), 'heddle-systemc-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const hasLibrary = (): boolean =>
  ['/usr/include/systemc.h', '/usr/local/include/systemc.h'].some((file) => existsSync(file)) &&
  spawnSync('g++', ['--version']).status === 0

describe.runIf(hasLibrary())('the SystemC library', () => {
  let parser: CParser
  let cxx: CxxParser
  beforeAll(async () => {
    parser = await testParser()
    cxx = await cxxParser()
    writeFileSync(join(folder, 'models.cpp'), forLibrary)
    execFileSync('g++', ['-std=c++17', '-w', 'models.cpp', '-o', 'models', '-lsystemc'], { cwd: folder })
  }, 120_000)

  it.each(MODELS.map((model, i) => ({ ...model, i })))('$what', ({ i, ...model }) => {
    const { stdout } = spawnSync(join(folder, 'models'), [String(i)], { encoding: 'utf8' })
    const log = /^log (\d+)$/m.exec(stdout)?.[1]
    expect(log).toBeDefined()
    const verdict = (assertion: string): string => expected(modelOf(parser, cxx, forUs(model, assertion))).verdict
    expect(`${log} ${verdict(`!= ${log}`)}`).toBe(`${log} false`)
    if (model.isDetermined) expect(`only ${log} ${verdict(`== ${log}`)}`).toBe(`only ${log} true`)
  })
})
