// expect: valid-memsafety FALSE
// engines: explicit? bmc? cegar? impact? redcomp?
// A thread calls exit while only a variable of main points to the block: whether it is lost is a matter of definition.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *g;
void *t(void *p) { g = 0; if (__VERIFIER_nondet_int() == 5) exit(0); return p; }
int main(void) {
  pthread_t h;
  int *p = g = malloc(4);
  pthread_create(&h, 0, t, 0);
  pthread_join(h, 0);
  free(p);
  return 0;
}
