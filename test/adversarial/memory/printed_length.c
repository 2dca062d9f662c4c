// expect: unreach-call TRUE
// engines: explicit
// What printf returns is the length of its text, if output succeeds.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  int length = printf("%d %s%%\n", -12, "abc");
  if (length != 9) reach_error();
  if (fprintf(stderr, "%5u|%c", 7u, 'x') != 7) reach_error();
  return 0;
}
