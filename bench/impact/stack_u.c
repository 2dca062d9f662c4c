// A bounded stack in an array, one thread pushes and one pops, under a lock, whose popper trusts a flag that is never taken back.
#include <assert.h>
#include <pthread.h>
#define SIZE 5
int elements[SIZE], top, filled;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void push(int value) {
  assert(top < SIZE);
  elements[top] = value;
  top = top + 1;
}
static int pop(void) {
  assert(top > 0);
  top = top - 1;
  return elements[top];
}
void *pusher(void *argument) {
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&m);
    push(i);
    filled = 1;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
void *popper(void *argument) {
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&m);
    if (filled) pop();
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, pusher, 0);
  pthread_create(&b, 0, popper, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
