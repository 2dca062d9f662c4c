// expect: unreach-call FALSE
// engines: impact
#include <pthread.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int z, r[2];   /* r: readers per slot */
void *t0(void *p){ z = 0; return 0; }
void *t1(void *p){ int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0; __sync_fetch_and_add(&r[i], 1); return 0; }
int main(void){ pthread_t h1, h2; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0; pthread_create(&h1,0,t0,0); pthread_create(&h2,0,t1,0);
  if (r[i] != 0) return 0; z++; if (r[0] == 0) return 0; if (z == 0) reach_error(); return 0; }
