#include <assert.h>
#include <pthread.h>

int first = 0, second = 0;
pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *argument)
{
  pthread_mutex_lock(&m1);
  first = 1;
  pthread_mutex_unlock(&m1);
  pthread_mutex_lock(&m2);
  second = first + 1;
  pthread_mutex_unlock(&m2);
  return 0;
}

void *reader(void *argument)
{
  int t1 = -1, t2 = -1;
  pthread_mutex_lock(&m1);
  if (first == 0) {
    pthread_mutex_unlock(&m1);
    return 0;
  }
  t1 = first;
  pthread_mutex_unlock(&m1);
  pthread_mutex_lock(&m2);
  t2 = second;
  pthread_mutex_unlock(&m2);
  assert(t2 == t1 + 1);
  return 0;
}

int main(void)
{
  pthread_t w[3], r;
  for (int i = 0; i < 3; i++)
    pthread_create(&w[i], 0, writer, 0);
  pthread_create(&r, 0, reader, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(w[i], 0);
  pthread_join(r, 0);
  return 0;
}
