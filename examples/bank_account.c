/* Transfers between two accounts, in both directions at once. Each account has its lock, and both threads take the
 * locks in the same order: no money is lost, nobody waits in a circle, and an audit sees the right sum at any time.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

struct account checking = { PTHREAD_MUTEX_INITIALIZER, 100 };
struct account savings = { PTHREAD_MUTEX_INITIALIZER, 100 };

void transfer(struct account *from, struct account *to, int amount)
{
  /* Always checking before savings, whatever the direction. */
  pthread_mutex_lock(&checking.lock);
  pthread_mutex_lock(&savings.lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&savings.lock);
  pthread_mutex_unlock(&checking.lock);
}

void *save(void *unused)
{
  transfer(&checking, &savings, 30);
  return NULL;
}

void *spend(void *unused)
{
  transfer(&savings, &checking, 50);
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;

  pthread_create(&t1, NULL, save, NULL);
  pthread_create(&t2, NULL, spend, NULL);

  /* An audit, while the transfers go on. */
  pthread_mutex_lock(&checking.lock);
  pthread_mutex_lock(&savings.lock);
  assert(checking.balance + savings.balance == 200);
  pthread_mutex_unlock(&savings.lock);
  pthread_mutex_unlock(&checking.lock);

  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  assert(checking.balance == 120 && savings.balance == 80);
}
