/* Semaphores, a barrier and a spin lock between three threads.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t full;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static int item, sum;

static void *produce(void *unused)
{
  item = 3;
  sem_post(&full);
  pthread_barrier_wait(&barrier);
  pthread_spin_lock(&spin);
  sum += item;
  pthread_spin_unlock(&spin);
  return unused;
}

int main(void)
{
  pthread_t thread;
  sem_init(&full, 0, 0);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  if (pthread_create(&thread, NULL, produce, NULL) != 0) {
    perror("pthread_create");
    _exit(1);
  }
  while (sem_wait(&full) != 0)
    usleep(10);
  assert(item == 3);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
    puts("last");
  pthread_spin_lock(&spin);
  sum += item;
  pthread_spin_unlock(&spin);
  pthread_join(thread, NULL);
  assert(sum == 2 * item);
  sem_destroy(&full);
  return 0;
}
