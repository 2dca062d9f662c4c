// expect: assert FALSE
// Which bit of a table a block's address selects depends on where it lies; a union gives the address as a number.
// engines: explicit? cegar? bmc? impact?
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

union word {
  void *pointer;
  uintptr_t number;
} shared;

void *publish(void *unused)
{
  shared.pointer = malloc(8);
  return 0;
}

int main(void)
{
  pthread_t thread;
  int table[4] = {1, 1, 1, 0};
  pthread_create(&thread, 0, publish, 0);
  pthread_join(thread, 0);
  assert(table[(shared.number >> 5) & 3] == 1 || shared.number == 0);
  return 0;
}
