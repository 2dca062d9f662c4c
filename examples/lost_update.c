/* Two deposits at the same time, and one of them is lost: what is read may be old when the sum is written back.
 *
 * Verdicts: assert FALSE, no-data-race FALSE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

int balance;

void *deposit(void *unused)
{
  int tmp = balance;
  balance = tmp + 100;
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;

  pthread_create(&t1, NULL, deposit, NULL);
  pthread_create(&t2, NULL, deposit, NULL);
  pthread_join(t1, NULL), pthread_join(t2, NULL);
  assert(balance == 200);
}
