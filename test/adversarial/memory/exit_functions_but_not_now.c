// expect: unreach-call TRUE
// engines: explicit bmc
// _Exit and abort do not call what atexit was given.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void last(void) { reach_error(); }
int main(void) {
  atexit(last);
  if (__VERIFIER_nondet_int()) _Exit(0);
  abort();
}
