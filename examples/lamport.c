/* Lamport's bakery (1974): whoever enters draws a number greater than all others, and the lowest number is served.
 * Two threads may draw the same number, because looking and drawing are not one action; then the index decides.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int choosing[2], number[2];
int inside;

void serve(int me)
{
  int other = 1 - me;

  choosing[me] = 1;
  number[me] = number[other] + 1;
  choosing[me] = 0;

  while (choosing[other])
    ; /* its number is about to be known */
  for (;;) {
    int theirs = number[other];
    int mine = number[me];
    if (theirs == 0 || mine < theirs || (mine == theirs && me < other))
      break;
  }

  inside++;
  assert(inside == 1);
  inside--;
  number[me] = 0;
}

void *customer0(void *unused)
{
  serve(0);
  return NULL;
}

void *customer1(void *unused)
{
  serve(1);
  return NULL;
}

int main(void)
{
  pthread_t t0, t1;

  pthread_create(&t0, NULL, customer0, NULL);
  pthread_create(&t1, NULL, customer1, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
}
