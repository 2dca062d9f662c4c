#include <pthread.h>

pthread_mutex_t fork0 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t fork1 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t fork2 = PTHREAD_MUTEX_INITIALIZER;
int eaten[3];

void *philosopher0(void *argument)
{
  for (int meal = 0; meal < 2; meal++) {
    pthread_mutex_lock(&fork0);
    pthread_mutex_lock(&fork1);
    eaten[0] = eaten[0] + 1;
    pthread_mutex_unlock(&fork1);
    pthread_mutex_unlock(&fork0);
  }
  return 0;
}

void *philosopher1(void *argument)
{
  for (int meal = 0; meal < 2; meal++) {
    pthread_mutex_lock(&fork1);
    pthread_mutex_lock(&fork2);
    eaten[1] = eaten[1] + 1;
    pthread_mutex_unlock(&fork2);
    pthread_mutex_unlock(&fork1);
  }
  return 0;
}

void *philosopher2(void *argument)
{
  for (int meal = 0; meal < 2; meal++) {
    pthread_mutex_lock(&fork0);
    pthread_mutex_lock(&fork2);
    eaten[2] = eaten[2] + 1;
    pthread_mutex_unlock(&fork2);
    pthread_mutex_unlock(&fork0);
  }
  return 0;
}

int main(void)
{
  pthread_t t[3];
  pthread_create(&t[0], 0, philosopher0, 0);
  pthread_create(&t[1], 0, philosopher1, 0);
  pthread_create(&t[2], 0, philosopher2, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  return 0;
}
