// expect: unreach-call FALSE
// engines: impact
#include <pthread.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int z; pthread_spinlock_t r[2]; pthread_t h1,h2;
void *t0(void *p){ z = 0; return 0; }
void *t1(void *p){ int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0; pthread_spin_lock(&r[i]); pthread_spin_lock(&r[i]); if (z != 2) reach_error(); return 0; }
int main(void){ int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0; pthread_create(&h1,0,t0,0); pthread_create(&h2,0,t1,0); pthread_spin_lock(&r[0]); pthread_spin_lock(&r[i]); z++; pthread_spin_unlock(&r[i]); pthread_spin_unlock(&r[0]); if (z == 0) reach_error(); return 0; }
