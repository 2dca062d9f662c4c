// expect: assert FALSE
// engines: explicit? cegar?
// realloc may leave a block where it is (C11 7.22.3.5p4).
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
  char *block = malloc(2000);
  uintptr_t before = (uintptr_t)block;
  block = realloc(block, 1000);
  assert((uintptr_t)block != before);
  free(block);
  return 0;
}
