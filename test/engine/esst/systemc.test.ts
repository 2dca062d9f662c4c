// SystemC: the order of phases by IEEE 1666, 4.2, on models in C++. Brute force and the engine must agree with it.
import { describe, expect, it } from 'vitest'
import { createSmt } from '../../../src/smt/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { cxxParser, decided, expected, modelOf, SETTINGS } from './support.js'

const parser = await testParser()
const cxx = await cxxParser()
const smt = await createSmt('auto')

/** A module with two threads, events e and f, a signal s, and variables x and y that begin as 0. */
const model = (first: string, second: string, start = 'sc_start();'): string => `
#include <systemc.h>
SC_MODULE(top) {
  sc_event e, f;
  sc_signal<int> s;
  int x, y;
  void one() { ${first} }
  void two() { ${second} }
  SC_CTOR(top) : x(0), y(0) { SC_THREAD(one); SC_THREAD(two); }
};
int sc_main(int argc, char *argv[]) { top t("t"); ${start} return 0; }
`

const FACTS: readonly (readonly [string, 'true' | 'false', string, string])[] = [
  [
    'an immediate notification that nobody waits for is lost',
    'false',
    'e.notify(); x = 1;',
    'assert(x == 0); wait(e); y = 1;',
  ],
  [
    'a delta notification comes after all processes have run',
    'true',
    'wait(e); assert(x == 1);',
    'e.notify(SC_ZERO_TIME); wait(SC_ZERO_TIME); y = 1;'.replace('wait(SC', 'x = 1; wait(SC'),
  ],
  [
    'a signal keeps its value until the update',
    'true',
    's.write(1); assert(s.read() == 0); wait(SC_ZERO_TIME); assert(s == 1);',
    'assert(s == 0);',
  ],
  [
    'the last write of a signal counts',
    'true',
    's = 1; s = 2; wait(SC_ZERO_TIME); assert(s == 2);',
    'wait(s.value_changed_event()); assert(s == 2);',
  ],
  [
    'an earlier notification replaces a later one',
    'true',
    'e.notify(20, SC_NS); e.notify(10, SC_NS); wait(15, SC_NS); assert(x == 1);',
    'wait(e); x = 1;',
  ],
  [
    'and a later one does not replace an earlier',
    'true',
    'e.notify(10, SC_NS); e.notify(20, SC_NS); wait(15, SC_NS); assert(x == 1);',
    'wait(e); x = 1;',
  ],
  [
    'a notification that is cancelled does not come',
    'true',
    'e.notify(10, SC_NS); e.cancel(); wait(15, SC_NS); assert(x == 0);',
    'wait(e); x = 1;',
  ],
  ['any of two events', 'false', 'f.notify(SC_ZERO_TIME);', 'wait(e | f); assert(0);'],
  ['all of two events', 'true', 'f.notify(SC_ZERO_TIME);', 'wait(e & f); assert(0);'],
  ['a time-out', 'true', 'wait(5, SC_NS); x = 1; e.notify();', 'wait(2, SC_NS, e); assert(x == 0);'],
  ['processes run in any order', 'false', 'x = 1;', 'assert(x == 1);'],
]

const MODULES = `
#include <systemc.h>
SC_MODULE(source) {
  sc_out<int> out;
  void run();
  SC_CTOR(source) { SC_THREAD(run); }
};
void source::run() { for (int i = 1; i < 3; i++) { out.write(i); wait(10, SC_NS); } }
SC_MODULE(sink) {
  sc_in<int> in;
  int last;
  void react() { assert(in.read() == last + 1); last = in; }
  SC_CTOR(sink) : last(0) { SC_METHOD(react); sensitive << in; dont_initialize(); }
};
SC_MODULE(wrapper) {
  sc_in<int> in;
  sink inner;
  SC_CTOR(wrapper) : inner("inner") { inner.in(in); }
};
int sc_main(int argc, char *argv[]) {
  sc_signal<int> wire;
  source a("a");
  wrapper b("b");
  a.out(wire);
  b.in(wire);
  sc_start();
  return 0;
}
`

describe('SystemC', () => {
  it.each(FACTS)('%s', (_, verdict, first, second) => {
    const raw = modelOf(parser, cxx, model(first, second))
    expect(expected(raw).verdict).toBe(verdict)
    for (const setting of SETTINGS) expect(decided(raw, smt, setting).verdict).toBe(verdict)
  })

  it('ends before what is due at the end of sc_start(time)', () => {
    const at = (time: number): string =>
      expected(modelOf(parser, cxx, model('wait(10, SC_NS); assert(0);', '', `sc_start(${time}, SC_NS);`))).verdict
    expect([at(10), at(11)]).toEqual(['true', 'false'])
  })

  it('binds ports through the hierarchy, and runs methods when they are sensitive', () => {
    const verdict = (text: string): string => decided(modelOf(parser, cxx, text), smt).verdict
    expect(verdict(MODULES)).toBe('true')
    expect(verdict(MODULES.replace('last + 1', 'last + 2'))).toBe('false')
    expect(verdict(MODULES.replace('dont_initialize();', ''))).toBe('false')
  })

  it('names other C++ with its place', () => {
    expect(() => modelOf(parser, cxx, model('int *p = new int;', ''))).toThrow(/pointer declarator at test.cpp:7/)
    expect(() => modelOf(parser, cxx, MODULES.replace('int last;', 'sc_fifo<int> last;'))).toThrow(
      /sc_fifo<int> at test.cpp:11/,
    )
    expect(() => modelOf(parser, cxx, '#include <systemc.h>\nSC_MODULE(m) {')).toThrow()
  })
})
