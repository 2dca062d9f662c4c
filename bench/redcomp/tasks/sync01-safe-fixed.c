#include <pthread.h>

int full = 1;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

void *producer(void *argument)
{
  pthread_mutex_lock(&m);
  while (full)
    pthread_cond_wait(&emptied, &m);
  full = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&filled);
  return 0;
}

void *consumer(void *argument)
{
  pthread_mutex_lock(&m);
  while (!full)
    pthread_cond_wait(&filled, &m);
  full = 0;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&emptied);
  return 0;
}

int main(void)
{
  pthread_t t1, t2;
  pthread_create(&t1, 0, producer, 0);
  pthread_create(&t2, 0, consumer, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
