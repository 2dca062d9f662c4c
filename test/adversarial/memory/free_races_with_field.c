// expect: no-data-race FALSE
// engines: explicit bmc? redcomp?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
struct node { long key; long value; } *n;
void *other(void *p) { return (void *)n->value; }
int main(void) { pthread_t h; n = malloc(sizeof *n); n->key = 1; n->value = 2; pthread_create(&h, 0, other, 0); free(n); pthread_join(h, 0); return 0; }
