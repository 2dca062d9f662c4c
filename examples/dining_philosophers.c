/* Three philosophers at a round table, a fork between each two (Dijkstra, 1965). Each takes the fork with the lower
 * number first, so they cannot all wait in a circle.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t fork0 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t fork1 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t fork2 = PTHREAD_MUTEX_INITIALIZER;
int meals0, meals1, meals2; /* eaten with each of the forks */

void *philosopher0(void *unused)
{
  pthread_mutex_lock(&fork0);
  pthread_mutex_lock(&fork1);
  meals0++;
  meals1++;
  pthread_mutex_unlock(&fork1);
  pthread_mutex_unlock(&fork0);
  return NULL;
}

void *philosopher1(void *unused)
{
  pthread_mutex_lock(&fork1);
  pthread_mutex_lock(&fork2);
  meals1++;
  meals2++;
  pthread_mutex_unlock(&fork2);
  pthread_mutex_unlock(&fork1);
  return NULL;
}

void *philosopher2(void *unused)
{
  pthread_mutex_lock(&fork0);
  pthread_mutex_lock(&fork2);
  meals2++;
  meals0++;
  pthread_mutex_unlock(&fork2);
  pthread_mutex_unlock(&fork0);
  return NULL;
}

int main(void)
{
  pthread_t p0, p1, p2;

  pthread_create(&p0, NULL, philosopher0, NULL);
  pthread_create(&p1, NULL, philosopher1, NULL);
  pthread_create(&p2, NULL, philosopher2, NULL);
  pthread_join(p0, NULL);
  pthread_join(p1, NULL);
  pthread_join(p2, NULL);
  assert(meals0 == 2 && meals1 == 2 && meals2 == 2);
}
