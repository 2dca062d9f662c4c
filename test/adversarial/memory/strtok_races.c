// expect: no-data-race FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
char a[] = "x y", b[] = "z";
void *other(void *q) { strtok(a, " "); return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); strtok(b, " "); pthread_join(h, 0); return 0; }
