// expect: valid-memsafety TRUE
// What alloca gives lives until the function returns, whatever block asked for it, and nobody has to free it.
#include <alloca.h>
int main(void) {
  int *p[3];
  for (int i = 0; i < 3; i++) {
    p[i] = alloca(sizeof(int));
    *p[i] = i;
  }
  return *p[0] + *p[1] + *p[2] != 3;
}
