#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *counter(void *argument)
{
  int again = 1;
  while (again) {
    pthread_mutex_lock(&m);
    if (x > 0)
      x = x - 1;
    else
      again = 0;
    pthread_mutex_unlock(&m);
  }
  return 0;
}

void *setter(void *argument)
{
  int y = __VERIFIER_nondet_int();
  while (y > 0) {
    pthread_mutex_lock(&m);
    x = __VERIFIER_nondet_int();
    pthread_mutex_unlock(&m);
    y = y - 1;
  }
  return 0;
}

int main(void)
{
  pthread_t t1, t2;
  x = __VERIFIER_nondet_int();
  pthread_create(&t1, 0, counter, 0);
  pthread_create(&t2, 0, setter, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
