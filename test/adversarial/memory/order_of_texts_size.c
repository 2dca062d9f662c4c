// expect: unreach-call FALSE
// engines: explicit bmc
// Of what strcmp returns only the sign is said.
#include <string.h>
extern void reach_error(void);
int main(void) {
  int order = strcmp("b", "a");
  if (order == 25) reach_error();
  return 0;
}
