// expect: valid-memsafety FALSE
#include <alloca.h>
#include <stdlib.h>
int main(void) {
  int *p = alloca(8);
  p[1] = 1;
  free(p);
  return 0;
}
