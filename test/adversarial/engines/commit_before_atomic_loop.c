// expect: unreach-call FALSE
// engines: redcomp bmc
#include <pthread.h>
extern void reach_error(void); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
int x, y;
void *t(void *p){ int n = __VERIFIER_nondet_int(); y = 1; __VERIFIER_atomic_begin(); for (int i = 0; i < n; i++) if (i == 1) x = 2; __VERIFIER_atomic_end(); return 0; }
int main(void){ pthread_t h; pthread_create(&h,0,t,0); __VERIFIER_atomic_begin(); int a = y, b = x; __VERIFIER_atomic_end(); 
 __VERIFIER_atomic_begin(); int c = y, d = x; __VERIFIER_atomic_end(); 
 if (a == 1 && b == 0 && d == 2) reach_error(); pthread_join(h,0); return 0; }
