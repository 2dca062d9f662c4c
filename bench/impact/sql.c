// Like the benchmark sql of Table III: a worker sets a flag, then a latch; whoever sees the latch must see the flag.
// Stores stay in order under TSO; PSO may swap them; -DFIX adds a fence.
#include <assert.h>
#include <pthread.h>
#ifdef FIX
#define FENCE __sync_synchronize();
#else
#define FENCE
#endif
int latch, flag;
void *sender(void *argument) {
  flag = 1;
  FENCE
  latch = 1;
  return 0;
}
void *receiver(void *argument) {
  if (latch) {
    latch = 0;
    assert(flag);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, sender, 0);
  pthread_create(&b, 0, receiver, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
