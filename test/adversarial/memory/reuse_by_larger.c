// expect: assert FALSE
// engines: explicit? bmc? cegar? impact?
// A larger block may lie where a smaller one was: the memory behind that one may have been free.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
  char *small = malloc(2000);
  uintptr_t before = (uintptr_t)small;
  free(small);
  char *large = malloc(4000);
  assert((uintptr_t)large != before);
  free(large);
  return 0;
}
