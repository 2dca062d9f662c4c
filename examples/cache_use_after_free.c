/* A reader copies the pointer to the current settings under the lock and uses it after; the writer frees the old
 * settings as soon as it has put the new ones in their place.
 *
 * Verdicts: assert TRUE, no-data-race FALSE, no-deadlock TRUE, valid-memsafety FALSE
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct settings {
  int volume;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct settings *current;

struct settings *settings_of(int volume)
{
  struct settings *made = malloc(sizeof *made);
  made->volume = volume;
  return made;
}

void *reader(void *unused)
{
  pthread_mutex_lock(&mutex);
  struct settings *seen = current;
  pthread_mutex_unlock(&mutex);
  assert(seen->volume == 1 || seen->volume == 2);
  return NULL;
}

void *writer(void *unused)
{
  pthread_mutex_lock(&mutex);
  struct settings *old = current;
  current = settings_of(2);
  pthread_mutex_unlock(&mutex);
  free(old);
  return NULL;
}

int main(void)
{
  pthread_t r, w;

  current = settings_of(1);
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
  free(current);
  return 0;
}
