// expect: unreach-call FALSE
// engines: redcomp bmc
#include <pthread.h>
extern void reach_error(void); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
void *t(void *p){ x = 1; return 0; }
int main(void){ pthread_t h; pthread_create(&h,0,t,0); __VERIFIER_atomic_begin(); pthread_mutex_lock(&m); if (x == 1) reach_error(); pthread_mutex_unlock(&m); __VERIFIER_atomic_end(); return 0; }
