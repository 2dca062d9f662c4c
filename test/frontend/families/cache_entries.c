/* Each entry of an array of records has its own lock, and a pointer to an entry reaches both.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void assume_abort_if_not(int condition) { if (!condition) { abort(); } }

struct cache_entry {
  int refs;
  pthread_mutex_t refs_mutex;
} cache[3];

void cache_entry_addref(struct cache_entry *entry)
{
  pthread_mutex_lock(&entry->refs_mutex);
  entry->refs++;
  (*entry).refs--;
  entry->refs += 1;
  pthread_mutex_unlock(&entry->refs_mutex);
}

void *t_fun(void *arg)
{
  int i = __VERIFIER_nondet_int();
  assume_abort_if_not(0 <= i && i < 3);
  cache_entry_addref(&cache[i]);
  return NULL;
}

int main()
{
  pthread_t t1;
  int i, sum = 0;
  for (i = 0; i < 3; i++)
    pthread_mutex_init(&cache[i].refs_mutex, NULL);
  pthread_create(&t1, NULL, t_fun, NULL);
  cache_entry_addref(&cache[1]);
  pthread_join(t1, NULL);
  for (i = 0; i < 3; i++)
    sum += cache[i].refs;
  assert(sum == 2);
  return 0;
}
