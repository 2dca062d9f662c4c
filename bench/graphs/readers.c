#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 10
#endif
atomic_int x; int seen[N]; int idx[N];
void *r(void *p) { int i = *(int *)p; seen[i] = x; assert(seen[i] < 2); return 0; }
void *w(void *p) { x = 1; return 0; }
int main(void) { pthread_t h[N], k; for (int i = 0; i < N; i++) idx[i] = i; pthread_create(&k, 0, w, 0); for (int i = 0; i < N; i++) pthread_create(&h[i], 0, r, &idx[i]); return 0; }
