/* A writer that writes K values and N readers that read once: (K + 1)^N executions, also under tso, pso and rc11. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 9
#endif
#ifndef K
#define K 5
#endif
atomic_int x; int seen[N]; int idx[N];
void *r(void *p) { int i = *(int *)p; seen[i] = x; assert(seen[i] <= K); return 0; }
void *w(void *p) { for (int i = 1; i <= K; i++) x = i; return 0; }
int main(void) { pthread_t h[N], k; for (int i = 0; i < N; i++) idx[i] = i; pthread_create(&k, 0, w, 0); for (int i = 0; i < N; i++) pthread_create(&h[i], 0, r, &idx[i]); return 0; }
