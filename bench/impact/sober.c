// Like the benchmark sober of Table III: a thread announces that it sleeps and looks for work, another adds work and
// looks whether somebody sleeps. Under TSO and PSO both may look before their stores are seen; -DFIX adds fences.
#include <assert.h>
#include <pthread.h>
#ifdef FIX
#define FENCE __sync_synchronize();
#else
#define FENCE
#endif
int asleep, work, saw_work, saw_sleeper;
void *worker(void *argument) {
  asleep = 1;
  FENCE
  saw_work = work;
  return 0;
}
void *producer(void *argument) {
  work = 1;
  FENCE
  saw_sleeper = asleep;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, producer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(saw_work || saw_sleeper);
  return 0;
}
