/* SystemC: an immediate notification reaches only processes that wait already. If the sender runs first, nobody does,
 * and the receiver waits until its time is up. With notify(SC_ZERO_TIME) the notification comes one delta cycle later,
 * when both have run.
 *
 * Verdicts: assert FALSE
 */
#include <systemc.h>
#include <cassert>

SC_MODULE(link) {
  sc_event ready;
  bool received;

  void send() { ready.notify(); }

  void receive() {
    wait(ready);
    received = true;
  }

  void look() {
    wait(10, SC_NS);
    assert(received);
  }

  SC_CTOR(link) : received(false) {
    SC_THREAD(send);
    SC_THREAD(receive);
    SC_THREAD(look);
  }
};

int sc_main(int argc, char *argv[]) {
  link l("l");
  sc_start();
  return 0;
}
