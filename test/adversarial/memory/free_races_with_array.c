// expect: no-data-race FALSE
// engines: explicit bmc? redcomp?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int *a;
void *other(void *p) { for (int i = 2; i < 4; i++) a[i] = 1; return 0; }
int main(void) { pthread_t h; a = malloc(4 * sizeof(int)); pthread_create(&h, 0, other, 0); free(a); pthread_join(h, 0); return 0; }
