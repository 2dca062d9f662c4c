// Peterson's mutual exclusion of two threads.
#include <assert.h>
#include <pthread.h>
int flag0, flag1, turn, inside;
void *first(void *argument) {
  flag0 = 1;
  turn = 1;
  while (flag1 == 1 && turn == 1);
  inside = 0;
  assert(inside <= 0);
  flag0 = 0;
  return 0;
}
void *second(void *argument) {
  flag1 = 1;
  turn = 0;
  while (flag0 == 1 && turn == 0);
  inside = 1;
  assert(inside >= 1);
  flag1 = 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
