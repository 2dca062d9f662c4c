// expect: assert FALSE
// engines: redcomp bmc
#include <pthread.h>
#include <assert.h>
extern void reach_error(void); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
int x; 
void *t(void *p){ x = 3; return 0; }
int main(void){ pthread_t h; pthread_create(&h,0,t,0); __VERIFIER_atomic_begin(); for (int i = 0; i < x; i++) assert(x < 3); __VERIFIER_atomic_end(); return 0; }
