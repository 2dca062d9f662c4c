/* SystemC: two stages that pass values on through a signal. A signal keeps its value until the update phase, so that the
 * second stage always sees what the first one wrote a cycle before, in whatever order the two run.
 *
 * Verdicts: assert TRUE
 */
#include <systemc.h>
#include <cassert>

SC_MODULE(stage) {
  sc_in<int> in;
  sc_out<int> out;

  void run() {
    while (true) {
      out.write(in.read() + 1);
      wait(1, SC_NS);
    }
  }

  SC_CTOR(stage) { SC_THREAD(run); }
};

SC_MODULE(monitor) {
  sc_in<int> first, second;

  void look() { assert(second.read() <= first.read() + 1); }

  SC_CTOR(monitor) {
    SC_METHOD(look);
    sensitive << first << second;
  }
};

int sc_main(int argc, char *argv[]) {
  sc_signal<int> source, middle, end;
  stage a("a");
  stage b("b");
  monitor m("m");
  a.in(source);
  a.out(middle);
  b.in(middle);
  b.out(end);
  m.first(middle);
  m.second(end);
  sc_start(3, SC_NS);
  return 0;
}
