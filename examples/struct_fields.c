/* Two threads write different fields of one struct at the same time: no race, because fields are places of their own.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

struct statistics {
  int hits;
  int misses;
};

struct statistics cache;

void *hit(void *unused)
{
  cache.hits++;
  return NULL;
}

void *miss(void *unused)
{
  cache.misses++;
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;

  pthread_create(&t1, NULL, hit, NULL);
  pthread_create(&t2, NULL, miss, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  assert(cache.hits + cache.misses == 2);
}
