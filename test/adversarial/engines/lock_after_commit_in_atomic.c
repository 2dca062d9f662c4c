// expect: unreach-call FALSE
// engines: redcomp bmc
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *p)
{
  int n = __VERIFIER_nondet_int();
  __VERIFIER_atomic_begin();
  for (int i = 0; i < n; i++)
    if (i == 1)
      x = 2;
  int busy = pthread_mutex_trylock(&m);
  __VERIFIER_atomic_end();
  if (busy)
    return 0;
  y = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void)
{
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  __VERIFIER_atomic_begin();
  int a = y, b = x;
  __VERIFIER_atomic_end();
  if (a == 0 && b == 2)
    reach_error();
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(h, 0);
  return 0;
}
