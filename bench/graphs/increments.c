#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 7
#endif
atomic_int x; int seen[N]; int idx[N];
void *t(void *p) { int i = *(int *)p; seen[i] = atomic_fetch_add(&x, 1); assert(seen[i] < N); return 0; }
int main(void) { pthread_t h[N]; for (int i = 0; i < N; i++) idx[i] = i; for (int i = 0; i < N; i++) pthread_create(&h[i], 0, t, &idx[i]); return 0; }
