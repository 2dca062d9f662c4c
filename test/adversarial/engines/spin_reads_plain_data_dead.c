// expect: no-data-race FALSE
// engines: graphs explicit
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag; int data;
void *t(void *p) { data = 1; flag = 1; return 0; }
int main(void) { pthread_t a; pthread_create(&a,0,t,0); while (!flag) { int v = data; (void)v; } pthread_join(a,0); return 0; }
