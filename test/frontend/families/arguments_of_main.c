/* What stands on the command line is any text: two numbers decide how many threads there are.
 *
 * Verdicts: assert FALSE
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

extern void reach_error(void);
static int writers = 2, value;
static pthread_mutex_t *lock;

static void *write(void *argument)
{
  pthread_mutex_lock(lock);
  value++;
  pthread_mutex_unlock(lock);
  return argument;
}

int main(int argc, char *argv[])
{
  int i, error;
  if (argc != 1) {
    if (argc != 2) {
      fprintf(stderr, "usage: %s [writers]\n", argv[0]);
      exit(-1);
    }
    sscanf(argv[1], "%d", &writers);
  }
  lock = (pthread_mutex_t *)malloc(sizeof(pthread_mutex_t));
  if (0 != (error = pthread_mutex_init(lock, NULL)))
    exit(error);
  pthread_t threads[writers];
  for (i = 0; i < writers; i++)
    pthread_create(&threads[i], NULL, &write, NULL);
  for (i = 0; i < writers; i++)
    pthread_join(threads[i], NULL);
  if (value == 2)
    reach_error();
  return 0;
}
