#include <assert.h>
#include <pthread.h>

#define SIZE 10
int top = 0;
int items[SIZE];
int filled = 0;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *pusher(void *argument)
{
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&m);
    assert(top < SIZE);
    items[top] = i;
    top = top + 1;
    filled = 1;
    pthread_mutex_unlock(&m);
  }
  return 0;
}

void *popper(void *argument)
{
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&m);
    if (filled) {
      assert(top > 0);
      top = top - 1;
    }
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void)
{
  pthread_t t1, t2;
  pthread_create(&t1, 0, pusher, 0);
  pthread_create(&t2, 0, popper, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
