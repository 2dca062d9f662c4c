/* Two threads share a struct. Its fields are places of their own: hits and misses have one writer each and do not
 * race, but total is changed by both.
 *
 * Verdicts: assert FALSE, no-data-race FALSE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

struct statistics {
  int hits;
  int misses;
  int total;
};

struct statistics cache;

void *hit(void *unused)
{
  cache.hits++;
  cache.total++;
  return NULL;
}

void *miss(void *unused)
{
  cache.misses++;
  cache.total++;
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;

  pthread_create(&t1, NULL, hit, NULL);
  pthread_create(&t2, NULL, miss, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  assert(cache.hits == 1 && cache.misses == 1);
  assert(cache.total == cache.hits + cache.misses);
}
