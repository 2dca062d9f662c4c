/* Peterson's algorithm: mutual exclusion of two threads with nothing but reads and writes (1981).
 * A thread says that it wants to enter, lets the other go first, and waits only while the other wants and may.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants0, wants1, turn;
int inside; /* how many threads are in the critical section */

void *thread0(void *unused)
{
  wants0 = 1;
  turn = 1;
  while (wants1 == 1 && turn == 1)
    ;
  inside++;
  assert(inside == 1);
  inside--;
  wants0 = 0;
  return NULL;
}

void *thread1(void *unused)
{
  wants1 = 1;
  turn = 0;
  while (wants0 == 1 && turn == 0)
    ;
  inside++;
  assert(inside == 1);
  inside--;
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
