// expect: unreach-call TRUE
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  char *a = getenv("X"), *b = getenv("X");
  if ((a == 0) != (b == 0))
    reach_error();
  return 0;
}
