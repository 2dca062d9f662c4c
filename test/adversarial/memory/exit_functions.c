// expect: unreach-call FALSE
// engines: explicit bmc
// What atexit was given runs after main.
#include <stdlib.h>
extern void reach_error(void);
void last(void) { reach_error(); }
int main(void) {
  atexit(last);
  return 0;
}
