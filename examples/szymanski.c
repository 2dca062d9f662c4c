/* Szymanski's algorithm (1988), for two threads: a waiting room with two doors. Those who are in the waiting room
 * when its first door closes enter the critical section one after the other, the lower number first.
 *
 *   1 stands outside the waiting room   2 waits for others to enter it
 *   3 stands in the first door          4 the second door is open, the first one closed
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag0, flag1;
int inside;

void *thread0(void *unused)
{
  flag0 = 1;
  while (flag1 >= 3)
    ; /* the first door is closed */
  flag0 = 3;
  if (flag1 == 1) {
    flag0 = 2;
    while (flag1 != 4)
      ; /* somebody else must come in and close the door */
  }
  flag0 = 4;
  /* Thread 0 has nobody before it. */
  inside++;
  assert(inside == 1);
  inside--;
  /* All others must have seen that the second door is open. */
  while (2 <= flag1 && flag1 <= 3)
    ;
  flag0 = 0;
  return NULL;
}

void *thread1(void *unused)
{
  flag1 = 1;
  while (flag0 >= 3)
    ;
  flag1 = 3;
  if (flag0 == 1) {
    flag1 = 2;
    while (flag0 != 4)
      ;
  }
  flag1 = 4;
  while (flag0 >= 2)
    ; /* thread 0 goes first */
  inside++;
  assert(inside == 1);
  inside--;
  flag1 = 0;
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
