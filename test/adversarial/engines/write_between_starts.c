// expect: assert FALSE
// engines: graphs explicit
// Main writes between starts: only later instances see it.
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int gate, seen0, seen1;
void *t(void *p) { if (gate) seen1 = 1; else seen0 = 1; return 0; }
int main(void) { pthread_t a[4]; for (int i = 0; i < 4; i++) { if (i == 2) gate = 1; pthread_create(&a[i],0,t,0); } for (int i = 0; i < 4; i++) pthread_join(a[i],0); assert(!(seen0 && seen1)); return 0; }
