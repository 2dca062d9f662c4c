/* N philosophers at a round table (Dijkstra, 1965), N from 2 on: heddle verify examples/philosophers.c -D N=5. Each takes
 * the fork at the left first; with -D ORDERED the last one takes the right one first, so that no circle closes.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock FALSE
 */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

pthread_mutex_t forks[N];
int meals[N]; /* eaten with each of the forks */

void *philosopher(void *seat)
{
  int left = (int)(long)seat;
  int right = (left + 1) % N;
#ifdef ORDERED
  if (right < left) {
    int first = right;
    right = left;
    left = first;
  }
#endif
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  meals[left]++;
  meals[right]++;
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return NULL;
}

int main(void)
{
  pthread_t philosophers[N];

  for (int i = 0; i < N; i++)
    pthread_mutex_init(&forks[i], NULL);
  for (int i = 0; i < N; i++)
    pthread_create(&philosophers[i], NULL, philosopher, (void *)(long)i);
  for (int i = 0; i < N; i++)
    pthread_join(philosophers[i], NULL);
  for (int i = 0; i < N; i++)
    assert(meals[i] == 2);
  return 0;
}
