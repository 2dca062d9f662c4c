// expect: valid-memsafety FALSE
// engines: graphs explicit
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
atomic_int flag; int *data;
void *t(void *p) { free(data); flag = 1; return 0; }
int main(void) { pthread_t a; data = malloc(4); *data = 0; pthread_create(&a,0,t,0); while (!flag) { int v = *data; (void)v; } pthread_join(a,0); return 0; }
