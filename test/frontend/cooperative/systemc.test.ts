// What the C++ front end makes of a model: texts of steps as the model spells them, and errors with their place.
import { describe, expect, it } from 'vitest'
import { cxxParser, modelOf } from '../../engine/esst/support.js'
import { testParser } from '../parse/load.js'

const parser = await testParser()
const cxx = await cxxParser()

const model = (members: string, created = 'SC_THREAD(run);'): string =>
  `#include <systemc.h>
SC_MODULE(inner) { sc_event e; int x; SC_CTOR(inner) : x(0) { } };
SC_MODULE(top) {
  inner part;
  sc_signal<int> s;
${members}
  SC_CTOR(top) : part("part") { ${created} }
};
int sc_main(int argc, char *argv[]) { top t("t"); sc_start(); return 0; }
`

describe('SystemC as C', () => {
  it('spells steps like the model', () => {
    const body =
      'part.e.notify(SC_ZERO_TIME); part.e.notify(20, SC_US); part.e.cancel(); wait(1500, SC_PS); wait(s.value_changed_event()); part.x = 1;'
    const { templates } = modelOf(parser, cxx, model(`  void run() { ${body} }`))
    const texts = [...templates].find(([name]) => name.includes('run'))![1].edges.map(({ text }) => text)
    for (const text of [
      't.part.e.notify(SC_ZERO_TIME)',
      't.part.e.notify(20, SC_US)',
      't.part.e.cancel()',
      'wait(1500, SC_PS)',
      'wait(t.s.value_changed_event())',
      't.part.x = 1',
    ])
      expect(texts.map((each) => each.replace(/;$/, ''))).toContain(text)
  })

  it.each([
    ['void run() { wait(part.e) }', /6:26: error|expected ';'/],
    ['void run() { throw 1; }', /throw statement at test.cpp:6/],
    ['void run() { auto f = [] { return 1; }; }', /at test.cpp:6/],
    ['void run() { wait(missing); }', /event missing at test.cpp:6/],
    ['sc_in<int> p; void run() { int a = p; }', /port p that is not bound at test.cpp:6/],
    ['void run() { s += 1; }', /this assignment to a channel at test.cpp:6/],
    ['sc_event list[2]; void run() { }', /an array of channels or modules at test.cpp:6/],
    ['double d; void run() { }', /type double at test.cpp:6/],
  ])('names what it does not read: %s', (members, message) => {
    let text = ''
    try {
      modelOf(parser, cxx, model(`  ${members}`))
    } catch (error) {
      const { diagnostics } = error as { readonly diagnostics?: readonly { readonly text: string }[] }
      text = diagnostics?.map((d) => d.text).join() ?? String(error)
    }
    expect(text).toMatch(message)
  })
})
