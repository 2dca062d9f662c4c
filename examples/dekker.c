/* Dekker's algorithm, the first solution of mutual exclusion for two threads (about 1962).
 * It is right if memory is sequentially consistent. Written with plain variables, as in old textbooks, its busy
 * waiting is a data race in today's C: the compiler may assume that nobody else changes them.
 *
 * Verdicts: assert TRUE, no-data-race FALSE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

int wants0, wants1, turn;
int inside;

void *thread0(void *unused)
{
  wants0 = 1;
  while (wants1) {
    if (turn != 0) {
      wants0 = 0;
      while (turn != 0)
        ;
      wants0 = 1;
    }
  }
  inside++;
  assert(inside == 1);
  inside--;
  turn = 1;
  wants0 = 0;
  return NULL;
}

void *thread1(void *unused)
{
  wants1 = 1;
  while (wants0) {
    if (turn != 1) {
      wants1 = 0;
      while (turn != 1)
        ;
      wants1 = 1;
    }
  }
  inside++;
  assert(inside == 1);
  inside--;
  turn = 0;
  wants1 = 0;
  return NULL;
}

int main(void)
{
  pthread_t t0, t1;

  pthread_create(&t0, NULL, thread0, NULL);
  pthread_create(&t1, NULL, thread1, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
}
