/* Two semaphores let two threads take turns: each waits for its own, and posts the other's.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ping_may, pong_may;
int strokes;

void *ping(void *unused)
{
  for (int i = 0; i < 2; i++) {
    sem_wait(&ping_may);
    assert(strokes == 2 * i);
    strokes++;
    sem_post(&pong_may);
  }
  return NULL;
}

void *pong(void *unused)
{
  for (int i = 0; i < 2; i++) {
    sem_wait(&pong_may);
    assert(strokes == 2 * i + 1);
    strokes++;
    sem_post(&ping_may);
  }
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;

  sem_init(&ping_may, 0, 1);
  sem_init(&pong_may, 0, 0);
  pthread_create(&t1, NULL, ping, NULL);
  pthread_create(&t2, NULL, pong, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  assert(strokes == 4);
}
