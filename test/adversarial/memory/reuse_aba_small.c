// expect: unreach-call FALSE
// engines: explicit bmc?
// The pointer is the same, what it points to is not.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
_Atomic(int *) shared; int swapped;
void *other(void *p) { int *mine = shared; shared = 0; free(mine); int *again = malloc(4); *again = 2; shared = again; return 0; }
int main(void) { int *a = malloc(4); *a = 1; shared = a; pthread_t h; pthread_create(&h, 0, other, 0);
  int *seen = shared; int value = seen ? *seen : 0; pthread_join(h, 0);
  if (seen && atomic_compare_exchange_strong(&shared, &seen, 0) && value == 1) reach_error(); return 0; }
