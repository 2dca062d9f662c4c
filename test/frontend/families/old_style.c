/* Definitions of the old style, declarations without prototypes, int that goes without saying, goto, comma.
 *
 * Verdicts: assert FALSE, no-data-race FALSE
 */
#include <pthread.h>
extern void exit();
extern void __VERIFIER_error();
static int turn, counter;
int increment();

int increment(by, times)
  int by;
  short times;
{
  register int i;
  i = 0;
again:
  if (i >= times)
    goto out;
  counter += by, i++;
  goto again;
out:
  return counter;
}

void *thread(void *argument)
{
  increment(1, 2);
  return argument;
}

main()
{
  pthread_t t;
  if (pthread_create(&t, 0, thread, 0))
    exit(1);
  increment(1, 2);
  pthread_join(t, 0);
  if (counter != 4)
    __VERIFIER_error();
}
