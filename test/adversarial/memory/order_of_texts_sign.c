// expect: unreach-call TRUE
// engines: explicit bmc
#include <string.h>
extern void reach_error(void);
int main(void) {
  int later = strcmp("b", "a"), earlier = memcmp("a", "b", 1), same = strncmp("ab", "ac", 1);
  if (later <= 0 || earlier >= 0 || same != 0) reach_error();
  if (!strcmp("a", "b") || strcmp("a", "a") || 0 < strcmp("a", "b")) reach_error();
  return 0;
}
