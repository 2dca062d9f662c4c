// expect: valid-memsafety UNKNOWN
// reason: is used after the variable is gone
// It is gone when the function has returned: no proof, at least.
#include <alloca.h>
int *f(void) {
  int *p = alloca(4);
  *p = 1;
  return p;
}
int main(void) {
  int *q = f();
  return *q;
}
