/* As many threads as an input says, with their handles in an array of variable length and one on the heap.
 *
 * Verdicts: assert TRUE, no-data-race TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
unsigned int done;

void *work(void *argument)
{
  unsigned int *which = argument;
  pthread_mutex_lock(&mutex);
  done |= 1u << *which;
  pthread_mutex_unlock(&mutex);
  free(which);
  pthread_exit(NULL);
}

int main(void)
{
  unsigned int n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n >= 1 && n <= 2);
  pthread_t threads[n];
  pthread_t *copies = (pthread_t *)malloc(n * sizeof(pthread_t));
  for (unsigned int i = 0; i < n; ++i) {
    unsigned int *which = malloc(sizeof *which);
    *which = i;
    pthread_create(threads + i, 0, work, which);
    copies[i] = threads[i];
  }
  for (unsigned int i = 0; i < n; ++i)
    pthread_join(copies[i], 0);
  assert(done == (1u << n) - 1);
  free(copies);
  return 0;
}
