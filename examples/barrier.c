/* Two threads work in two phases, and a barrier lies between the phases: each reads in the second what the other
 * wrote in the first. The barrier is used again after them, so that the results may be overwritten.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int left = 1, right = 2;

void *left_worker(void *unused)
{
  left = left * 10;
  pthread_barrier_wait(&barrier);
  int sum = left + right;
  pthread_barrier_wait(&barrier);
  left = sum;
  return NULL;
}

void *right_worker(void *unused)
{
  right = right * 10;
  pthread_barrier_wait(&barrier);
  int sum = left + right;
  pthread_barrier_wait(&barrier);
  right = sum;
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;

  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&t1, NULL, left_worker, NULL);
  pthread_create(&t2, NULL, right_worker, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  assert(left == 30 && right == 30);
}
